// Deal intervals on a time line: what the clocks can tell of when each hand was dealt.

import { svg } from "./dom.js";
import { clock, microsOf, span } from "./format.js";

const ROW = 34;
const LEFT = 132;
const RIGHT = 24;
const AXIS = 30;
const SMALLEST = 4;

export function timeline(wins, tables, width) {
  const spans = wins.map((win) => ({ win, from: microsOf(win.interval.from), to: microsOf(win.interval.to) }));
  const scale = scaleOf(spans, width);
  const height = ROW * (wins.length + 1) + AXIS;
  return svg("svg", { class: "timeline", width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": spoken(spans) },
    axis(scale, height, width),
    spans.map((one, index) => bar(one, index, scale)),
    marks(tables, wins, scale, ROW * wins.length));
}

function spoken(spans) {
  const each = spans.map(({ win, from, to }) => `${win.position}, ${win.table}, within ${span(to - from)} from ${clock(win.interval.from, { digits: 3 })}`);
  return `Deal intervals in house time: ${each.join("; ")}.`;
}

function scaleOf(spans, width) {
  const first = Math.min(...spans.map((one) => one.from));
  const last = Math.max(...spans.map((one) => one.to));
  const margin = Math.max(1000, (last - first) * 0.12);
  const [start, end] = [first - margin, last + margin];
  const at = (micros) => LEFT + ((Math.min(end, Math.max(start, micros)) - start) / (end - start)) * (width - LEFT - RIGHT);
  return { start, end, at };
}

function axis({ start, end, at }, height, width) {
  const digits = end - start < 100_000 ? 6 : 3;
  const ticks = Math.max(2, Math.floor((width - LEFT) / (digits === 6 ? 230 : 190)));
  return svg("g", { class: "axis" }, Array.from({ length: ticks + 1 }, (_, index) => {
    const micros = start + ((end - start) * index) / ticks;
    const x = at(micros);
    const instant = new Date(Math.floor(micros / 1000)).toISOString().replace(/\.\d+Z/, `.${String(Math.floor(micros % 1_000_000)).padStart(6, "0")}Z`);
    const anchor = index === 0 ? "start" : index === ticks ? "end" : "middle";
    return [svg("line", { x1: x, x2: x, y1: 4, y2: height - AXIS }), svg("text", { x, y: height - 9, "text-anchor": anchor }, clock(instant, { digits }))];
  }));
}

function bar({ win, from, to }, index, { at }) {
  const wide = Math.max(SMALLEST, at(to) - at(from));
  const x = at(from) - (wide - (at(to) - at(from))) / 2;
  const y = index * ROW + 9;
  return svg("g", { class: win.ambiguous ? "span ambiguous" : "span" },
    svg("text", { x: 4, y: y + 13, class: "name" }, `${win.position}. ${win.table}`),
    svg("rect", { x, y, width: wide, height: ROW - 16, rx: 3 }, svg("title", {}, `${win.id}: ${win.interval.from} to ${win.interval.to}`)));
}

/** Each table's mark: no hand dealt before it can still come from there. */
function marks(tables, wins, { start, end, at }, top) {
  const held = new Set(wins.flatMap((win) => win.waiting_for));
  const known = tables.filter((table) => table.in_play && table.mark !== null).map((table) => ({ table, micros: microsOf(table.mark) }));
  const within = known.filter((one) => one.micros >= start && one.micros <= end);
  return svg("g", { class: "marks" },
    svg("text", { x: 4, y: top + 22, class: "name" }, "Marks"),
    within.map(({ table, micros }) => [
      svg("path", { d: `M${at(micros)} ${top + 9}l6 12h-12z`, class: held.has(table.id) ? "held" : null }, svg("title", {}, `${table.id}: ${table.mark}`)),
      svg("text", { x: at(micros) + 9, y: top + 21 }, table.id),
    ]));
}

/** How far the floor is past the wins in line. */
export function passed(wins, tables) {
  const last = Math.max(...wins.map((win) => microsOf(win.interval.to)));
  const playing = tables.filter((table) => table.in_play);
  const past = playing.filter((table) => table.mark !== null && microsOf(table.mark) > last);
  return `${past.length} of ${playing.length} tables in play are past all of these`;
}
