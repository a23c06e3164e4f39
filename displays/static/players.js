// For players: what they may know before they bet, of a jackpot or of a table. It asks again every few seconds
// while somebody looks; a stream for each phone would take the place of a sign's.

import { t, translated } from "./catalogue.js";
import "./console/language.js";
import { odds } from "./odds.js";
import { ceilingOf, chance, percent, playedFor, returnAt, sharesOf, tiesOf } from "./terms.js";
import { handName, limits, money, timeOfDay } from "./words.js";

const EVERY = 3000;
const PATIENCE = 4000;
const MISSED = 2; // after so many answers the connection is lost
const root = document.querySelector("main.players");
const games = JSON.parse(root.dataset.games);
const { link, table } = root.dataset;
const address = (...parts) => `/v1/${parts.map(encodeURIComponent).join("/")}`;
const PATHS = table ? { terms: address("tables", table, "display"), meter: address("tables", table, "meter") } : { terms: address("links", link, "terms"), meter: address("links", link, "meter") };
if (root.dataset.pit === "true") delete PATHS.meter;
const known = { terms: null, meter: null, missed: 0 };

const part = (name) => root.querySelector(`[data-part="${name}"]`);

function made(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

async function ask(kind, path) {
  const answer = await fetch(path, { cache: "no-cache", signal: AbortSignal.timeout(PATIENCE) });
  if (answer.status === 401 || answer.status === 403) part("refused").hidden = false;
  if (!answer.ok) throw new Error(String(answer.status));
  known[kind] = await answer.json();
  part("refused").hidden = true;
}

async function look() {
  try {
    await Promise.all(Object.entries(PATHS).map(([kind, path]) => ask(kind, path)));
    known.missed = 0;
  } catch {
    known.missed += 1;
  }
  part("lost").hidden = known.missed < MISSED || !part("refused").hidden;
  if (known.terms) render();
}

function render() {
  const { terms: told, meter } = known;
  const { currency } = told;
  part("name").textContent = told.terms ? told.name : translated(told.game_name ?? told.name);
  part("place").textContent = table ? t("Table {table}", { table: told.table_name }) : "";
  part("notice").hidden = !told.notice;
  part("notice").textContent = translated(told.notice ?? "");
  if (meter) renderMeter(meter);
  if (told.terms) renderTerms(told, meter);
  if (told.rules) renderPit(told);
  renderBets(told, currency);
  root.dataset.state = "read";
}

function renderMeter({ value, currency, state, pending, as_of: at }) {
  part("meter-box").hidden = false;
  part("value").textContent = money(value, currency);
  root.dataset.meter = state;
  part("since").textContent = timeOfDay(at);
  part("held").hidden = pending.length === 0;
  if (pending.length) part("held").textContent = t("{hand} at {table} is being verified.", { hand: handName(pending[0].hand), table: pending[0].table });
}

function renderBets(told, currency) {
  const main = told.minimum === undefined ? "" : limits({ minimum: told.minimum, maximum: told.maximum }, currency);
  const rows = [
    told.progressive_bet ? [t("Progressive Jackpot Bet"), money(told.progressive_bet, currency)] : null,
    told.minimum == null ? null : [t("Minimum bet"), money(told.minimum, currency)],
    main ? [told.rules ? t("Bets on a box") : t("Table limits"), main] : null,
    told.game && !told.rules ? [t("Game"), translated(games[told.game] ?? told.game)] : null,
  ];
  facts("bets", rows);
}

function facts(name, rows) {
  const found = rows.filter(Boolean);
  part(`${name}-box`).hidden = !found.length;
  part(name).replaceChildren(...found.map(([what, text]) => made("div", {}, made("dt", {}, what), made("dd", {}, text))));
}

function renderTerms(told, meter) {
  const { terms, currency } = told;
  const ceiling = ceilingOf(terms, currency);
  facts("terms", [
    [t("Where the jackpot begins again"), money(terms.seed, currency)],
    [t("Of each Progressive Jackpot Bet"), sharesOf(terms)],
    [t("The House keeps, and pays the fixed awards from it"), percent(terms.house_ppm)],
    ceiling === null ? null : [t("The most that the jackpot can show"), ceiling],
  ]);
  part("return-box").hidden = !meter;
  if (meter) {
    const plays = playedFor(meter);
    const said = { value: money(plays, currency), least: returnAt(terms, terms.seed), seed: money(terms.seed, currency) };
    part("return").textContent = returnAt(terms, plays);
    part("return-words").textContent = returnWords(meter, plays === terms.seed, said);
  }
  part("lower").hidden = terms.policy !== "split" && told.cap === null;
  part("pays-box").hidden = false;
  part("pays").replaceChildren(...told.pay_table.map((line) => payLine(line, told)));
  part("cap").hidden = told.cap === null;
  part("cap").textContent = told.cap === null ? "" : t("All fixed awards of a round together: at most {cap}.", { cap: money(told.cap, currency) });
  part("ties-box").hidden = false;
  part("ties").replaceChildren(...tiesOf(terms).map((text) => made("p", {}, text)));
}

function returnWords({ next }, atSeed, said) {
  if (next !== null) return t("of a Progressive Jackpot Bet comes back to players on average. A bet that is placed now plays for the next jackpot, {value}.", said);
  if (atSeed) return t("of a Progressive Jackpot Bet comes back to players on average while the jackpot shows {value}.", said);
  return t("of a Progressive Jackpot Bet comes back to players on average while the jackpot shows {value}; {least} at {seed}, where it begins again.", said);
}

function payLine(line, { terms, currency }) {
  const pays = line.percent === null ? t("{times} for 1", { times: line.times }) : t("{percent} % of the jackpot", { percent: line.percent });
  const award = line.award === null ? "" : made("span", { class: "under" }, money(line.award, currency));
  return made("tr", { class: line.level }, made("th", { scope: "row" }, handName(line.hand)), made("td", {}, pays, award), made("td", {}, chance(line, terms)));
}

function renderPit(told) {
  part("rules-box").hidden = false;
  part("rules").replaceChildren(...told.rules.map((text) => made("li", {}, translated(text))));
  part("sides").replaceChildren(...told.side_bets.map((one) => side(one, told.currency)));
}

function side(bet, currency) {
  const between = limits(bet, currency);
  const rows = bet.pays.map(({ words, odds: pays }) => made("tr", {}, made("th", { scope: "row" }, translated(words)), made("td", {}, odds(pays))));
  return made("section", { class: "panel" },
    made("h2", {}, translated(bet.name)),
    bet.pays_for ? made("p", { class: "soft" }, translated(bet.pays_for)) : "",
    made("table", {}, made("tbody", {}, ...rows)),
    between ? made("p", { class: "soft" }, bet.per === "table" ? t("{limits} at the table", { limits: between }) : t("{limits} on a box", { limits: between })) : "");
}

look();
setInterval(() => document.hidden || look(), EVERY);
document.addEventListener("visibilitychange", () => document.hidden || look());
