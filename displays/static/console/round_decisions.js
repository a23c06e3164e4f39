// What was decided about a round: irregularities, malfunctions, the void; and its wins and late claims.

import { policyName } from "./awards.js";
import { chip, h } from "./dom.js";
import { cards, handName, money, sentence, time, words } from "./format.js";
import { basisOf, facts } from "./proof.js";
import { readingOf } from "./rests.js";
import { changed } from "./round_play.js";

const decided = (key, title, ...content) => h("section.decision", { "data-key": key }, h("h3", {}, title), content);
const yesNo = (value) => (value === null ? "—" : value ? "yes" : "no");
const list = (numbers) => numbers.join(", ") || "—";

export function decisions(told) {
  const all = [...told.irregularities.map(irregularity), ...told.malfunctions.map((one) => malfunction(one, told)), told.void ? voided(told) : null, ...returned(told)].filter(Boolean);
  return all.length ? all : h("p.empty", {}, "No decisions were needed.");
}

function irregularity(one) {
  const { said } = one;
  return decided(one.id, `Irregularity under paragraph ${said.paragraph}`,
    h("ul", {}, one.consequence.words.map((text) => h("li", {}, text))),
    facts([
      ["Declared", [`${one.person}, `, time(one.at, { digits: 3, date: true }), `, entry ${one.sequence}`]],
      ["Cards seen", yesNo(said.cards_seen)],
      ["Reconstructed", yesNo(said.reconstructed)],
      ["Boxes", list(said.boxes)],
      ["Players chose", Object.entries(said.choices).map(([box, choice]) => `box ${box}: ${choice}`).join(", ") || "—"],
      ["Note", said.note || "—"],
    ]));
}

function malfunction(one, { currency }) {
  const scope = one.scope.table ? `Table ${one.scope.table}${one.scope.box ? `, box ${one.scope.box}` : ""}` : "The whole link";
  return decided(one.id, `Malfunction ${one.id}`, facts([
    ["Scope", scope],
    ["For this round", one.effect === "voided" ? `voided (${one.rule})` : `continues (${one.rule}); its progressive wins are paid from ${money(one.registered_value, currency)}`],
    ["For later rounds", words(one.then)],
    ["Observed", time(one.observed_at, { digits: 3, date: true })],
    ["Declared", [`${one.by}, `, time(one.declared_at, { digits: 3 }), `, entry ${one.sequence}`]],
    ["Cleared", one.cleared_at ? [`${one.cleared_by}, `, time(one.cleared_at, { date: true })] : "not yet"],
    ["Note", one.note || "—"],
  ]));
}

function voided({ void: told, currency }) {
  return decided("void", `Voided under paragraph ${told.reason}`,
    facts([
      ["By", [`${told.by}, `, time(told.at, { digits: 3, date: true }), `, entry ${told.sequence}`]],
      ["Because of", told.malfunction ?? told.irregularity ?? "reported by the table"],
      ["Progressive returned", told.returned.map((one) => `box ${one.box} ${money(one.amount, currency)}`).join(", ") || "—"],
      ["Note", told.note || "—"],
    ]),
    changed("What the void changed in payouts", told.adjustments, currency));
}

/** Bets that went back when they were closed, each with its reason. */
function returned({ bets, currency }) {
  if (!bets.returned.length) return [];
  return [decided("returned", "Bets returned when betting closed", h("ul", {}, bets.returned.map((one) =>
    h("li", {}, `Box ${one.box}: ${money(one.amount, currency)}, ${words(one.code)}${one.rule ? ` (${one.rule})` : ""}.`))))];
}

export function majors(told) {
  const all = [...told.majors.map((one) => win(one, told)), ...told.late_claims.map((one) => claim(one, told))];
  return all.length ? all : h("p.empty", {}, "This round has no wins and no late claims.");
}

function win(one, { currency }) {
  const { order, payment } = one;
  return decided(one.id, [`${handName(one.hand)}, box ${one.box} `, chip(words(one.state), one.state === "paid" ? "good" : "warn")],
    h("p", {}, cards(one.cards)),
    facts([
      ["Win", one.id],
      ["Witnessed between", [time(one.witnessed.from, { digits: 6 }), " and ", time(one.witnessed.to, { digits: 6 })]],
      ["Dealt between", [time(one.interval.from, { digits: 6 }), " and ", time(one.interval.to, { digits: 6 }), " ", one.spooled ? chip("from a spool", "warn") : null]],
      ["Registered", [time(one.registered_at, { digits: 3 }), `, entry ${one.sequence}`]],
      ["Order", order.decided_by ? `decided by ${order.decided_by}: ${order.reason}` : order.ordered_at ? ["certain since ", time(order.ordered_at, { digits: 3 })] : "not known yet"],
      ["Basis of the order", basisOf(one)],
      one.registered ? ["Registered reading", readingOf(one, currency)] : null,
      ["Approved by", one.approvals.map((given) => `${given.person}${given.note ? `: ${given.note}` : ""}`).join("; ") || "nobody"],
      payment ? ["Paid", `${money(payment.amount, currency)}: ${payment.percent} % of ${money(payment.reading, currency)}; the meter then showed ${money(payment.value_after, currency)}`] : ["Paid", "no"],
      payment?.shared_by.length > 1 ? ["Calculated", payment.formula_in_money] : null,
      payment && payment.policy !== "ordered" ? ["Award policy", `${policyName(payment.policy)}${payment.shared_by.length > 1 ? `, with ${payment.shared_by.filter((id) => id !== one.id).join(", ")}` : ""}`] : null,
      payment ? ["By", `entry ${payment.sequence}`] : null,
    ]));
}

function claim(one, { currency }) {
  return decided(one.id, [`Late claim: ${handName(one.hand)}, box ${one.box} `, chip(one.state, one.state === "open" ? "warn" : "")],
    h("p", {}, cards(one.cards)),
    facts([
      ["Claim", one.id],
      ["Why late", sentence(words(one.reason))],
      ["Calculated amounts", `in order ${money(one.outcomes.in_order, currency)}, registered ${money(one.outcomes.registered, currency)}`],
      ["Decided", one.outcome ? `${words(one.outcome)}, ${money(one.amount, currency)}, by ${one.persons.join(", ")}` : "not yet"],
      ["Reason", one.decision ?? "—"],
    ]));
}
