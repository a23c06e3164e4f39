// How hands, amounts and times are said to people.

import { locale, t, translated } from "./catalogue.js";
import { decimalsOf, figures } from "./currency.js";

const HANDS = {
  royal_flush: t("Royal Flush"),
  straight_flush: t("Straight Flush"),
  four_of_a_kind: t("Four of a Kind"),
  full_house: t("Full House"),
  flush: t("Flush"),
  straight: t("Straight"),
  three_of_a_kind: t("Three of a Kind"),
  two_pairs: t("Two Pairs"),
  one_pair: t("One Pair"),
  five_odd_cards: t("Five Odd Cards"),
};

export function handName(hand) {
  return HANDS[hand] ?? translated(hand.replaceAll("_", " "));
}

export function money(minor, currency) {
  return `${currency} ${figures(minor, currency)}`;
}

/** Of a bet; decimals are left out where both ends have none. */
export function limits({ minimum, maximum }, currency) {
  const decimals = decimalsOf(currency);
  const whole = decimals > 0 && [minimum, maximum].every((minor) => minor === null || minor % 10 ** decimals === 0);
  const text = (minor) => (whole ? figures(minor, currency).slice(0, -1 - decimals) : figures(minor, currency));
  if (minimum === null) return maximum === null ? "" : t("up to {currency} {maximum}", { currency, maximum: text(maximum) });
  return maximum === null ? t("from {currency} {minimum}", { currency, minimum: text(minimum) }) : t("{currency} {minimum} to {maximum}", { currency, minimum: text(minimum), maximum: text(maximum) });
}

export function timeOfDay(instant) {
  return new Date(instant).toLocaleTimeString(locale, { hourCycle: "h23" });
}
