// All links and pits at a glance: what waits first, then by name. Everything leads to the page that shows it.

import { t } from "../catalogue.js";
import { get, houseNow, path, withQuery } from "./api.js";
import { spark, steps } from "./chart.js";
import { chip, h, show } from "./dom.js";
import { money } from "./format.js";
import { page, start, state } from "./shell.js";

const CHARTS_EVERY = 60_000;
const SOON = 3_000; // while the journals are still being read
const MANY = 24;
const STATES = {
  open: () => [t("Open"), "good"],
  held: () => [t("Held"), "warn"],
  off: () => [t("Off"), "bad"],
  closed: () => [t("Closed"), "bad"],
};
const WAITING = [
  ["wins", "wins", "warn", () => t("Wins")],
  ["claims", "claims", "warn", () => t("Late claims")],
  ["handovers", "payouts", "info", () => t("To hand over")],
  ["proposals", "changes", "info", () => t("Proposals")],
  ["malfunctions", "malfunctions", "bad", () => t("Malfunctions")],
  ["alerts", "floor", "bad", () => t("Alerts")],
];
const charts = { days: new Map(), until: 0 };

async function read() {
  if (houseNow() >= charts.until) await readCharts();
  const places = [...state.links, ...state.pits];
  show(page,
    totals(places),
    places.length ? h("ul.places", { "data-key": "places", "data-many": String(places.length > MANY) }, places.toSorted(byNeed).map(tile)) : h("p.empty", {}, t("No link and no pit is set up.")));
}

async function readCharts() {
  const { places, complete } = await get(path("overview", "last-day"));
  charts.days = new Map(places.map((one) => [one.id, one]));
  charts.until = houseNow() + (complete ? CHARTS_EVERY : SOON);
}

const need = (one) => (one.stopped ? 3 : one.waiting.wins + one.waiting.claims > 0 ? 2 : Object.values(one.waiting).some(Boolean) ? 1 : 0);
const byNeed = (one, other) => need(other) - need(one) || Number(one.pit) - Number(other.pit) || one.name.localeCompare(other.name);
const sum = (places, figure) => places.reduce((total, one) => total + figure(one), 0);

function totals(places) {
  const figures = [
    ...WAITING.map(([key, , kind, name]) => [key, name(), String(sum(places, (one) => one.waiting[key])), kind, sum(places, (one) => one.waiting[key])]),
    ["silent", t("Silent tables"), String(sum(places, (one) => one.silent)), "bad", sum(places, (one) => one.silent)],
    ["playing", t("Tables in play"), `${sum(places, (one) => one.in_play)} / ${sum(places, (one) => one.tables)}`, "", 0],
  ];
  return h("section", { "data-key": "totals", "aria-label": t("All links and pits together") }, h("dl.totals", {},
    figures.map(([key, name, text, kind, number]) => h(`div${number ? `.${kind}` : ""}`, { "data-key": key, "data-total": key }, h("dt", {}, name), h("dd.figures", {}, text)))));
}

const leads = (name, one) => withQuery(`/console/${name}`, { link: one.id });

function tile(one) {
  const day = charts.days.get(one.id);
  return h("li.place", { "data-key": one.id, "data-place": one.id, "data-need": need(one) },
    h("div.place-head", {}, h("h2", {}, h("a", { href: leads("floor", one) }, one.name)), stateOf(one)),
    h("a.place-day", { href: leads("figures", one), "aria-label": t("Figures of {name}", { name: one.name }) },
      one.pit ? null : h("p.place-value.figures", {}, money(one.value, one.currency)),
      day && !one.pit ? meterOf(day, one) : null,
      day ? roundsOf(day) : h("p.soft", {}, t("The last day is being read …"))),
    waitingOf(one),
    h("p.place-tables", {}, h("a", { href: leads("floor", one) }, t("{count} of {all} tables in play", { count: one.in_play, all: one.tables })), one.silent ? h("span.bad", {}, t("{count} silent", { count: one.silent })) : null));
}

function stateOf(one) {
  if (one.stopped) return h("span", { title: one.stopped }, chip(t("Stopped"), "bad"));
  if (one.pit) return chip(t("Pit"));
  const [text, kind] = (STATES[one.state] ?? (() => [one.state, ""]))();
  return chip(text, kind);
}

function meterOf({ values }, { value, currency }) {
  const shown = [...values.slice(0, -1), value];
  const known = shown.filter((one) => one !== null);
  const label = t("The meter in the last 24 hours: from {first} to {last}, lowest {least}, highest {most}", {
    first: money(known[0], currency), last: money(value, currency), least: money(Math.min(...known), currency), most: money(Math.max(...known), currency),
  });
  return spark(shown, label);
}

function roundsOf({ rounds }) {
  const all = sum(rounds, (one) => one);
  return [steps(rounds, t("Rounds in the last 24 hours, by half hour: {count} in all", { count: all })), h("p.place-rounds", {}, t("{count} rounds in 24 hours", { count: all }))];
}

function waitingOf(one) {
  const here = WAITING.filter(([key]) => one.waiting[key]);
  return h("ul.place-waiting", {}, here.length
    ? here.map(([key, where, kind, name]) => h("li", { "data-key": key }, h(`a.chip.${kind}`, { href: leads(where, one), "data-waiting": key }, `${name()} `, h("b", {}, String(one.waiting[key])))))
    : h("li", { "data-key": "nothing" }, h("span.soft", {}, t("Nothing waiting"))));
}

start(read, { everywhere: true });
