// Charts of our own: the meter over time, and bars beside figures.

import { t } from "../catalogue.js";
import { svg } from "./dom.js";
import { amount, clock, day } from "./format.js";

const LEFT = 96;
const RIGHT = 16;
const TOP = 14;
const BOTTOM = 34;

/** As play went, and as it would have gone. */
export const SIDES = { then: t("then"), so: t("so") };

/** Round figures between two values, at most `count` of them. */
function ticks(low, high, count) {
  const rough = (high - low) / count || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((one) => one * power).find((one) => one >= rough) ?? rough;
  const first = Math.ceil(low / step) * step;
  return Array.from({ length: Math.floor((high - first) / step) + 1 }, (_, index) => first + index * step);
}

export function meterChart({ points, from, to, currency }, width, height = 300) {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  const values = points.map((one) => one.value);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const room = Math.max(100, (most - least) * 0.08);
  const [low, high] = [Math.max(0, least - room), most + room];
  const x = (instant) => LEFT + ((Math.min(end, Math.max(start, Date.parse(instant))) - start) / Math.max(1, end - start)) * (width - LEFT - RIGHT);
  const y = (value) => TOP + ((high - value) / Math.max(1, high - low)) * (height - TOP - BOTTOM);
  const line = points.map((one, index) => `${index ? `H${x(one.at).toFixed(1)}V` : `M${x(one.at).toFixed(1)} `}${y(one.value).toFixed(1)}`).join("");
  const right = (width - RIGHT).toFixed(1);
  return svg("svg", { class: "chart", width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": t("The meter from {first} to {last}; lowest {least}, highest {most}", { first: amount(values[0], currency), last: amount(values.at(-1), currency), least: amount(least, currency), most: amount(most, currency) }) },
    ticks(low, high, 5).map((value) => svg("g", { class: "axis" }, svg("line", { x1: LEFT, x2: width - RIGHT, y1: y(value), y2: y(value) }), svg("text", { x: LEFT - 10, y: y(value) + 4, "text-anchor": "end" }, amount(Math.round(value), currency)))),
    timeTicks(start, end, width).map(([at, text, anchor]) => svg("text", { class: "axis-text", x: LEFT + ((at - start) / Math.max(1, end - start)) * (width - LEFT - RIGHT), y: height - 10, "text-anchor": anchor }, text)),
    svg("path", { class: "line", d: `${line}H${right}` }),
    points.filter((one) => one.kind === "WinPaid").map((one) => svg("circle", { class: "paid", cx: x(one.at), cy: y(one.value), r: 5 }, svg("title", {}, t("A win was paid at {at}; the meter then showed {value}", { at: one.at, value: amount(one.value, currency) })))));
}

/** Where a bet begins to favour its player, if that is near what the meters showed. */
export function evenShown({ curve, then, so }) {
  const near = 1.15 * Math.max(...curve.map((one) => Math.max(one.then, one.so)));
  return [...new Set([then.break_even, so.break_even])].filter((even) => even <= near);
}

/** Two meters over one time, and break-even. */
export function comparedChart(told, width, height = 340) {
  const { curve, from, to, payments, currency } = told;
  const [start, end] = [Date.parse(from), Date.parse(to)];
  const values = curve.flatMap((one) => [one.then, one.so]);
  const evens = evenShown(told);
  const [least, most] = [Math.min(...values), Math.max(...values, ...evens)];
  const room = Math.max(100, (most - least) * 0.08);
  const [low, high] = [Math.max(0, least - room), most + room];
  const x = (instant) => LEFT + ((Date.parse(instant) - start) / Math.max(1, end - start)) * (width - LEFT - RIGHT);
  const y = (value) => TOP + ((high - value) / Math.max(1, high - low)) * (height - TOP - BOTTOM);
  const line = (side) => curve.map((one, index) => `${index ? `H${x(one.at).toFixed(1)}V` : `M${x(one.at).toFixed(1)} `}${y(one[side]).toFixed(1)}`).join("");
  const paid = (side) => payments.filter((one) => one[side]?.reading != null).map((one) => svg("circle", { class: `paid ${side}`, cx: x(one[side].at), cy: y(one[side].reading), r: one[side].percent === 100 ? 5 : 3.5 }, svg("title", {}, `${one.win}: ${amount(one[side].amount, currency)}, ${SIDES[side]}`)));
  return svg("svg", { class: "chart compared", width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": t("The meter at the end: {then} then, {so} so", { then: amount(curve.at(-1).then, currency), so: amount(curve.at(-1).so, currency) }) },
    ticks(low, high, 5).map((value) => svg("g", { class: "axis" }, svg("line", { x1: LEFT, x2: width - RIGHT, y1: y(value), y2: y(value) }), svg("text", { x: LEFT - 10, y: y(value) + 4, "text-anchor": "end" }, amount(Math.round(value), currency)))),
    timeTicks(start, end, width).map(([at, text, anchor]) => svg("text", { class: "axis-text", x: LEFT + ((at - start) / Math.max(1, end - start)) * (width - LEFT - RIGHT), y: height - 10, "text-anchor": anchor }, text)),
    evens.map((even) => svg("line", { class: "even", x1: LEFT, x2: width - RIGHT, y1: y(even), y2: y(even) })),
    ["then", "so"].map((side) => [svg("path", { class: `line ${side}`, d: line(side) }), paid(side)]));
}

function timeTicks(start, end, width) {
  const count = Math.max(2, Math.floor(width / 220));
  const long = end - start > 2 * 24 * 3600 * 1000;
  return Array.from({ length: count + 1 }, (_, index) => {
    const at = start + ((end - start) * index) / count;
    const instant = new Date(at).toISOString();
    return [at, long ? day(instant) : clock(instant), index === 0 ? "start" : index === count ? "end" : "middle"];
  });
}

export function bar(value, most) {
  const wide = most > 0 ? (100 * value) / most : 0;
  return svg("svg", { class: "bar-chart", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" }, svg("rect", { width: Math.max(0, wide), height: 10, rx: 1 }));
}

/** The meter of a day, small: no axis, its lowest and highest value fill the height; null before it was there. */
export function spark(values, label) {
  const known = values.map((value, place) => [place + 1, value]).filter(([, value]) => value !== null);
  const points = [[Math.max(0, known[0][0] - 1), known[0][1]], ...known];
  const [least, most] = [Math.min(...known.map(([, value]) => value)), Math.max(...known.map(([, value]) => value))];
  const x = (place) => ((100 * place) / values.length).toFixed(2);
  const y = (value) => (most === least ? 16 : 30 - (28 * (value - least)) / (most - least)).toFixed(2);
  const line = points.map(([place, value], index) => `${index ? "L" : "M"}${x(place)} ${y(value)}`).join("");
  return svg("svg", { class: "spark", viewBox: "0 0 100 32", preserveAspectRatio: "none", role: "img", "aria-label": label },
    svg("path", { class: "area", d: `${line}V32H${x(points[0][0])}Z` }), svg("path", { class: "line", d: line }));
}

/** How much there was in each step of a day, small. */
export function steps(counts, label) {
  const most = Math.max(1, ...counts);
  const wide = 100 / counts.length;
  return svg("svg", { class: "steps", viewBox: "0 0 100 20", preserveAspectRatio: "none", role: "img", "aria-label": label },
    counts.map((count, place) => svg("rect", { x: (place * wide).toFixed(2), y: (20 - (20 * count) / most).toFixed(2), width: (wide * 0.8).toFixed(2), height: ((20 * count) / most).toFixed(2) })));
}
