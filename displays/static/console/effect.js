// What an act would do: the service plays it on the link as it stands and tells; nothing is worked out here.

import { newKey, post } from "./api.js";
import { h } from "./dom.js";
import { centsOf, handName, money, sentence, share, words } from "./format.js";
import { linkPath, state } from "./shell.js";

const THEN = { close: "is closed for later rounds", block_box: "box is blocked for later rounds", progressive_off: "plays on with the progressive off, and shows the notice" };
const inForce = (cents) => money(cents, state.link.currency);

/** Nodes for a dialog: sentences, then what changes from what to what. */
export async function effectOf(act, id, said, place = {}) {
  const told = await post(linkPath("previews"), { act, id, ...place, said: { ...said, ...("reason" in said ? { reason: said.reason || "preview" } : {}) } });
  const sentences = told.consequence?.words ?? told.facts.map(factSentence).filter(Boolean);
  return [
    h("ul", {}, (sentences.length ? sentences : ["Nothing changes."]).map((text) => h("li", {}, text))),
    act === "order" ? amounts(told.after.wins) : differences(told.before, told.after),
  ];
}

function factSentence(fact) {
  const say = SENTENCES[fact.kind];
  return say === undefined ? sentence(words(fact.kind.replace(/\B[A-Z]/g, " $&").toLowerCase())) + "." : say && say(fact);
}

const scopeOf = ({ table, box }) => (table === null ? "The whole link" : box === null ? `Table ${table}` : `Table ${table}, box ${box}:`);
const returned = (fact) => fact.returned.reduce((sum, one) => sum + one.amount, 0);

const SENTENCES = {
  Proposed: () => "It is proposed. When another person has confirmed:",
  ProposalConfirmed: null,
  MalfunctionDeclared: (fact) => `${scopeOf(fact.scope)} ${THEN[fact.then]}.`,
  RoundVoided: (fact) => `Round ${fact.round} at ${fact.table} is voided (rule ${fact.reason}): ${inForce(returned(fact))} of bets go back and its contributions are reversed.`,
  RoundContinued: (fact) => `Round ${fact.round} at ${fact.table} goes on (rule ${fact.rule}): its progressive wins are paid from ${inForce(centsOf(fact.registered.meter))}, registered before the malfunction.`,
  MalfunctionCleared: () => "Back in play.",
  WinApproved: (fact) => `The approval of ${fact.person} is counted.`,
  WinsOrdered: (fact) => `In order, beyond doubt: ${fact.wins.join(", ")}.`,
  OrderDecided: (fact) => `The order is decided: ${fact.wins.join(", then ")}.`,
  OrderReopened: (fact) => `The order is open again: ${fact.wins.join(", ")}.`,
  WinPaid: (fact) => `${handName(fact.hand)} ${fact.win} is paid ${inForce(fact.amount)} at once. The meter then shows ${inForce(fact.after)}.`,
  WinRejected: (fact) => `Win ${fact.win} is rejected and leaves the line unpaid.`,
  WinWithdrawn: (fact) => `Win ${fact.win} is withdrawn.`,
  ParametersScheduled: () => "In force from the next reset on.",
  ParametersChanged: () => "In force at once.",
  MeterAdjusted: () => "The meter is adjusted.",
  LinkOpened: () => "The link takes progressive bets again.",
  LinkClosed: () => "Progressive bets are returned until two people open the link again.",
  PoolDeparted: (fact) => `${Object.entries(fact.amounts).map(([account, units]) => `${inForce(centsOf(units))} of ${account}`).join(", ")} leave for ${fact.to ?? "the house"}.`,
  LinkRetired: () => "The link is retired. From then on it can only be read.",
  ClaimDecided: (fact) => (fact.amount ? `The claim is paid ${inForce(fact.amount)} from reserve, then house. The meter stays.` : "The claim is refused."),
  TableClosed: (fact) => `Table ${fact.table} is out of play at once; it holds no win back.`,
  TableOpened: (fact) => `Table ${fact.table} is ${fact.in_play ? "in play at once" : "in play from its next message on"}.`,
};

const TERMS = { seed: inForce, meter_ppm: share, reserve_ppm: share, ceiling: (cents) => (cents === null ? "none" : inForce(cents)) };
const NAMES = { seed: "Seed", meter_ppm: "Share to the meter", reserve_ppm: "Share to the reserve", ceiling: "Ceiling" };

/** What each win would be paid in that order. */
function amounts(wins) {
  if (!wins.length) return null;
  return h("table.difference", {}, h("caption.unseen", {}, "Amounts in that order"),
    h("tbody", {}, wins.map((one) => h("tr", {}, h("th", { scope: "row" }, `${one.position}. ${one.win}`), h("td.number", {}, inForce(one.amount))))));
}

/** One row for each figure that is not the same afterwards. */
function differences(before, after) {
  const rows = [["Meter", inForce(before.value), inForce(after.value)], ["State", before.state, after.state]];
  for (const [account, units] of Object.entries(after.accounts)) {
    if (account !== "meter") rows.push([`Account ${account}`, inForce(centsOf(before.accounts[account])), inForce(centsOf(units))]);
  }
  for (const [name, say] of Object.entries(TERMS)) {
    rows.push([`${NAMES[name]} now`, say(before.parameters[name]), say(after.parameters[name])]);
    rows.push([`${NAMES[name]} as scheduled`, say(before.parameters_scheduled[name]), say(after.parameters_scheduled[name])]);
  }
  rows.push(...ifRoyal(before.royal_now, after.royal_now), ...inLine(before.wins, after.wins));
  const changed = rows.filter(([, was, is]) => was !== is);
  if (!changed.length) return null;
  return h("table.difference", {}, h("caption.unseen", {}, "What changes"),
    h("thead", {}, h("tr", {}, ["", "Now", "Then"].map((text, index) => (index ? h("th.number", { scope: "col" }, text) : h("td", {}, text))))),
    h("tbody", {}, changed.map(([name, was, is]) => h("tr", {}, h("th", { scope: "row" }, name), h("td.number", {}, was), h("td.number", {}, is)))));
}

function ifRoyal(before, after) {
  if (!before || !after) return [];
  return [
    ["Next royal flush is paid", inForce(before.amount), inForce(after.amount)],
    ["Meter after that", inForce(before.value_after), inForce(after.value_after)],
    ["Its seed from the reserve", inForce(before.seed_from_reserve), inForce(after.seed_from_reserve)],
    ["Its seed from the house", inForce(before.seed_from_house), inForce(after.seed_from_house)],
  ];
}

function inLine(before, after) {
  const then = new Map(after.map((one) => [one.win, one]));
  return before.map((one) => [`${one.position}. ${one.win}`, inForce(one.amount), then.has(one.win) ? inForce(then.get(one.win).amount) : "has left the line"]);
}

/** The act itself, with one key however often it is sent. */
export const acting = (address, body, key = newKey()) => post(address, body, { key });
