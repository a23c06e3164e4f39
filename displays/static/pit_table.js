// The display of a table without a jackpot: its limits, the main rules, what side bets pay, and the notice.

import { Feed } from "./feed.js";
import { showName } from "./name.js";
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
  }

  #render(table) {
    this.#root.dataset.state = table.state;
    showName(this.#part("game"), table.game_name);
    this.#part("pit").textContent = table.name === table.game_name ? "" : table.name;
    this.#part("table").textContent = table.table;
    this.#part("limits-box").hidden = table.minimum === null && table.maximum === null;
    this.#part("limits").textContent = limits(table, table.currency);
    this.#part("rules").replaceChildren(...table.rules.map((text) => made("li", {}, text)));
    this.#part("sides").replaceChildren(...table.side_bets.map((one) => side(one, table.currency)));
    this.#part("sides").dataset.count = String(table.side_bets.length);
    this.#part("notice").hidden = table.notice === null;
    this.#part("notice").textContent = table.notice ?? "";
  }
}

function side(bet, currency) {
  const between = bet.minimum === null && bet.maximum === null ? "" : limits(bet, currency);
  const where = bet.per === "table" ? " in all" : "";
  const rows = bet.pays.map(({ words, odds }) =>
    made("tr", {}, made("th", { scope: "row" }, words === bet.name ? "Pays" : words), made("td", {}, odds)));
  return made("article", { class: "side" },
    made("h2", {}, bet.name),
    made("table", {}, made("tbody", {}, ...rows)),
    between ? made("p", { class: "small" }, `${between}${where}`) : "");
}

function made(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

new PitTableDisplay(document.querySelector("main.pit-table"));
