// The profile of the jurisdiction: what it asks, by which paragraph, and what is tightened or loosened here.

import { t, translated } from "../catalogue.js";
import { chip, grid, h } from "./dom.js";
import { words } from "./format.js";

const spoken = (value, unit) => (value === null ? t("none") : `${words(String(value))}\u00a0${translated(unit)}`.trim());
const STANDINGS = { tightened: "good", loosened: "warn" };

export function profilePanel(told, link) {
  const settings = new Map(told.settings.map((one) => [one.setting, one]));
  const here = told.differences.filter((one) => one.link === null || one.link === link.id);
  const confirmed = told.settings.filter((one) => one.confirmed).length;
  return h("section.panel", { "aria-labelledby": "profile-title", "data-key": "profile" },
    h("h2", { id: "profile-title" }, t("Profile"), " ", h("span.soft", {}, `${told.name}: ${translated(told.title)}`)),
    grid(t("What is otherwise here than in the profile"), [t("Setting"), t("Profile"), t("Here"), t("Standing"), t("Reason")], here.map((one) => difference(one, settings.get(one.setting))), { empty: t("Everything is as the profile asks.") }),
    h("details", {}, h("summary", {}, t("All values with their paragraphs; {confirmed} of {all} are confirmed", { confirmed, all: told.settings.length })),
      grid(t("The profile's values"), [t("Setting"), t("Value"), t("Paragraph")], told.settings.map(setting))));
}

function difference(one, { what, unit }) {
  const reason = one.standing === "loosened" ? (one.reason ?? t("Changed by two people: see the journal.")) : "";
  return { key: one.setting, cells: [[translated(what), h("span.under", { translate: "no" }, one.setting)], spoken(one.asked, unit), spoken(one.given, unit), chip(words(one.standing), STANDINGS[one.standing]), reason] };
}

function setting({ setting: key, what, value, unit, scope, paragraph, confirmed, note }) {
  return {
    key,
    cells: [[translated(what), scope === "always" ? null : h("span.under", { translate: "no" }, key)], spoken(value, unit), [paragraph, confirmed ? null : chip(t("not confirmed"), "warn"), h("span.under", {}, translated(note))]],
  };
}

/** When seed, rates and ceiling may change here: closed, next_reset or either. */
export function changesWhen(told) {
  const otherwise = told.differences.find((one) => one.setting === "changes_when");
  return otherwise?.given ?? told.settings.find((one) => one.setting === "changes_when").value;
}
