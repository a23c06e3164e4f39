// The journal: every fact, the latest first; by kind, table, time and text.

import { t, translated, woven } from "../catalogue.js";
import { download, get } from "./api.js";
import { acts, button, grid, h, show } from "./dom.js";
import { factName, instantOf, money, time } from "./format.js";
import { kinds, linkPath, page, refresh, roundLink, start, state, tell } from "./shell.js";

const LIMIT = 50;
const chosen = { kind: "", table: "", says: "", from: "", to: "", before: "" };
const earlier = [];
let tables = { of: null, list: [] };

const query = () => ({ order: "latest", limit: LIMIT, kind: chosen.kind, table: chosen.table, says: chosen.says.trim(), from: instantOf(chosen.from), to: instantOf(chosen.to), before: chosen.before });

async function read(link) {
  if (tables.of !== link.id) tables = { of: link.id, list: (await get(linkPath("tables"))).tables };
  const told = await get(linkPath("journal"), query()).catch((error) => error);
  show(page, filters(),
    told.entries ? h("section.panel", { "aria-labelledby": "entries-title", "data-key": "entries" }, h("h2", { id: "entries-title" }, t("Entries"), " ", h("span.soft", {}, t("{count} in all", { count: link.sequence }))), entries(told, link)) : h("p.problem", { role: "alert" }, told.sentence ?? String(told)));
}

function filters() {
  const choice = (name, label, options) => h("div.field", {}, h("label", { for: name }, label), h("select", { id: name, name }, [["", t("All")], ...options].map(([value, text]) => h("option", { value }, text))));
  const input = (name, label, type) => h("div.field", {}, h("label", { for: name }, label), h("input", { id: name, name, type, maxlength: type === "search" ? 80 : null }));
  return h("form.filters", { role: "search", "aria-label": t("Journal"), "data-key": "filters" },
    input("says", t("Text"), "search"), choice("kind", t("Kind"), kinds.map((kind) => [kind, factName(kind)])), choice("table", t("Table"), tables.list.map((one) => [one.id, one.id])), input("from", t("From"), "datetime-local"), input("to", t("To"), "datetime-local"));
}

function entries({ entries: found, next }, link) {
  const heads = [`#${t("Entry")}`, t("Time"), t("What"), ...(link.pit ? [] : [`#${t("Meter")}`]), t("Content")];
  return [
    grid(t("Entries of the journal"), heads, found.map((one) => ({
      key: one.sequence,
      cells: [one.sequence, time(one.at, { digits: 3, date: true }), [factName(one.kind), one.table ? h("span.under", {}, one.table, one.round === null ? null : [", ", roundLink(one.table, one.round, t("round {round}", { round: one.round }))]) : null], ...(link.pit ? [] : [money(one.value, link.currency)]), content(one)],
    })), { empty: next ? t("No match in the entries searched so far. Press Older to search further back.") : t("No entry matches."), kind: "journal" }),
    h("div.buttons", {}, button(t("Download this page as CSV"), "csv", ""), earlier.length ? button(t("Newer"), "later", "") : null, next ? button(t("Older"), "earlier", next) : null),
  ];
}

function content(one) {
  return h("details", {}, h("summary", {}, brief(one.entry.fact)), h("pre", {}, JSON.stringify(one.entry.fact, (_key, value) => (typeof value === "bigint" ? value.toString() : value), 2)), h("p", {}, t("Hash"), " ", h("code", {}, one.hash)));
}

const NAMED = { win: t("win|its id"), claim: t("claim|its id"), malfunction: t("malfunction|its id"), proposal: t("proposal|its id"), person: t("person"), by: t("by"), reason: t("reason"), amount: t("amount"), irregularity: t("irregularity") };

/** An id keeps its underlines. */
function codeOrText(value) {
  const spaced = String(value).replace(/_/g, " ");
  const said = translated(spaced);
  return said === spaced ? String(value) : said;
}

function brief(fact) {
  const named = Object.keys(NAMED).filter((name) => typeof fact[name] === "string" || typeof fact[name] === "number");
  return named.map((name) => `${NAMED[name]} ${codeOrText(fact[name])}`).join(", ").slice(0, 90) || t("Show");
}

function turn(name, value) {
  chosen[name] = value;
  if (name !== "before") {
    chosen.before = "";
    earlier.length = 0;
  }
  refresh();
}

if (page) {
  page.addEventListener("input", (event) => event.target.name in chosen && turn(event.target.name, event.target.value));
  page.addEventListener("submit", (event) => event.preventDefault());
  acts(page, {
    earlier: (next) => {
      earlier.push(chosen.before);
      turn("before", next);
    },
    later: () => turn("before", earlier.pop() ?? ""),
    csv: () => download(linkPath("journal"), query(), `${state.link.id}-journal.csv`).catch((error) => tell(error.sentence, "bad")),
  });
  start(read, { every: 10_000 });
}
