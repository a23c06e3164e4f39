// Everything that proves a win: evidence, order, payment, and what the journal says of it.

import { t, woven } from "../catalogue.js";
import { get, withQuery } from "./api.js";
import { policyName } from "./awards.js";
import { tellAll } from "./dialog.js";
import { chip, grid, h } from "./dom.js";
import { cards, factName, handName, microsOf, money, offset, span, time, words } from "./format.js";
import { TOGETHER, orderOf, peopleOf, readingOf, stampCounts } from "./rests.js";
import { linkPath, state } from "./shell.js";

export async function showProof(id) {
  const win = await get(linkPath("wins", id));
  const ours = (minor) => money(minor, state.link.currency);
  tellAll(`${handName(win.hand)} ${win.id}`,
    h("p.headline", {}, cards(win.cards), chip(words(win.state), win.state === "paid" ? "good" : ""), h("strong.figures", {}, ours(win.amount))),
    section(t("The deal"), evidence(win)),
    section(t("The order"), order(win)),
    win.payment ? section(t("The payment"), facts([
      [t("Displayed value before"), ours(win.payment.value_before)],
      win.registered ? [t("Registered reading"), readingOf(win, state.link.currency)] : null,
      [t("Award policy"), policyName(win.payment.policy)],
      [t("Share"), `${win.payment.percent} %`],
      [t("Paid from a reading of"), ours(win.payment.reading)],
      win.payment.shared_by.length > 1 ? [win.payment.policy === "split" ? t("Shared by") : t("Each is paid the same"), win.payment.shared_by.join(", ")] : null,
      [t("Paid"), ours(win.payment.amount)],
      [t("Calculated"), [win.payment.formula_in_money, win.payment.formula ? h("span.under", {}, woven("In minor units: {formula}", { formula: h("code", {}, win.payment.formula) })) : null]],
      [t("Displayed value after"), ours(win.payment.value_after)],
      [t("Approved by"), win.approvers.join(", ")],
      win.handover ? [t("Slip"), [h("a", { href: withQuery("/console/payouts", { link: state.link.id, win: win.id }) }, words(win.handover))]] : null,
      [t("Journal entry"), `${win.payment.sequence}`],
      [t("Hash"), h("code", {}, win.payment.hash)],
    ])) : section(t("The payment"), facts([
      win.policy ? [t("Award policy"), policyName(win.policy)] : null,
      [t("Share"), `${win.percent} %`],
      win.registered ? [t("Registered reading"), readingOf(win, state.link.currency)] : null,
      win.approvals_needed === null ? null : [t("Approvals"), t("{given} of {needed}. {why}", { given: win.approvals.length, needed: win.approvals_needed, why: peopleOf(win, state.link.parameters.approvals) })],
    ])),
    section(t("The journal"), grid(t("Entries of the journal"), [`#${t("Entry")}`, t("Time"), t("What"), `#${t("Meter")}`], win.entries.map((one) => ({
      key: one.sequence,
      cells: [one.sequence, time(one.at, { digits: 3, date: true }), factName(one.kind), ours(one.value)],
    })))));
}

function evidence(win) {
  const { evidence: told, interval, witnessed, bet } = win;
  const between = ({ from, to }) => woven("{from} and {to} ({span})", { from: time(from, { digits: 6 }), to: time(to, { digits: 6 }), span: span(microsOf(to) - microsOf(from)) });
  return facts([
    [t("Progressive bet"), money(bet, state.link.currency)],
    [t("Dealt, by the table's clock"), time(told.dealt_at, { digits: 6 })],
    [t("Sent, by the table's clock"), [time(told.sent_at, { digits: 6 }), " ", told.spooled ? chip(t("from a spool"), "warn") : told.live ? null : chip(t("not live"), "warn")]],
    [t("Received by the House"), time(told.received_at, { digits: 6 })],
    [t("The table's clock"), measured(told, ofFirstRules(win))],
    ofFirstRules(win) ? null : [t("Witnessed between"), between(witnessed)],
    ofFirstRules(win) ? [t("Dealt between"), between(interval)] : [t("Stamped between"), stampCounts(win) ? between(interval) : told.outside ? t("not used: the stamp lies outside the witnessed time") : t("no usable stamp")],
  ]);
}

/** Releases before 0.2 took a table's word for its clock, and kept no interval of their own. */
const ofFirstRules = (win) => win.entries[0].entry.rules === 1;

function measured(told, believed) {
  const found = offset(told);
  if (believed) return t("{found}, as reported by the table", { found });
  const offsetSaid = found ?? (told.offset_to_us === null ? t("not measured") : t("no echo, so the stamp limits only the latest time"));
  return told.error_us ? t("{offset}; house time ± {error}", { offset: offsetSaid, error: span(told.error_us) }) : offsetSaid;
}

function order(win) {
  const { order: told } = win;
  const open = Object.entries(told.open_rounds ?? {});
  return facts([
    [t("Place in the queue"), told.position ?? "—"],
    [t("Basis of the order"), basisOf(win)],
    [TOGETHER.includes(win.policy) ? t("Simultaneous wins") : t("Wins with overlapping times"), told.cluster.length > 1 ? told.cluster.join(", ") : t("none")],
    [t("Decided by"), told.decided_by ? `${told.decided_by}: ${told.reason}` : told.ambiguous ? t("not decided yet") : t("no decision was needed")],
    [t("Ordered"), time(told.ordered_at, { digits: 3 })],
    ofFirstRules(win) || told.ordered_at === null ? null : [t("Rounds open then"), open.length ? t("{rounds}; all started later", { rounds: open.map(([table, round]) => t("round {round} at {table}", { round, table })).join(", ") }) : t("none")],
  ]);
}

export function basisOf(win) {
  const found = ofFirstRules(win) && win.order.decided_by === null ? null : orderOf(win);
  return found ? [chip(found.name, found.kind), ` ${found.why}`] : t("not on record");
}

const section = (title, ...content) => h("section", {}, h("h3", {}, title), content);

export function facts(pairs) {
  return h("dl.facts", {}, pairs.filter(Boolean).map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
}
