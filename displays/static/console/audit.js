// The audit: who did what, allowed or refused.

import { t, translated } from "../catalogue.js";
import { download, get } from "./api.js";
import { acts, button, chip, grid, h, show } from "./dom.js";
import { instantOf, time, words } from "./format.js";
import { page, refresh, start, tell } from "./shell.js";

const LIMIT = 50;
const chosen = { from: "", to: "", after: "" };
const later = [];

const query = () => ({ limit: LIMIT, from: instantOf(chosen.from), to: instantOf(chosen.to), after: chosen.after });

async function read() {
  const told = await get("/v1/audit", query()).catch((error) => error);
  show(page, filters(), told.acts ? h("section.panel", { "aria-labelledby": "acts-title", "data-key": "acts" }, h("h2", { id: "acts-title" }, t("Actions, latest first")), table(told)) : h("p.problem", { role: "alert" }, told.sentence ?? String(told)));
}

function filters() {
  const input = (name, label) => h("div.field", {}, h("label", { for: name }, label), h("input", { id: name, name, type: "datetime-local" }));
  return h("form.filters", { "aria-label": t("Audit"), "data-key": "filters" }, input("from", t("From")), input("to", t("To")));
}

function table({ acts: found, next }) {
  return [
    grid(t("Actions"), [t("Time"), t("Who"), t("Action"), t("Outcome"), t("Details")], found.map((one) => ({
      key: one.id,
      cells: [time(one.at, { digits: 3, date: true }), [h("strong", {}, translated(one.actor)), one.detail.person && one.detail.person !== one.actor ? h("span.under", {}, one.detail.person) : null], words(one.act), chip(words(one.outcome), one.outcome === "allowed" ? "good" : "bad"), detail(one.detail)],
    })), { empty: t("No actions recorded.") }),
    h("div.buttons", {}, button(t("Download this page as CSV"), "csv", ""), later.length ? button(t("Newer"), "later", "") : null, next ? button(t("Older"), "earlier", next) : null),
  ];
}

function detail(told) {
  return h("details", {}, h("summary", {}, told.path ?? told.why ?? t("Show")), h("pre", {}, JSON.stringify(told, null, 2)));
}

if (page) {
  page.addEventListener("change", (event) => {
    if (!(event.target.name in chosen)) return;
    chosen[event.target.name] = event.target.value;
    chosen.after = "";
    later.length = 0;
    refresh();
  });
  acts(page, {
    earlier: (next) => {
      later.push(chosen.after);
      chosen.after = next;
      refresh();
    },
    later: () => {
      chosen.after = later.pop() ?? "";
      refresh();
    },
    csv: () => download("/v1/audit", query(), "audit.csv").catch((error) => tell(error.sentence, "bad")),
  });
  start(read);
}
