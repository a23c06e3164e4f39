// Everything that proves a win: evidence, order, payment, and what the journal says of it.

import { get } from "./api.js";
import { policyName } from "./awards.js";
import { tellAll } from "./dialog.js";
import { chip, grid, h } from "./dom.js";
import { cards, handName, microsOf, money, offset, span, time, words } from "./format.js";
import { TOGETHER, orderOf, peopleOf, readingOf, stampCounts } from "./rests.js";
import { linkPath, state } from "./shell.js";

export async function showProof(id) {
  const win = await get(linkPath("wins", id));
  const ours = (minor) => money(minor, state.link.currency);
  tellAll(`${handName(win.hand)} ${win.id}`,
    h("p.headline", {}, cards(win.cards), chip(words(win.state), win.state === "paid" ? "good" : ""), h("strong.figures", {}, ours(win.amount))),
    section("The deal", evidence(win)),
    section("The order", order(win)),
    win.payment ? section("The payment", facts([
      ["Displayed value before", ours(win.payment.value_before)],
      win.registered ? ["Registered reading", readingOf(win, state.link.currency)] : null,
      ["Award policy", policyName(win.payment.policy)],
      ["Share", `${win.payment.percent} %`],
      ["Paid from a reading of", ours(win.payment.reading)],
      win.payment.shared_by.length > 1 ? [win.payment.policy === "split" ? "Shared by" : "Each is paid the same", win.payment.shared_by.join(", ")] : null,
      ["Paid", ours(win.payment.amount)],
      ["Calculated", [win.payment.formula_in_money, win.payment.formula ? h("span.under", {}, "In minor units: ", h("code", {}, win.payment.formula)) : null]],
      ["Displayed value after", ours(win.payment.value_after)],
      ["Approved by", win.approvers.join(", ")],
      ["Journal entry", `${win.payment.sequence}`],
      ["Hash", h("code", {}, win.payment.hash)],
    ])) : section("The payment", facts([
      win.policy ? ["Award policy", policyName(win.policy)] : null,
      ["Share", `${win.percent} %`],
      win.registered ? ["Registered reading", readingOf(win, state.link.currency)] : null,
      win.approvals_needed === null ? null : ["Approvals", `${win.approvals.length} of ${win.approvals_needed}. ${peopleOf(win, state.link.parameters.approvals)}`],
    ])),
    section("The journal", grid("Entries of the journal", ["#Entry", "Time", "What", "#Meter"], win.entries.map((one) => ({
      key: one.sequence,
      cells: [one.sequence, time(one.at, { digits: 3, date: true }), one.kind, ours(one.value)],
    })))));
}

function evidence(win) {
  const { evidence: told, interval, witnessed, bet } = win;
  const between = ({ from, to }) => [time(from, { digits: 6 }), " and ", time(to, { digits: 6 }), ` (${span(microsOf(to) - microsOf(from))})`];
  return facts([
    ["Progressive bet", money(bet, state.link.currency)],
    ["Dealt, by the table's clock", time(told.dealt_at, { digits: 6 })],
    ["Sent, by the table's clock", [time(told.sent_at, { digits: 6 }), " ", told.spooled ? chip("from a spool", "warn") : told.live ? null : chip("not live", "warn")]],
    ["Received by the House", time(told.received_at, { digits: 6 })],
    ["The table's clock", measured(told, ofFirstRules(win))],
    ofFirstRules(win) ? null : ["Witnessed between", between(witnessed)],
    ofFirstRules(win) ? ["Dealt between", between(interval)] : ["Stamped between", stampCounts(win) ? between(interval) : told.outside ? "not used: the stamp lies outside the witnessed time" : "no usable stamp"],
  ]);
}

/** Releases before 0.2 took a table's word for its clock, and kept no interval of their own. */
const ofFirstRules = (win) => win.entries[0].entry.rules === 1;

function measured(told, believed) {
  const found = offset(told);
  if (believed) return `${found}, as reported by the table`;
  const house = told.error_us ? `; house time ± ${span(told.error_us)}` : "";
  return `${found ?? (told.offset_to_us === null ? "not measured" : "no echo, so the stamp limits only the latest time")}${house}`;
}

function order(win) {
  const { order: told } = win;
  const open = Object.entries(told.open_rounds ?? {});
  return facts([
    ["Place in the queue", told.position ?? "—"],
    ["Basis of the order", basisOf(win)],
    [TOGETHER.includes(win.policy) ? "Simultaneous wins" : "Wins with overlapping times", told.cluster.length > 1 ? told.cluster.join(", ") : "none"],
    ["Decided by", told.decided_by ? `${told.decided_by}: ${told.reason}` : told.ambiguous ? "not decided yet" : "no decision was needed"],
    ["Ordered", time(told.ordered_at, { digits: 3 })],
    ofFirstRules(win) || told.ordered_at === null ? null : ["Rounds open then", open.length ? `${open.map(([table, round]) => `round ${round} at ${table}`).join(", ")}; all started later` : "none"],
  ]);
}

export function basisOf(win) {
  const found = ofFirstRules(win) && win.order.decided_by === null ? null : orderOf(win);
  return found ? [chip(found.name, found.kind), ` ${found.why}`] : "not on record";
}

const section = (title, ...content) => h("section", {}, h("h3", {}, title), content);

export function facts(pairs) {
  return h("dl.facts", {}, pairs.filter(Boolean).map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
}
