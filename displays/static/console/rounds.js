// One round as evidence: everything reported and decided about it, to be read on the screen or printed.

import { t, translated, woven } from "../catalogue.js";
import { get, houseNow, path } from "./api.js";
import { acts, button, chip, grid, h, show } from "./dom.js";
import { factName, gameName, offset, sentence, time, words } from "./format.js";
import { irregular, isCurrent } from "./irregularity.js";
import { layout, reports, wagers } from "./round_play.js";
import { decisions, majors } from "./round_decisions.js";
import * as pitRound from "./pit_round.js";
import { facts } from "./proof.js";
import { linkPath, lookAt, may, me, page, refresh, roundAddress, start } from "./shell.js";

const STATES = { settled: "good", voided: "bad", bets_closed: "warn", hands_known: "warn" };

function wanted() {
  const asked = new URLSearchParams(location.search);
  return { table: asked.get("table") ?? "", round: asked.get("round") ?? "" };
}

async function read(link) {
  const { tables } = await get(linkPath("tables"));
  const { table, round } = wanted();
  const found = table && round ? await get(path("tables", table, "rounds", round)).catch((error) => error) : null;
  const place = found?.link ?? found?.pit;
  if (place && place !== link.id) return lookAt(place);
  return show(page, search(tables, table, round), found === null ? h("p.empty", {}, t("Choose a table and enter a round number.")) : found instanceof Error ? h("p.problem", { role: "alert" }, found.sentence ?? String(found)) : evidence(found, link));
}

function search(tables, table, round) {
  const options = tables.map((one) => h("option", { value: one.id, selected: one.id === table }, one.round ? t("{table}, now in round {round}", { table: one.id, round: one.round.round }) : one.id));
  return h("form.filters", { role: "search", "aria-label": t("Rounds"), id: "search", "data-key": `search ${table} ${round}` },
    h("div.field", {}, h("label", { for: "table" }, t("Table")), h("select", { id: "table", name: "table" }, options)),
    h("div.field", {}, h("label", { for: "round" }, t("Round")), h("input.figures", { id: "round", name: "round", type: "number", min: 0, step: 1, required: true, value: round })),
    h("button.main", { type: "submit" }, t("Show")));
}

function evidence(told, link) {
  const part = (name, title, content) => content && h("section.panel", { "aria-labelledby": `${name}-title`, "data-key": name, class: `panel ${name}` }, h("h2", { id: `${name}-title` }, title), content);
  const parts = told.pit
    ? [["bets", t("Bets"), pitRound.bets(told)], ["layout", t("On the layout"), pitRound.layout(told)], ["wagers", t("Wagers"), pitRound.wagers(told)], ["decisions", t("Decisions"), pitRound.decisions(told)], ["reports", t("Hands as reported"), pitRound.reports(told)]]
    : [["layout", t("On the layout"), layout(told)], ["wagers", t("Wagers"), wagers(told)], ["decisions", t("Decisions"), decisions(told)], ["majors", t("Wins and late claims"), majors(told)], ["reports", t("Hands as reported"), reports(told)]];
  return h("article.evidence", { "data-key": `${told.table} ${told.round}`, "aria-label": t("Round {round} at {table}", { round: told.round, table: told.table }) },
    head(told, link),
    parts.map(([name, title, content]) => part(name, title, content)),
    part("story", t("What happened, in order"), story(told)),
    part("clock", t("The table's clock"), clockOf(told)),
    journal(told));
}

function head(told, link) {
  return h("header.panel.head", { "data-key": "head" },
    h("div.headline", {}, h("h2", {}, t("Round {round} at {table}", { round: told.round, table: told.table })), chip(words(told.state), STATES[told.state])),
    facts([
      [t("Game"), gameName(told.game)],
      told.pit ? [t("Pit"), `${link.name} (${told.pit})`] : [t("Jackpot"), `${link.name} (${told.link})`],
      told.pit ? [t("Limits"), pitRound.limits(told)] : null,
      [t("Bets closed"), woven("{closed} by the table's clock; received {received}", { closed: time(told.bets.closed_at, { digits: 3, date: true }), received: time(told.bets.received_at, { digits: 3 }) })],
      [t("Dealt"), woven("not before {time}, when the bets were recorded in the journal", { time: time(told.dealt_from, { digits: 3 }) })],
      [t("Status"), standing(told)],
      [t("Times"), t("House time, in the time zone {zone}, unless stated otherwise", { zone: Intl.DateTimeFormat().resolvedOptions().timeZone })],
    ]),
    h("p.printed", {}, woven("Printed by {person}, {time}", { person: me.person, time: time(new Date(houseNow()).toISOString(), { date: true }) })),
    h("div.row.tools", {},
      button(t("Print"), "print", ""),
      h("a.button", { href: path("tables", told.table, "rounds", told.round), download: `${told.table}-${told.round}.json` }, t("Download as JSON")),
      may.decide && told.current && isCurrent(told) ? button(t("Irregularity"), "irregular", `${told.table} ${told.round}`, { kind: "danger" }) : null));
}

function standing(told) {
  const last = told.story.at(-1);
  if (told.state === "voided") return t("Voided under paragraph {paragraph} by {person}; all bets are returned.", { paragraph: told.void.reason, person: told.void.by });
  return told.state === "settled" ? t("Settled. The outcome stands.") : woven("Not settled yet; all results are provisional. Last entry {time}.", { time: time(last.at, { digits: 3 }) });
}

function story(told) {
  return grid(t("Time line"), [`#${t("Entry")}`, t("Time"), t("Who"), t("What")], told.story.map((one) => ({
    key: one.sequence, cells: [one.sequence, time(one.at, { digits: 3, date: true }), translated(one.by), translated(one.words)],
  })));
}

function clockOf(told) {
  const micros = (number) => t("{ms} ms", { ms: (number / 1000).toFixed(3) });
  return grid(t("The table's clock, message by message"), [t("Message"), `#${t("Entry")}`, t("Sent, by the table"), t("Received, by the House"), `#${t("Difference")}`, t("Measured offset")], told.clock.map((one) => ({
    key: one.sequence,
    cells: [sentence(words(one.message)), one.sequence, time(one.sent_at, { digits: 6 }), time(one.received_at, { digits: 6 }), micros(one.difference_us),
      [offset(one) ?? t("not on record"), " ", one.live === false ? chip(t("not live"), "warn") : null]],
  })));
}

function journal(told) {
  const rows = told.entries.map((one) => ({ key: one.sequence, cells: [one.sequence, [factName(one.kind), h("span.under", {}, time(one.at, { digits: 6, date: true }))], h("code", {}, one.before), h("code", {}, one.hash)] }));
  return h("footer.panel.chain", { "data-key": "chain", "aria-labelledby": "chain-title" }, h("h2", { id: "chain-title" }, t("The journal")),
    h("p.soft", {}, t("Each hash is the SHA-256 of the previous hash and the bytes of the entry; the bytes are in the JSON file. Nothing above can be changed without breaking the chain.")),
    grid(t("Entries of the journal"), [`#${t("Entry")}`, t("What"), t("Previous hash"), t("Hash")], rows));
}

if (page) {
  page.addEventListener("submit", (event) => {
    event.preventDefault();
    const { table, round } = Object.fromEntries(new FormData(event.target));
    history.pushState(null, "", roundAddress(table, round));
    refresh();
  });
  addEventListener("popstate", refresh);
  acts(page, { print: () => print(), irregular: (place) => irregular(...place.split(" ")) });
  start(read, { every: 10_000 });
}
