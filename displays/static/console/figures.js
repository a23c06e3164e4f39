// How the meter went, what each table brought, and the wins of a time, also for a spreadsheet.

import { t } from "../catalogue.js";
import { download, get, houseNow } from "./api.js";
import { bar, meterChart } from "./chart.js";
import { acts, button, grid, h, show } from "./dom.js";
import { amount, minorOf, instantOf, money, sentence, time, words } from "./format.js";
import { pitFigures } from "./pit_figures.js";
import { linkPath, page, refresh, start, state, tell } from "./shell.js";

const HOUR = 3600 * 1000;
const SPANS = { hour: [t("Last hour"), HOUR], day: [t("Last 24 hours"), 24 * HOUR], week: [t("Last 7 days"), 7 * 24 * HOUR], own: [t("From … to …"), null] };
const chosen = { span: "hour", from: "", to: "" };

function asked() {
  if (chosen.span === "own") return { from: instantOf(chosen.from), to: instantOf(chosen.to) };
  return { from: new Date(houseNow() - SPANS[chosen.span][1]).toISOString() };
}

async function read(link) {
  const query = asked();
  if (link.pit) return readPit(link, query);
  const [curve, report] = await Promise.all([get(linkPath("history"), { ...query, points: 240 }), get(linkPath("report"), query)]).catch((error) => [error, null]);
  if (report === null) return show(page, choice(), h("p.problem", { role: "alert" }, curve.sentence ?? String(curve)));
  return show(page, choice(),
    h("section.panel", { "aria-labelledby": "meter-title", "data-key": "meter" }, h("h2", { id: "meter-title" }, t("The meter")), chart(curve), movements(report, link)),
    h("section.panel", { "aria-labelledby": "tables-title", "data-key": "tables" }, h("h2", { id: "tables-title" }, t("Contributions by table")), contributions(report, link)),
    h("section.panel", { "aria-labelledby": "wins-title", "data-key": "wins" }, h("h2", { id: "wins-title" }, t("Wins paid and closed")), wins(report, link),
      h("div.buttons", {}, button(t("Download report as CSV"), "csv", ""))));
}

async function readPit(pit, query) {
  const report = await get(linkPath("report"), query).catch((error) => error);
  if (report instanceof Error) return show(page, choice(), h("p.problem", { role: "alert" }, report.sentence ?? String(report)));
  return show(page, choice(), pitFigures(report, pit),
    h("div.buttons", { "data-key": "csv" }, button(t("Download report as CSV"), "csv", "")));
}

function choice() {
  const own = chosen.span === "own";
  return h("form.filters", { id: "filters", "data-key": "filters" },
    h("div.field", {}, h("label", { for: "span" }, t("Period")), h("select", { id: "span", name: "span" }, Object.entries(SPANS).map(([value, [text]]) => h("option", { value, selected: value === chosen.span }, text)))),
    h("div.field", { hidden: !own }, h("label", { for: "from" }, t("From")), h("input", { id: "from", name: "from", type: "datetime-local" })),
    h("div.field", { hidden: !own }, h("label", { for: "to" }, t("To")), h("input", { id: "to", name: "to", type: "datetime-local" })));
}

function chart(curve) {
  if (curve.points.length < 2) return h("p.empty", {}, t("No activity in this period."));
  const values = curve.points.map((one) => one.value);
  const range = t("Between {least} and {most}. The axis does not begin at zero.", { least: money(Math.min(...values), state.link.currency), most: money(Math.max(...values), state.link.currency) });
  return h("div.drawing", {}, h("p.soft", {}, range), meterChart(curve, Math.max(480, page.clientWidth - 40)));
}

function movements({ meter }, link) {
  const rows = meter.movements.map((one) => ({ key: one.kind, cells: [sentence(words(one.kind.replace(/\B[A-Z]/g, " $&").toLowerCase())), one.count, amount(minorOf(one.units), link.currency)] }));
  return h("details", {}, h("summary", {}, t("What changed the meter: {opening} at the start of the period, {closing} at its end", { opening: money(minorOf(meter.opening_units), link.currency), closing: money(minorOf(meter.closing_units), link.currency) })),
    grid(t("What changed the meter"), [t("Cause"), `#${t("Count")}`, `#${link.currency}`], rows, { empty: t("Nothing changed it.") }));
}

function contributions({ contributions: told }, link) {
  const said = (minor) => amount(minor, link.currency);
  const most = Math.max(0, ...told.map((one) => Number(one.pool_units)));
  return grid(t("Contributions by table"), [t("Table"), `#${t("Rounds")}`, `#${t("Bets")}`, `#${t("Wagered")}`, `#${t("To the pool")}`, t("Compared"), `#${t("Reserve")}`, `#${t("House")}`, `#${t("Minors paid")}`, `#${t("Majors paid")}`], told.map((one) => ({
    key: one.table,
    cells: [one.table, one.rounds, one.bets, said(one.wagered), said(minorOf(one.pool_units)), bar(Number(one.pool_units), most), said(minorOf(one.reserve_units)), said(minorOf(one.house_units)), said(one.minors), said(one.majors)],
  })), { empty: t("No table played in this period. Amounts are in {currency}.", { currency: link.currency }) });
}

function wins({ wins: told }, link) {
  return grid(t("Wins paid and closed"), [t("Win"), t("Outcome"), `#${t("Amount")}`, t("Time"), `#${t("Entry")}`], told.map((one) => ({
    key: one.sequence, cells: [one.id, sentence(words(one.kind.replace(/\B[A-Z]/g, " $&").toLowerCase())), money(one.amount, link.currency), time(one.at, { date: true }), one.sequence],
  })), { empty: t("No wins in this period.") });
}

if (page) {
  page.addEventListener("change", (event) => {
    if (!(event.target.name in chosen)) return;
    chosen[event.target.name] = event.target.value;
    refresh();
  });
  page.addEventListener("submit", (event) => event.preventDefault());
  acts(page, { csv: () => download(linkPath("report"), asked(), `${state.link.id}-report.csv`).catch((error) => tell(error.sentence, "bad")) });
  start(read, { every: 15_000 });
  addEventListener("resize", refresh);
}
