// The table's display: the meter, the bet, what hands pay, and what players must be told.

import { t, translated } from "./catalogue.js";
import { Feed } from "./feed.js";
import { showName } from "./name.js";
import { Odometer } from "./odometer.js";
import { ceilingOf, chance, playedFor, returnAt, sharesOf, tiesInShort } from "./terms.js";
import { handName, limits, money, timeOfDay } from "./words.js";

const FALL = 0.9;

class TableDisplay {
  #root;
  #games;
  #odometer;
  #reading = null;
  #table = null;
  #lost = false;

  constructor(root) {
    this.#root = root;
    this.#games = JSON.parse(root.dataset.games);
    this.#odometer = new Odometer(this.#part("amount"));
    const path = `/v1/tables/${encodeURIComponent(root.dataset.table)}`;
    const polls = { table: `${path}/display`, meter: `${path}/meter` };
    new Feed({ stream: `${path}/stream`, polls }, (kind, told) => this.#told(kind, told)).start();
  }

  #part(name) {
    return this.#root.querySelector(`[data-part="${name}"]`);
  }

  #told(kind, told) {
    if (kind === "meter") this.#read(told);
    if (kind === "table") this.#table = told;
    if (kind === "lost") this.#lost = true;
    if (kind === "found") this.#lost = false;
    if (kind === "refused" || kind === "meter") this.#part("refused").hidden = kind === "meter";
    if (kind === "table") this.#renderTable(told);
    this.#renderMeter();
    this.#renderTerms();
  }

  #read(reading) {
    const before = this.#reading;
    this.#reading = reading;
    const { value, currency } = reading;
    if (before === null) this.#odometer.set(value, currency);
    else this.#odometer.roll(value, currency, value < before.value ? FALL : undefined);
  }

  #renderMeter() {
    const reading = this.#reading;
    const stale = this.#lost || reading?.state === "stale";
    this.#part("lost").hidden = !stale || !this.#part("refused").hidden;
    this.#root.dataset.meter = stale ? "stale" : (reading?.state ?? "waiting");
    if (reading === null) return;
    showName(this.#part("name"), reading.name);
    this.#part("currency").textContent = reading.currency;
    this.#part("amount").setAttribute("aria-label", reading.display);
    this.#part("since").textContent = timeOfDay(reading.as_of);
    const held = this.#part("held");
    held.hidden = reading.pending.length === 0;
    const [first] = reading.pending;
    if (first) {
      const said = { hand: handName(first.hand), table: first.table, next: reading.next === null ? "" : money(reading.next, reading.currency) };
      held.textContent = reading.next === null ? t("{hand} at {table} is being verified.", said) : t("{hand} at {table} is being verified. Next jackpot {next}.", said);
    }
  }

  /** What a player may know before he bets; the return goes with the value that is shown. */
  #renderTerms({ terms, currency } = this.#table ?? {}) {
    this.#part("terms-box").hidden = !terms || this.#reading === null;
    if (this.#part("terms-box").hidden) return;
    const ceiling = ceilingOf(terms, currency);
    this.#part("seed").textContent = money(terms.seed, currency);
    this.#part("ceiling-box").hidden = ceiling === null;
    this.#part("ceiling").textContent = ceiling ?? "";
    this.#part("return").textContent = t("{percent} of a bet", { percent: returnAt(terms, playedFor(this.#reading)) });
    this.#part("shares").textContent = sharesOf(terms);
    this.#part("ties").textContent = tiesInShort(terms);
  }

  #renderTable(table) {
    this.#root.dataset.state = table.state;
    this.#part("game").textContent = translated(this.#games[table.game] ?? table.game);
    this.#part("table").textContent = table.table_name;
    this.#part("bet").textContent = money(table.progressive_bet, table.currency);
    this.#part("limits-box").hidden = table.minimum === null && table.maximum === null;
    this.#part("limits").textContent = limits(table, table.currency);
    this.#part("pays").replaceChildren(...table.pay_table.map((line) => payLine(line, table)));
    this.#root.style.setProperty("--lines", table.pay_table.length);
    this.#part("cap").hidden = table.cap === null;
    this.#part("cap").textContent = table.cap === null ? "" : t("All fixed awards of a round together: at most {cap}.", { cap: money(table.cap, table.currency) });
    this.#part("notice").hidden = table.notice === null;
    this.#part("notice").textContent = translated(table.notice ?? "");
    this.#renderBoxes(table);
  }

  #renderBoxes(table) {
    const numbers = Array.from({ length: table.boxes }, (_, index) => index + 1);
    this.#part("boxes-box").hidden = false;
    this.#part("boxes").replaceChildren(...numbers.map((one) => boxMark(one, table.blocked.includes(one))));
    this.#part("blocked").hidden = table.blocked.length === 0;
    this.#part("blocked").textContent = t("Boxes {boxes}: no Progressive Jackpot Bets are accepted.", { boxes: table.blocked.join(", "), count: table.blocked.length });
  }
}

function payLine(line, { currency, terms }) {
  const row = document.createElement("tr");
  row.className = line.level;
  const hand = cell("th", handName(line.hand));
  hand.scope = "row";
  const often = cell("td", terms ? chance(line, terms) : "");
  often.className = "chance";
  if (line.percent === null) {
    row.append(hand, cell("td", t("{times} for 1", { times: line.times })), cell("td", money(line.award, currency)), often);
    return row;
  }
  const share = cell("td", t("{percent} % of the jackpot", { percent: line.percent }));
  share.colSpan = 2;
  row.append(hand, share, often);
  return row;
}

function cell(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

function boxMark(number, blocked) {
  const mark = document.createElement("li");
  mark.textContent = String(number);
  mark.toggleAttribute("data-blocked", blocked);
  if (blocked) {
    const said = document.createElement("span");
    said.className = "unseen";
    said.textContent = t("blocked");
    mark.append(" ", said);
  }
  return mark;
}

new TableDisplay(document.querySelector("main.table"));
