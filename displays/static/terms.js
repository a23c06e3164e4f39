// The terms of a jackpot in words: what a bet goes to, what it returns, how often each hand comes, and how wins
// that meet are paid.

import { locale, t } from "./catalogue.js";
import { money } from "./words.js";

const PER_CENT = 10_000; // of parts per million

const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
const upTo = (digits) => new Intl.NumberFormat(locale, { maximumFractionDigits: digits });
const two = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** On one line. */
const inPercent = (number) => t("{percent} %", { percent: number }).replace(" ", "\u00a0");

export const percent = (ppm) => inPercent(upTo(4).format(ppm / PER_CENT));

/** What a bet plays for that is placed now: while a win waits, the jackpot after it. */
export const playedFor = ({ value, next }) => next ?? value;

/** Of a bet, on average, at a displayed value: exact, then cut after two digits. */
export function returnAt(terms, value) {
  const { fixed, of_value: ofValue, over } = terms.return;
  const hundredths = ((BigInt(fixed) + BigInt(ofValue) * BigInt(value)) * 10_000n) / BigInt(over);
  return inPercent(two.format(Number(hundredths) / 100));
}

/** How often a hand of five cards comes. */
export function chance({ ways }, { deals }) {
  const oneIn = deals / ways;
  return t("1 in {number}", { number: oneIn < 100 ? upTo(1).format(oneIn) : whole.format(oneIn) });
}

export function sharesOf(terms) {
  return terms.reserve_ppm > 0
    ? t("{meter} raise the jackpot, {reserve} are kept for the next one", { meter: percent(terms.meter_ppm), reserve: percent(terms.reserve_ppm) })
    : t("{meter} raise the jackpot", { meter: percent(terms.meter_ppm) });
}

/** Null where players are not to be told. */
export function ceilingOf({ ceiling, ceiling_hidden: hidden }, currency) {
  if (hidden) return null;
  return ceiling === null ? t("none") : money(ceiling, currency);
}

const TIES = {
  ordered: {
    short: t("Paid in the order of the deal"),
    long: t("They are paid one after the other, in the order in which the hands were dealt. Where the times do not show the order, the House decides it."),
  },
  split: {
    short: t("They share the amount"),
    long: t("They are paid together: winners of the same hand share its amount equally."),
  },
  full_each: {
    short: t("Each is paid in full"),
    long: t("They are paid together: every winner is paid the whole amount of the hand."),
  },
};

export const tiesInShort = ({ policy }) => TIES[policy].short;

/** What counts as the same moment, and what follows. */
export function tiesOf({ policy, window_ms: window }) {
  const same = window === null
    ? t("Wins at several tables count as simultaneous where the clocks cannot tell which hand was dealt first.")
    : t("Wins that were dealt within {seconds} seconds of each other count as simultaneous.", { seconds: upTo(3).format(window / 1000) });
  return [same, TIES[policy].long];
}
