// The profile of the jurisdiction: what it asks, by which paragraph, and what is tightened or loosened here.

import { chip, grid, h } from "./dom.js";
import { words } from "./format.js";

const spoken = (value, unit) => (value === null ? "none" : `${words(String(value))}\u00a0${unit}`.trim());
const STANDINGS = { tightened: "good", loosened: "warn" };

export function profilePanel(told, link) {
  const settings = new Map(told.settings.map((one) => [one.setting, one]));
  const here = told.differences.filter((one) => one.link === null || one.link === link.id);
  const confirmed = told.settings.filter((one) => one.confirmed).length;
  return h("section.panel", { "aria-labelledby": "profile-title", "data-key": "profile" },
    h("h2", { id: "profile-title" }, "Profile ", h("span.soft", {}, `${told.name}: ${told.title}`)),
    grid("What is otherwise here than in the profile", ["Setting", "Profile", "Here", "Standing", "Reason"], here.map((one) => difference(one, settings.get(one.setting))), { empty: "Everything is as the profile asks." }),
    h("details", {}, h("summary", {}, `All values with their paragraphs; ${confirmed} of ${told.settings.length} are confirmed`),
      grid("The profile's values", ["Setting", "Value", "Paragraph"], told.settings.map(setting))));
}

function difference(one, { what, unit }) {
  const reason = one.standing === "loosened" ? (one.reason ?? "Changed by two people: see the journal.") : "";
  return { key: one.setting, cells: [[what, h("span.under", {}, one.setting)], spoken(one.asked, unit), spoken(one.given, unit), chip(one.standing, STANDINGS[one.standing]), reason] };
}

function setting({ setting: key, what, value, unit, scope, paragraph, confirmed, note }) {
  return {
    key,
    cells: [[what, scope === "always" ? null : h("span.under", {}, key)], spoken(value, unit), [paragraph, confirmed ? null : chip("not confirmed", "warn"), h("span.under", {}, note)]],
  };
}

/** When seed, rates and ceiling may change here: closed, next_reset or either. */
export function changesWhen(told) {
  const otherwise = told.differences.find((one) => one.setting === "changes_when");
  return otherwise?.given ?? told.settings.find((one) => one.setting === "changes_when").value;
}
