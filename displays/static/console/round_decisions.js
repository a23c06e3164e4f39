// What was decided about a round: irregularities, malfunctions, the void; and its wins and late claims.

import { t, translated, woven } from "../catalogue.js";
import { policyName } from "./awards.js";
import { chip, h } from "./dom.js";
import { cards, handName, money, sentence, time, words } from "./format.js";
import { basisOf, facts } from "./proof.js";
import { readingOf } from "./rests.js";
import { changed } from "./round_play.js";

const decided = (key, title, ...content) => h("section.decision", { "data-key": key }, h("h3", {}, title), content);
const yesNo = (value) => (value === null ? "—" : value ? t("yes") : t("no"));
const stamped = (person, when, sequence) => woven("{person}, {time}, entry {sequence}", { person, time: when, sequence });
const between = ({ from, to }) => woven("{from} and {to}", { from: time(from, { digits: 6 }), to: time(to, { digits: 6 }) });
const list = (numbers) => numbers.join(", ") || "—";

export function decisions(told) {
  const all = [...told.irregularities.map(irregularity), ...told.malfunctions.map((one) => malfunction(one, told)), told.void ? voided(told) : null, ...returned(told)].filter(Boolean);
  return all.length ? all : h("p.empty", {}, t("No decisions were needed."));
}

function irregularity(one) {
  const { said } = one;
  return decided(one.id, t("Irregularity under paragraph {paragraph}", { paragraph: said.paragraph }),
    h("ul", {}, one.consequence.words.map((text) => h("li", {}, translated(text)))),
    facts([
      [t("Declared"), stamped(one.person, time(one.at, { digits: 3, date: true }), one.sequence)],
      [t("Cards seen"), yesNo(said.cards_seen)],
      [t("Reconstructed"), yesNo(said.reconstructed)],
      [t("Boxes"), list(said.boxes)],
      [t("Players chose"), Object.entries(said.choices).map(([box, choice]) => t("box {box}: {choice}", { box, choice: words(choice) })).join(", ") || "—"],
      [t("Note"), said.note || "—"],
    ]));
}

function malfunction(one, { currency }) {
  const { table, box } = one.scope;
  const scope = box ? t("Table {table}, box {box}", { table, box }) : table ? t("Table {table}", { table }) : t("The whole link");
  return decided(one.id, t("Malfunction {id}", { id: one.id }), facts([
    [t("Scope"), scope],
    [t("For this round"), one.effect === "voided" ? t("voided ({rule})", { rule: one.rule }) : t("continues ({rule}); its progressive wins are paid from {value}", { rule: one.rule, value: money(one.registered_value, currency) })],
    [t("For later rounds"), words(one.then)],
    [t("Observed"), time(one.observed_at, { digits: 3, date: true })],
    [t("Declared"), stamped(one.by, time(one.declared_at, { digits: 3 }), one.sequence)],
    [t("Cleared"), one.cleared_at ? [`${one.cleared_by}, `, time(one.cleared_at, { date: true })] : t("not yet")],
    [t("Note"), one.note || "—"],
  ]));
}

function voided({ void: told, currency }) {
  return decided("void", t("Voided under paragraph {reason}", { reason: told.reason }),
    facts([
      [t("By"), stamped(told.by, time(told.at, { digits: 3, date: true }), told.sequence)],
      [t("Because of"), told.malfunction ?? told.irregularity ?? t("reported by the table")],
      [t("Progressive returned"), told.returned.map((one) => t("box {box} {amount}", { box: one.box, amount: money(one.amount, currency) })).join(", ") || "—"],
      [t("Note"), told.note || "—"],
    ]),
    changed(t("What the void changed in payouts"), told.adjustments, currency));
}

/** Bets that went back when they were closed, each with its reason. */
function returned({ bets, currency }) {
  if (!bets.returned.length) return [];
  return [decided("returned", t("Bets returned when betting closed"), h("ul", {}, bets.returned.map((one) =>
    h("li", {}, one.rule
      ? t("Box {box}: {amount}, {why} ({rule}).", { box: one.box, amount: money(one.amount, currency), why: words(one.code), rule: one.rule })
      : t("Box {box}: {amount}, {why}.", { box: one.box, amount: money(one.amount, currency), why: words(one.code) })))))];
}

export function majors(told) {
  const all = [...told.majors.map((one) => win(one, told)), ...told.late_claims.map((one) => claim(one, told))];
  return all.length ? all : h("p.empty", {}, t("This round has no wins and no late claims."));
}

function win(one, { currency }) {
  const { order, payment } = one;
  return decided(one.id, [t("{hand}, box {box}", { hand: handName(one.hand), box: one.box }), " ", chip(words(one.state), one.state === "paid" ? "good" : "warn")],
    h("p", {}, cards(one.cards)),
    facts([
      [t("Win"), one.id],
      [t("Witnessed between"), between(one.witnessed)],
      [t("Dealt between"), [between(one.interval), " ", one.spooled ? chip(t("from a spool"), "warn") : null]],
      [t("Registered"), woven("{time}, entry {sequence}", { time: time(one.registered_at, { digits: 3 }), sequence: one.sequence })],
      [t("Order"), order.decided_by ? t("decided by {person}: {reason}", { person: order.decided_by, reason: order.reason }) : order.ordered_at ? woven("certain since {time}", { time: time(order.ordered_at, { digits: 3 }) }) : t("not known yet")],
      [t("Basis of the order"), basisOf(one)],
      one.registered ? [t("Registered reading"), readingOf(one, currency)] : null,
      [t("Approved by"), one.approvals.map((given) => `${given.person}${given.note ? `: ${given.note}` : ""}`).join("; ") || t("nobody")],
      payment ? [t("Paid"), t("{amount}: {percent} % of {reading}; the meter then showed {after}", { amount: money(payment.amount, currency), percent: payment.percent, reading: money(payment.reading, currency), after: money(payment.value_after, currency) })] : [t("Paid"), t("no")],
      payment?.shared_by.length > 1 ? [t("Calculated"), payment.formula_in_money] : null,
      payment && payment.policy !== "ordered" ? [t("Award policy"), payment.shared_by.length > 1 ? t("{policy}, with {others}", { policy: policyName(payment.policy), others: payment.shared_by.filter((id) => id !== one.id).join(", ") }) : policyName(payment.policy)] : null,
      payment ? [t("By"), t("entry {sequence}", { sequence: payment.sequence })] : null,
    ]));
}

function claim(one, { currency }) {
  return decided(one.id, [t("Late claim: {hand}, box {box}", { hand: handName(one.hand), box: one.box }), " ", chip(words(one.state), one.state === "open" ? "warn" : "")],
    h("p", {}, cards(one.cards)),
    facts([
      [t("Claim"), one.id],
      [t("Why late"), sentence(words(one.reason))],
      [t("Calculated amounts"), t("in order {in_order}, registered {registered}", { in_order: money(one.outcomes.in_order, currency), registered: money(one.outcomes.registered, currency) })],
      [t("Decided"), one.outcome ? t("{outcome}, {amount}, by {persons}", { outcome: words(one.outcome), amount: money(one.amount, currency), persons: one.persons.join(", ") }) : t("not yet")],
      [t("Reason"), one.decision ?? "—"],
    ]));
}
