// What a link's hands win, and how wins that meet are paid: in words, and as forms.

import { t } from "../catalogue.js";
import { amount, handName, money } from "./format.js";

/** Below this a window hardly makes more wins simultaneous. */
const CLOCK_ERROR_MS = Number(document.getElementById("main")?.dataset.clockErrorMs ?? 0);

export const POLICIES = {
  ordered: { name: t("In order"), what: t("Wins are paid one after the other in the order of the deal, each from what the one before it leaves (rule 4.5).") },
  split: { name: t("Split"), what: t("Simultaneous wins are paid together: those of one level share its amount equally.") },
  full_each: { name: t("In full to each"), what: t("Simultaneous wins are paid together: each is paid the whole amount of its level, and what the pool lacks comes from the reserve, then from the house.") },
};
export const policyName = (policy) => POLICIES[policy].name;

const HANDS = ["royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush", "straight", "three_of_a_kind", "two_pairs", "one_pair", "five_odd_cards"];

/** "10 %", "400 for 1" */
export function prizeInShort(level) {
  if (!level) return t("nothing");
  return level.share == null ? t("{odds} for 1", { odds: level.odds }) : `${level.share} %`;
}

export const prizeOf = (level) => (level.share == null ? prizeInShort(level) : t("{percent} % of the jackpot", { percent: level.share }));

export const windowOf = (ms) => (ms === null ? t("deal times that overlap") : t("deal times that overlap or lie up to {ms} ms apart", { ms }));
export const capOf = (minor, currency) => (minor === null ? t("none") : t("at most {amount} for the fixed awards of a round", { amount: money(minor, currency) }));
export const byHand = (levels) => new Map(levels.map((one) => [one.hand, one]));

/** Each hand that wins before or after, with what; best hand first. */
export function levelsOf(before, after) {
  const [was, is] = [byHand(before), byHand(after)];
  return HANDS.filter((hand) => was.has(hand) || is.has(hand)).map((hand) => [hand, prizeInShort(was.get(hand)), prizeInShort(is.get(hand))]);
}

/** The hands whose level is the whole jackpot, as one says them. */
export const wholeHands = (levels) => levels.filter((one) => one.share === 100).map((one) => handName(one.hand).toLowerCase()).join(t(" or "));

/** What of a change that was proposed or confirmed is about awards, in the words of the rest of it. */
export function awardsOf(changes, { parameters, currency }) {
  const said = [];
  if (changes.levels != null) said.push(payTableOf(changes.levels, parameters.level));
  if (changes.policy != null) said.push(t("award policy {policy}", { policy: policyName(changes.policy).toLowerCase() }));
  if (changes.window != null) said.push(t("simultaneous are {which}", { which: windowOf(changes.window / 1000) }));
  if (changes.no_window) said.push(t("simultaneous are {which}", { which: windowOf(null) }));
  if (changes.cap != null) said.push(capOf(changes.cap, currency));
  if (changes.no_cap) said.push(t("no cap of a round"));
  return said;
}

/** As a change keeps them, hand by hand, in the form of a link's terms. */
const asList = (levels) => Object.entries(levels).map(([hand, prize]) => ({ hand, ...prize }));

function payTableOf(levels, now) {
  const changed = levelsOf(now, asList(levels)).filter(([, was, is]) => was !== is);
  return changed.length ? changed.map(([hand, was, is]) => t("{hand} {is} instead of {was}", { hand: handName(hand).toLowerCase(), is, was })).join(", ") : t("the pay table as it is now");
}

/** The terms once every confirmed change is in force. */
function coming({ parameters, scheduled }) {
  return scheduled.reduce((terms, one) => ({
    level: one.levels ? asList(one.levels) : terms.level,
    policy: one.policy ?? terms.policy,
    window_ms: one.no_window ? null : one.window != null ? one.window / 1000 : terms.window_ms,
    cap: one.no_cap ? null : one.cap ?? terms.cap,
  }), parameters);
}

/** What is proposed is compared with what would be in force then. */
const base = (said, link) => (said.when === "now" ? link.parameters : coming(link));

const below = (ms) => ms !== null && ms !== undefined && ms < CLOCK_ERROR_MS;
const warningOf = (ms) => t("{ms} ms is below the error of clocks, {error} ms: intervals of that width overlap anyway.", { ms, error: CLOCK_ERROR_MS });

export const policyForm = {
  title: t("Propose another award policy"),
  fields: (said, link, rest) => {
    const now = coming(link);
    return [
      { name: "policy", label: t("How wins are paid"), type: "choice", required: true, value: now.policy, options: Object.entries(POLICIES).map(([policy, { name, what }]) => [policy, name, what]) },
      { name: "window_ms", label: t("Window, ms"), type: "whole", value: now.window_ms, help: t("How far apart deal times may lie and still count as simultaneous, up to 60,000. Empty: only those that overlap."), warning: below(said.window_ms) ? warningOf(said.window_ms) : null },
      { name: "cap", label: t("Cap of a round, {currency}", { currency: link.currency }), type: "money", value: now.cap === null ? null : amount(now.cap, link.currency), help: t("The most that the fixed awards of one round come to together; above it they are reduced in proportion. Empty: no cap.") },
      ...rest,
    ];
  },
  body: (said, link) => {
    const now = base(said, link);
    const wanted = Object.fromEntries(["policy", "window_ms", "cap"].filter((name) => said[name] !== undefined && said[name] !== now[name]).map((name) => [name, said[name]]));
    return Object.keys(wanted).length ? wanted : null;
  },
};

const UNITS = [["nothing", t("wins nothing")], ["share", t("% of the jackpot")], ["odds", t("for 1")]];
const unitOf = (level) => (!level ? "nothing" : level.share == null ? "odds" : "share");

export const payTableForm = {
  title: t("Propose another pay table"),
  fields: (said, link, rest) => {
    const now = byHand(coming(link).level);
    return [
      ...HANDS.map((hand) => ({ name: `level ${hand}`, label: handName(hand), type: "measure", units: UNITS, unit: said[`level ${hand} unit`] ?? unitOf(now.get(hand)), value: now.get(hand)?.share ?? now.get(hand)?.odds })),
      ...rest,
    ];
  },
  body: (said, link) => {
    const wins = HANDS.filter((hand) => (said[`level ${hand} unit`] ?? "nothing") !== "nothing");
    const level = wins.map((hand) => ({ hand, [said[`level ${hand} unit`]]: said[`level ${hand} number`] }));
    const complete = level.length && level.every((one) => (one.share ?? one.odds) != null);
    const changed = complete && levelsOf(base(said, link).level, level).some(([, was, is]) => was !== is);
    return changed ? { level } : null;
  },
};
