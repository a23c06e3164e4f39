// What a win rests on: its order, the value it is paid from, and the people it takes. In words, for whoever approves it.

import { listed, t } from "../catalogue.js";
import { chip, h } from "./dom.js";
import { clock, handName, money } from "./format.js";

const ORDERS = {
  witnessed: { name: t("Order witnessed"), kind: "good", why: t("The times that the House itself recorded allow no other order.") },
  stamped: { name: t("Order stamped"), kind: "warn", why: t("The order depends on the tables' own time stamps. The times that the House recorded would allow another order.") },
  decided: { name: t("Order decided"), kind: "", why: t("The House has determined the order (rule 4.5.2).") },
  together: { name: t("Paid together"), kind: "", why: t("It counts as simultaneous with other wins and is paid together with them, so their order does not matter.") },
  unknown: { name: t("Order unknown"), kind: "warn", why: t("The deal times overlap, so the House must decide (rule 4.5.2).") },
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
  const said = { sequence: registered.sequence, time: clock(registered.at), value: money(registered.value, currency), now: money(now, currency) };
  return now === null ? t("entry {sequence} at {time}, {value}", said) : t("entry {sequence} at {time}, {value}; the pool now shows {now}", said);
}

/** Whether its table's stamp tells more than the House has witnessed. */
export const stampCounts = ({ interval, witnessed }) => interval.from !== witnessed.from || interval.to !== witnessed.to;

/** "stamped 23:23:14.800 to 23:23:14.810", and the same as witnessed. */
export function dealtWhen(win) {
  const between = ({ from, to }) => t("{from} to {to}", { from: clock(from, { digits: 3 }), to: clock(to, { digits: 3 }) });
  return [stampCounts(win) ? t("stamped {interval}", { interval: between(win.interval) }) : t("no usable stamp"), t("witnessed {interval}", { interval: between(win.witnessed) })];
}

/** Why it takes two people; empty if one is enough. */
export function whyTwo(win, asked) {
  if (win.approvals_needed < 2) return [];
  const always = win.percent === 100 ? asked.royal_flush : asked.straight_flush;
  const reasons = [
    [always > 1, always === 2 ? t("a {hand} always needs two", { hand: handName(win.hand).toLowerCase() }) : t("a {hand} always needs {people}", { hand: handName(win.hand).toLowerCase(), people: always })],
    [win.spooled, t("it came from a spool")],
    [win.registered && win.registered.value !== win.value_now, t("it is not paid from the current value of the pool")],
  ].filter(([holds]) => holds).map(([, text]) => text);
  return reasons.length ? reasons : [t("the reserve or the house pays part of it")];
}

const fact = (name, kind, text) => h("li", {}, chip(name, kind), h("span.under", {}, text));

/** Beside the approval of a win in line. */
export function restsOn(win, link) {
  const { name, kind, why } = orderOf(win) ?? ORDERS.unknown;
  return h("ul.rests", { "aria-label": t("What {id} is based on", { id: win.id }) },
    fact(name, kind, why),
    win.spooled ? fact(t("From a spool"), "warn", t("Its table stored it while it could not reach the service, and sent it later.")) : null,
    win.registered ? fact(t("Registered reading"), win.registered.value === win.value_now ? "" : "warn", t("Paid from {reading}.", { reading: readingOf(win, link.currency) })) : null);
}

/** "Two people must approve it: a royal flush always needs two." */
export function peopleOf(win, asked) {
  const why = whyTwo(win, asked);
  const people = { 0: t("No approval is needed"), 1: t("One person must approve it"), 2: t("Two people must approve it") }[win.approvals_needed] ?? t("{number} people must approve it", { number: win.approvals_needed });
  return why.length ? t("{people}: {reasons}.", { people, reasons: listed(why) }) : t("{people}.", { people });
}
