// What waits for a person at all links and pits: in the head of every page and in its title.

import { t } from "../catalogue.js";
import { alertName } from "./alerts.js";
import { announce } from "./announcing.js";
import { withQuery } from "./api.js";
import { h, show } from "./dom.js";
import { ago, handName, words } from "./format.js";

const MATTERS = {
  win: { name: () => t("Wins"), kind: "warn" },
  claim: { name: () => t("Late claims"), kind: "warn" },
  malfunction: { name: () => t("Malfunctions"), kind: "bad" },
  proposal: { name: () => t("Proposals"), kind: "info" },
  alert: { name: () => t("Alerts"), kind: "bad" },
};
const CHANGES = {
  ParameterChange: () => t("other settings"),
  Adjustment: () => t("an adjustment of the meter"),
  LinkOpening: () => t("to open the link"),
  RoyalRejection: () => t("to reject a win of the whole jackpot"),
  HandingOver: () => t("to hand over a win"),
  ClaimDecision: () => t("a decision on a late claim"),
  PoolTransfer: () => t("a transfer"),
  ClockSetting: () => t("to set the house clock"),
  Retirement: () => t("to retire the link"),
};
const place = document.getElementById("attention");
const title = document.title;

/** Where it is shown. */
export const addressOf = (one) => withQuery(`/console/${one.page}`, { link: one.place });

/** In a sentence, without the link or pit. */
export function said(one) {
  if (one.matter === "win") return t("{hand} at {table}", { hand: handName(one.what), table: one.table });
  if (one.matter === "claim") return t("{hand} at {table}, reported late", { hand: handName(one.what), table: one.table });
  if (one.matter === "proposal") return t("{person} proposes {change}", { person: one.detail, change: (CHANGES[one.what] ?? (() => words(one.what)))() });
  if (one.matter === "malfunction") return one.table ? t("Malfunction of table {table}", { table: one.table }) : t("Malfunction of the whole link");
  return one.table ? t("Table {table}: {alert}", { table: one.table, alert: alertName(one.what) }) : alertName(one.what);
}

/** Of `waiting` as the overview tells it; `names` are those of links and pits, by id. */
export function showAttention(waiting, names) {
  const shown = waiting.filter((one) => one.matter in MATTERS);
  document.title = shown.length ? `(${shown.length}) ${title}` : title;
  place.dataset.waiting = String(shown.length);
  show(place, summary(shown), h("div.attention-list", { "data-key": "list" }, shown.length ? Object.keys(MATTERS).map((matter) => group(matter, shown, names)) : h("p.empty", {}, t("Nothing is to be decided at any link or pit."))));
  announce(shown.map((one) => ({ id: one.id, text: said(one), where: names.get(one.place) ?? t("The whole house"), name: MATTERS[one.matter].name(), urgent: one.matter === "win", address: addressOf(one) })));
}

function summary(shown) {
  const counts = Object.entries(MATTERS).map(([matter, { name, kind }]) => [matter, name(), kind, shown.filter((one) => one.matter === matter).length]);
  return h("summary", { "data-key": "summary" },
    h("span.unseen", {}, t("Waiting at all links and pits:")),
    shown.length ? counts.filter(([, , , number]) => number).map(([matter, name, kind, number]) => h(`span.chip.${kind}`, { "data-key": matter, "data-matter": matter }, `${name} `, h("b", {}, String(number)))) : h("span.chip.good", { "data-key": "nothing" }, t("Nothing to decide")));
}

function group(matter, shown, names) {
  const here = shown.filter((one) => one.matter === matter);
  if (!here.length) return null;
  return h("section", { "data-key": matter }, h("h2", {}, MATTERS[matter].name()), h("ul", {}, here.map((one) => item(one, names))));
}

function item(one, names) {
  return h("li", { "data-key": one.id }, h("a", { href: addressOf(one) },
    h("span.attention-what", {}, said(one)),
    h("span.under", {}, [names.get(one.place) ?? t("The whole house"), ago(one.since), one.matter === "alert" ? one.detail : null].filter(Boolean).join(" · "))));
}

/** A click elsewhere, or Escape, closes it. */
for (const menu of document.querySelectorAll(".bar details")) {
  document.addEventListener("click", (event) => menu.contains(event.target) || menu.removeAttribute("open"));
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    menu.removeAttribute("open");
    menu.querySelector("summary").focus();
  });
}
