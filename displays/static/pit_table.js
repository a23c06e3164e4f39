// The display of a table without a jackpot: its limits, the main rules, what side bets pay, and the notice.

import { t, translated } from "./catalogue.js";
import { Feed } from "./feed.js";
import { showName } from "./name.js";
import { odds } from "./odds.js";
import { limits } from "./words.js";

class PitTableDisplay {
  #root;

  constructor(root) {
    this.#root = root;
    const path = `/v1/tables/${encodeURIComponent(root.dataset.table)}`;
    new Feed({ stream: `${path}/stream`, polls: { table: `${path}/display` } }, (kind, told) => this.#told(kind, told)).start();
  }

  #part(name) {
    return this.#root.querySelector(`[data-part="${name}"]`);
  }

  #told(kind, told) {
    if (kind === "table") this.#render(told);
    if (kind === "lost" || kind === "found") this.#part("lost").hidden = kind === "found";
    if (kind === "refused" || kind === "table") this.#part("refused").hidden = kind === "table";
    this.#root.dataset.besides = String(["lost", "refused", "notice"].filter((name) => !this.#part(name).hidden).length);
  }

  #render(table) {
    this.#root.dataset.state = table.state;
    showName(this.#part("game"), translated(table.game_name));
    this.#part("pit").textContent = table.name === table.game_name ? "" : table.name;
    this.#part("table").textContent = table.table_name;
    this.#part("limits-box").hidden = table.minimum === null && table.maximum === null;
    this.#part("limits").textContent = limits(table, table.currency);
    this.#part("rules").replaceChildren(...table.rules.map((text) => made("li", {}, translated(text))));
    this.#part("sides").replaceChildren(...table.side_bets.map((one) => side(one, table.currency)));
    this.#root.dataset.sides = arranged(table.side_bets);
    this.#part("notice").hidden = table.notice === null;
    this.#part("notice").textContent = translated(table.notice ?? "");
  }
}

/** How they stand: each in a line, a list alone, or several lists beside each other. */
function arranged(bets) {
  if (bets.every((one) => one.pays.length === 1)) return "lines";
  return bets.length === 1 ? "list" : "lists";
}

/** A bet that pays in one way is told in one line. */
function side(bet, currency) {
  const between = limits(bet, currency);
  const [only, ...more] = bet.pays;
  const single = more.length === 0;
  const rows = bet.pays.map(({ words, odds: pays }) =>
    made("tr", {}, made("th", { scope: "row" }, translated(words)), made("td", {}, odds(pays))));
  return made("article", { class: "side" },
    made("h2", {}, translated(bet.name), single ? made("b", {}, odds(only.odds)) : bet.pays_for ? made("small", {}, translated(bet.pays_for)) : ""),
    single ? "" : made("table", {}, made("tbody", {}, ...rows)),
    between ? made("p", { class: "small" }, bet.per === "table" ? t("{limits} at the table", { limits: between }) : t("{limits} on a box", { limits: between })) : "");
}

function made(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

new PitTableDisplay(document.querySelector("main.pit-table"));
