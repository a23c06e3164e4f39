// What an act would do: the service plays it on the link or pit as it stands and tells; nothing is worked out here.

import { t, translated } from "../catalogue.js";
import { newKey, post } from "./api.js";
import { levelsOf, policyName, wholeHands } from "./awards.js";
import { h } from "./dom.js";
import { minorOf, handName, money, share, words } from "./format.js";
import { linkPath, state } from "./shell.js";

const inForce = (minor) => money(minor, state.link.currency);

/** Nodes for a dialog: sentences, then what changes from what to what. */
export async function effectOf(act, id, said, place = {}) {
  const told = await post(linkPath("previews"), { act, id, ...place, said: { ...said, ...("reason" in said ? { reason: said.reason || "preview" } : {}) } });
  return [
    h("ul", {}, (told.words.length ? told.words.map(translated) : [t("Nothing changes.")]).map((text) => h("li", {}, text))),
    (told.warnings ?? []).map((text) => h("p.callout.warn", {}, h("span", {}, h("strong", {}, t("Warning:")), " ", `${translated(text)}.`))),
    act === "order" ? amounts(told.after.wins) : told.before ? differences(told.before, told.after) : null,
  ];
}

const orNone = (say) => (value) => (value === null ? t("none") : say(value));
const TERMS = {
  seed: [t("Seed"), inForce],
  meter_ppm: [t("Share to the meter"), share],
  reserve_ppm: [t("Share to the reserve"), share],
  ceiling: [t("Ceiling"), orNone(inForce)],
  approvals: [t("Approvals"), ({ royal_flush: whole, straight_flush: part }) => t("the whole jackpot {whole}, a part of it {part}", { whole, part })],
  policy: [t("Award policy"), policyName],
  window_ms: [t("Window"), orNone((ms) => t("{ms} ms", { ms }))],
  cap: [t("Cap of a round"), orNone(inForce)],
};

/** What each win would be paid in that order. */
function amounts(wins) {
  if (!wins.length) return null;
  return h("table.difference", {}, h("caption.unseen", {}, t("Amounts in that order")),
    h("tbody", {}, wins.map((one) => h("tr", {}, h("th", { scope: "row" }, `${one.position}. ${one.win}`), h("td.number", {}, inForce(one.amount))))));
}

/** One row for each figure that is not the same afterwards. */
function differences(before, after) {
  const rows = [[t("Meter"), inForce(before.value), inForce(after.value)], [t("State"), words(before.state), words(after.state)]];
  for (const [account, units] of Object.entries(after.accounts)) {
    if (account !== "meter") rows.push([t("Account {account}", { account: words(account) }), inForce(minorOf(before.accounts[account])), inForce(minorOf(units))]);
  }
  rows.push(...ofTerms(before.parameters, after.parameters, t("now")), ...ofTerms(before.parameters_scheduled, after.parameters_scheduled, t("from the next reset")));
  rows.push(...ifWhole(before, after), ...inLine(before.wins, after.wins));
  const changed = rows.filter(([, was, is]) => was !== is);
  if (!changed.length) return null;
  return h("table.difference", {}, h("caption.unseen", {}, t("What changes")),
    h("thead", {}, h("tr", {}, ["", t("Before"), t("After")].map((text, index) => (index ? h("th.number", { scope: "col" }, text) : h("td", {}, text))))),
    h("tbody", {}, changed.map(([name, was, is]) => h("tr", {}, h("th", { scope: "row" }, name), h("td.number", {}, was), h("td.number", {}, is)))));
}

function ofTerms(before, after, when) {
  return [
    ...Object.entries(TERMS).map(([name, [title, say]]) => [`${title}, ${when}`, say(before[name]), say(after[name])]),
    ...levelsOf(before.level, after.level).map(([hand, was, is]) => [`${handName(hand)}, ${when}`, was, is]),
  ];
}

/** Whoever wins the whole jackpot, and the reset after that. */
function ifWhole({ royal_now: before, parameters }, { royal_now: after }) {
  if (!before || !after) return [];
  return [
    [t("A {hand} would be paid", { hand: wholeHands(parameters.level) }), inForce(before.amount), inForce(after.amount)],
    [t("Meter after that"), inForce(before.value_after), inForce(after.value_after)],
    [t("New seed, from the reserve"), inForce(before.seed_from_reserve), inForce(after.seed_from_reserve)],
    [t("New seed, from the house"), inForce(before.seed_from_house), inForce(after.seed_from_house)],
  ];
}

function inLine(before, after) {
  const then = new Map(after.map((one) => [one.win, one]));
  return before.map((one) => [`${one.position}. ${one.win}`, inForce(one.amount), then.has(one.win) ? inForce(then.get(one.win).amount) : t("no longer waiting")]);
}

/** The act itself, with one key however often it is sent. */
export const acting = (address, body, key = newKey()) => post(address, body, { key });
