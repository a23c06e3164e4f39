// When the wins in line were dealt: what the House witnessed, what the tables stamped, and the rounds still open.

import { t } from "../catalogue.js";
import { h, svg } from "./dom.js";
import { clock, microsOf, span } from "./format.js";
import { stampCounts } from "./rests.js";

const ROW = 34;
const LEFT = 184;
const RIGHT = 24;
const AXIS = 28;
const SMALLEST = 4;
const CROWDED = 28;
const LENS_GAP = 26;

/** The whole line, and below it, enlarged, stamps that lie too close together to tell apart. */
export function timeline(wins, tables, width) {
  const deals = wins.map(dealOf);
  const rounds = holding(wins, tables);
  const whole = scaleOf(deals.map((one) => one.witnessed), rounds, width);
  const closeUps = crowds(deals, whole).map((crowd) => ({ crowd, scale: scaleOf(crowd.map((one) => one.stamped), [], width) }));
  const top = ROW * (deals.length + rounds.length) + AXIS;
  const height = closeUps.reduce((sum, { crowd }) => sum + LENS_GAP + ROW * crowd.length + AXIS, top);
  let below = top;
  return svg("svg", { class: "timeline", width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": spoken(deals, rounds) },
    stripes(),
    axis(whole, 0, top, width),
    deals.map((one, index) => bars(one, index * ROW, whole)),
    rounds.map((one, index) => openBar(one, (deals.length + index) * ROW, whole, width)),
    closeUps.map(({ crowd, scale }) => {
      const drawn = closeUp(crowd, scale, whole, below, width);
      below += LENS_GAP + ROW * crowd.length + AXIS;
      return drawn;
    }));
}

/** Without a stamp that counts, a deal is only known to lie within what was witnessed. */
function dealOf(win) {
  return { win, witnessed: spanOf(win.witnessed), stamped: spanOf(win.interval), told: stampCounts(win) };
}

const spanOf = ({ from, to }) => ({ from: microsOf(from), to: microsOf(to) });

function spoken(deals, rounds) {
  const within = (name, { from, to }, first) => t("{name} within {span} from {time}", { name, span: span(to - from), time: clock(first, { digits: 3 }) });
  const deal = ({ win, stamped, witnessed, told }) =>
    `${win.position}, ${win.table}: ${within(t("witnessed"), witnessed, win.witnessed.from)}, ${told ? within(t("stamped"), stamped, win.interval.from) : t("no usable stamp")}`;
  const open = rounds.map(({ table }) => t("round {round} at {table}, open since {time}", { round: table.round.round, table: table.id, time: clock(table.round.journalled_at) }));
  const dealt = t("When the hands were dealt, in house time: {deals}.", { deals: deals.map(deal).join("; ") });
  return open.length ? `${dealt} ${t("Still open: {rounds}.", { rounds: open.join("; ") })}` : dealt;
}

/** The open rounds of which a hand may have been dealt before a win in line. */
function holding(wins, tables) {
  const awaited = new Set(wins.flatMap((win) => win.waiting_for));
  return tables.filter((table) => awaited.has(table.id) && table.round !== null).map((table) => ({ table, from: microsOf(table.round.journalled_at) }));
}

/** An open round that began long before everything else begins at the left edge. */
function scaleOf(spans, rounds, width) {
  const last = Math.max(...spans.map((one) => one.to));
  const earliest = Math.min(...spans.map((one) => one.from));
  const near = rounds.map((one) => one.from).filter((from) => from > earliest - (last - earliest));
  const first = Math.min(earliest, ...near);
  const margin = Math.max(1000, (last - first) * 0.08);
  const [start, end] = [first - margin, last + margin];
  const at = (micros) => LEFT + ((Math.min(end, Math.max(start, micros)) - start) / (end - start)) * (width - LEFT - RIGHT);
  return { start, end, at };
}

/** Wins of different tables whose stamps lie side by side in a small part of the drawing. */
function crowds(deals, { at, start, end }) {
  const found = [];
  const part = (at(end) - at(start)) / 5;
  const narrow = deals.filter(({ stamped }) => at(stamped.to) - at(stamped.from) < part);
  for (const one of narrow.sort((a, b) => a.stamped.from - b.stamped.from)) {
    const crowd = found.at(-1);
    if (crowd && at(one.stamped.from) - Math.max(...crowd.map((other) => at(other.stamped.to))) < CROWDED) crowd.push(one);
    else found.push([one]);
  }
  const small = (crowd) => at(Math.max(...crowd.map((one) => one.stamped.to))) - at(crowd[0].stamped.from) < part;
  return found.filter((crowd) => new Set(crowd.map((one) => one.win.table)).size > 1 && small(crowd)).slice(0, 2);
}

function axis({ start, end, at }, top, bottom, width) {
  const digits = end - start < 100_000 ? 6 : end - start < 10_000_000 ? 3 : 0;
  const ticks = Math.max(2, Math.floor((width - LEFT) / { 6: 230, 3: 190, 0: 150 }[digits]));
  return svg("g", { class: "axis" }, Array.from({ length: ticks + 1 }, (_, index) => {
    const micros = start + ((end - start) * index) / ticks;
    const x = at(micros);
    const instant = new Date(Math.floor(micros / 1000)).toISOString().replace(/\.\d+Z/, `.${String(Math.floor(micros % 1_000_000)).padStart(6, "0")}Z`);
    const anchor = index === 0 ? "start" : index === ticks ? "end" : "middle";
    return [svg("line", { x1: x, x2: x, y1: top + 4, y2: bottom - AXIS }), svg("text", { x, y: bottom - 9, "text-anchor": anchor }, clock(instant, { digits }))];
  }));
}

function bar({ from, to }, y, height, { at }, kind, title) {
  const wide = Math.max(SMALLEST, at(to) - at(from));
  const x = at(from) - (wide - (at(to) - at(from))) / 2;
  return svg("rect", { class: kind, x, y, width: wide, height, rx: 3 }, svg("title", {}, title));
}

function bars({ win, stamped, witnessed, told }, top, scale, { enlarged = false } = {}) {
  const title = (name, { from, to }) => t("{id}, {name}: {from} to {to}", { id: win.id, name, from, to });
  const middle = (scale.at(witnessed.from) + scale.at(witnessed.to)) / 2;
  return svg("g", { class: win.ambiguous ? "span ambiguous" : "span" },
    svg("text", { x: 4, y: top + 22, class: "name" }, `${win.position}. ${win.table}`),
    enlarged ? null : bar(witnessed, top + 7, ROW - 13, scale, "witnessed", title(t("witnessed"), win.witnessed)),
    told ? bar(stamped, top + 11, ROW - 21, scale, "stamped", title(t("stamped"), win.interval)) : svg("text", { x: middle, y: top + 22, "text-anchor": "middle" }, t("no usable stamp")));
}

/** Its end is not known: it runs to the edge. */
function openBar({ table, from }, top, { at }, width) {
  const since = t("open since {time}", { time: clock(table.round.journalled_at) });
  const x = at(from);
  const late = x > width - RIGHT - 150;
  return svg("g", { class: "open-round" },
    svg("text", { x: 4, y: top + 22, class: "name" }, t("{table}, round {round}", { table: table.id, round: table.round.round })),
    svg("path", { d: `M${x} ${top + 8}H${width - 10}l10 ${(ROW - 14) / 2}l-10 ${(ROW - 14) / 2}H${x}z` }, svg("title", {}, `${t("{table}, round {round}", { table: table.id, round: table.round.round })}: ${since}`)),
    svg("text", { x: late ? x - 8 : x + 8, y: top + 22, "text-anchor": late ? "end" : "start" }, since));
}

function stripes() {
  return svg("defs", {}, svg("pattern", { id: "stripes", width: 8, height: 8, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" }, svg("rect", { width: 8, height: 8 }), svg("line", { x1: 0, y1: 0, x2: 0, y2: 8 })));
}

/** The stamps of a crowd, with lines to where they lie in the whole. */
function closeUp(crowd, scale, whole, top, width) {
  const first = top + LENS_GAP;
  const bottom = first + ROW * crowd.length;
  const from = whole.at(Math.min(...crowd.map((one) => one.stamped.from))) - SMALLEST;
  const to = whole.at(Math.max(...crowd.map((one) => one.stamped.to))) + SMALLEST;
  return svg("g", { class: "close-up" },
    svg("path", { class: "beam", d: `M${from} ${top - AXIS}H${to}L${width - RIGHT} ${first}V${bottom}H${LEFT}V${first}z` }),
    svg("text", { x: 4, y: top + LENS_GAP - 8 }, t("Enlarged")),
    axis(scale, first, bottom + AXIS, width),
    crowd.map((one, index) => bars(one, first + index * ROW, scale, { enlarged: true })));
}

/** Whether a round still open may bring a hand that was dealt before the wins in line. */
export function openBefore(wins) {
  const count = new Set(wins.flatMap((win) => win.waiting_for)).size;
  if (!count) return t("No open round can contain an earlier hand");
  return t("{count} open rounds may contain an earlier hand", { count });
}

export function legend(wins, tables, { parameters }) {
  const later = tables.filter((table) => table.in_play && table.round?.open).length - holding(wins, tables).length;
  const sign = (kind, text) => h("li", {}, h(`span.swatch.${kind}`, { "aria-hidden": "true" }), text);
  const words = [
    sign("witnessed", t("Witnessed: between the bets in the journal and the receipt of the hand")),
    sign("stamped", parameters.order_basis === "witnessed" ? t("Stamped by the table; this link does not order by stamps") : t("Stamped by the table, with the measured error of its clock")),
    holding(wins, tables).length ? sign("open", t("Open round that may contain an earlier hand")) : null,
    later > 0 ? h("li", {}, t("{count} rounds started later: no win waits for them", { count: later })) : null,
  ];
  return h("ul.legend", {}, words.filter(Boolean));
}
