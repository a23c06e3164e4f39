// What a win rests on: its order, the value it is paid from, and the people it takes. In words, for whoever approves it.

import { chip, h } from "./dom.js";
import { clock, handName, money } from "./format.js";

const ORDERS = {
  witnessed: { name: "Order witnessed", kind: "good", why: "The times that the House itself recorded allow no other order." },
  stamped: { name: "Order stamped", kind: "warn", why: "The order depends on the tables' own time stamps. The times that the House recorded would allow another order." },
  decided: { name: "Order decided", kind: "", why: "The House has determined the order (rule 4.5.2)." },
  together: { name: "Paid together", kind: "", why: "It counts as simultaneous with other wins and is paid together with them, so their order does not matter." },
  unknown: { name: "Order unknown", kind: "warn", why: "The deal times overlap, so the House must decide (rule 4.5.2)." },
};

/** The policies by which simultaneous wins are paid of one reading. */
export const TOGETHER = ["split", "full_each"];

/** What its place in line rests on. Of a win that has left the line only its `order` tells whether the House decided. */
export function orderOf({ basis, ambiguous, cluster, together, policy, order = null }) {
  if (ambiguous) return ORDERS.unknown;
  if (together.length || (TOGETHER.includes(policy) && order?.cluster.length > 1)) return ORDERS.together;
  if (order?.decided_by || cluster.length > 1) return ORDERS.decided;
  return ORDERS[basis] ?? null;
}

/** "entry 377 at 23:25:55, SGD 73,127.80; the pool now shows SGD 72,000.00" */
export function readingOf({ registered, value_now: now }, currency) {
  const shown = now === null ? "" : `; the pool now shows ${money(now, currency)}`;
  return `entry ${registered.sequence} at ${clock(registered.at)}, ${money(registered.value, currency)}${shown}`;
}

/** Whether its table's stamp tells more than the House has witnessed. */
export const stampCounts = ({ interval, witnessed }) => interval.from !== witnessed.from || interval.to !== witnessed.to;

/** "stamped 23:23:14.800 to 23:23:14.810", and the same as witnessed. */
export function dealtWhen(win) {
  const between = ({ from, to }) => `${clock(from, { digits: 3 })} to ${clock(to, { digits: 3 })}`;
  return [stampCounts(win) ? `stamped ${between(win.interval)}` : "no usable stamp", `witnessed ${between(win.witnessed)}`];
}

/** Why it takes two people; empty if one is enough. */
export function whyTwo(win, asked) {
  if (win.approvals_needed < 2) return [];
  const always = win.percent === 100 ? asked.royal_flush : asked.straight_flush;
  const reasons = [
    [always > 1, `a ${handName(win.hand).toLowerCase()} always needs ${always === 2 ? "two" : always}`],
    [win.spooled, "it came from a spool"],
    [win.registered && win.registered.value !== win.value_now, "it is not paid from the current value of the pool"],
  ].filter(([holds]) => holds).map(([, text]) => text);
  return reasons.length ? reasons : ["the reserve or the house pays part of it"];
}

const fact = (name, kind, text) => h("li", {}, chip(name, kind), h("span.under", {}, text));

/** Beside the approval of a win in line. */
export function restsOn(win, link) {
  const { name, kind, why } = orderOf(win) ?? ORDERS.unknown;
  return h("ul.rests", { "aria-label": `What ${win.id} is based on` },
    fact(name, kind, why),
    win.spooled ? fact("From a spool", "warn", "Its table stored it while it could not reach the service, and sent it later.") : null,
    win.registered ? fact("Registered reading", win.registered.value === win.value_now ? "" : "warn", `Paid from ${readingOf(win, link.currency)}.`) : null);
}

/** "Two people must approve it: a royal flush always needs two." */
export function peopleOf(win, asked) {
  const why = whyTwo(win, asked);
  const people = { 0: "No approval is needed", 1: "One person must approve it", 2: "Two people must approve it" }[win.approvals_needed] ?? `${win.approvals_needed} people must approve it`;
  return why.length ? `${people}: ${why.join(", and ")}.` : `${people}.`;
}
