// How hands, amounts and times are said to people.

import { decimalsOf, figures } from "./currency.js";

const HANDS = {
  royal_flush: "Royal Flush",
  straight_flush: "Straight Flush",
  four_of_a_kind: "Four of a Kind",
  full_house: "Full House",
  flush: "Flush",
  straight: "Straight",
  three_of_a_kind: "Three of a Kind",
  two_pairs: "Two Pairs",
  one_pair: "One Pair",
  five_odd_cards: "Five Odd Cards",
};

export function handName(hand) {
  return HANDS[hand] ?? hand.replaceAll("_", " ");
}

export function money(minor, currency) {
  return `${currency} ${figures(minor, currency)}`;
}

/** Of a bet; decimals are left out where both ends have none. */
export function limits({ minimum, maximum }, currency) {
  const decimals = decimalsOf(currency);
  const whole = decimals > 0 && [minimum, maximum].every((minor) => minor === null || minor % 10 ** decimals === 0);
  const text = (minor) => (whole ? figures(minor, currency).slice(0, -1 - decimals) : figures(minor, currency));
  if (minimum === null) return maximum === null ? "" : `up to ${currency} ${text(maximum)}`;
  return maximum === null ? `from ${currency} ${text(minimum)}` : `${currency} ${text(minimum)} to ${text(maximum)}`;
}

export function timeOfDay(instant) {
  return new Date(instant).toLocaleTimeString("en-GB");
}
