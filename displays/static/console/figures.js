// How the meter went, what each table brought, and the wins of a time, also for a spreadsheet.

import { download, get, houseNow } from "./api.js";
import { bar, meterChart } from "./chart.js";
import { acts, button, grid, h, show } from "./dom.js";
import { amount, minorOf, instantOf, money, sentence, time, words } from "./format.js";
import { pitFigures } from "./pit_figures.js";
import { linkPath, page, refresh, start, state, tell } from "./shell.js";

const HOUR = 3600 * 1000;
const SPANS = { hour: ["Last hour", HOUR], day: ["Last 24 hours", 24 * HOUR], week: ["Last 7 days", 7 * 24 * HOUR], own: ["From … to …", null] };
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
    h("section.panel", { "aria-labelledby": "meter-title", "data-key": "meter" }, h("h2", { id: "meter-title" }, "The meter"), chart(curve), movements(report, link)),
    h("section.panel", { "aria-labelledby": "tables-title", "data-key": "tables" }, h("h2", { id: "tables-title" }, "Contributions by table"), contributions(report, link)),
    h("section.panel", { "aria-labelledby": "wins-title", "data-key": "wins" }, h("h2", { id: "wins-title" }, "Wins paid and closed"), wins(report, link),
      h("div.buttons", {}, button("Download report as CSV", "csv", ""))));
}

async function readPit(pit, query) {
  const report = await get(linkPath("report"), query).catch((error) => error);
  if (report instanceof Error) return show(page, choice(), h("p.problem", { role: "alert" }, report.sentence ?? String(report)));
  return show(page, choice(), pitFigures(report, pit),
    h("div.buttons", { "data-key": "csv" }, button("Download report as CSV", "csv", "")));
}

function choice() {
  const own = chosen.span === "own";
  return h("form.filters", { id: "filters", "data-key": "filters" },
    h("div.field", {}, h("label", { for: "span" }, "Period"), h("select", { id: "span", name: "span" }, Object.entries(SPANS).map(([value, [text]]) => h("option", { value, selected: value === chosen.span }, text)))),
    h("div.field", { hidden: !own }, h("label", { for: "from" }, "From"), h("input", { id: "from", name: "from", type: "datetime-local" })),
    h("div.field", { hidden: !own }, h("label", { for: "to" }, "To"), h("input", { id: "to", name: "to", type: "datetime-local" })));
}

function chart(curve) {
  if (curve.points.length < 2) return h("p.empty", {}, "No activity in this period.");
  const values = curve.points.map((one) => one.value);
  const range = `Between ${money(Math.min(...values), state.link.currency)} and ${money(Math.max(...values), state.link.currency)}. The axis does not begin at zero.`;
  return h("div.drawing", {}, h("p.soft", {}, range), meterChart(curve, Math.max(480, page.clientWidth - 40)));
}

function movements({ meter }, link) {
  const rows = meter.movements.map((one) => ({ key: one.kind, cells: [sentence(words(one.kind.replace(/\B[A-Z]/g, " $&").toLowerCase())), one.count, amount(minorOf(one.units), link.currency)] }));
  return h("details", {}, h("summary", {}, `What changed the meter: ${money(minorOf(meter.opening_units), link.currency)} at the start of the period, ${money(minorOf(meter.closing_units), link.currency)} at its end`),
    grid("What changed the meter", ["Cause", "#Count", `#${link.currency}`], rows, { empty: "Nothing changed it." }));
}

function contributions({ contributions: told }, link) {
  const said = (minor) => amount(minor, link.currency);
  const most = Math.max(0, ...told.map((one) => Number(one.pool_units)));
  return grid("Contributions by table", ["Table", "#Rounds", "#Bets", "#Wagered", "#To the pool", "Compared", "#Reserve", "#House", "#Minors paid", "#Majors paid"], told.map((one) => ({
    key: one.table,
    cells: [one.table, one.rounds, one.bets, said(one.wagered), said(minorOf(one.pool_units)), bar(Number(one.pool_units), most), said(minorOf(one.reserve_units)), said(minorOf(one.house_units)), said(one.minors), said(one.majors)],
  })), { empty: `No table played in this period. Amounts are in ${link.currency}.` });
}

function wins({ wins: told }, link) {
  return grid("Wins paid and closed", ["Win", "Outcome", "#Amount", "Time", "#Entry"], told.map((one) => ({
    key: one.sequence, cells: [one.id, sentence(words(one.kind.replace(/\B[A-Z]/g, " $&").toLowerCase())), money(one.amount, link.currency), time(one.at, { date: true }), one.sequence],
  })), { empty: "No wins in this period." });
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
