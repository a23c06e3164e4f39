// How hands, amounts and times are said to people.

import { locale, t, translated } from "./catalogue.js";

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

export function figures(cents) {
  const sign = cents < 0 ? "-" : "";
  const whole = Math.trunc(Math.abs(cents) / 100).toString();
  const parts = String(Math.abs(cents) % 100).padStart(2, "0");
  return `${sign}${whole.replace(/\B(?=(\d{3})+$)/g, ",")}.${parts}`;
}

export function money(cents, currency) {
  return `${currency} ${figures(cents)}`;
}

/** Of a bet; cents are left out where both ends have none. */
export function limits({ minimum, maximum }, currency) {
  const whole = [minimum, maximum].every((cents) => cents === null || cents % 100 === 0);
  const [least, most] = [minimum, maximum].map((cents) => (cents === null ? null : whole ? figures(cents).slice(0, -3) : figures(cents)));
  if (least === null) return most === null ? "" : t("up to {currency} {most}", { currency, most });
  return most === null ? t("from {currency} {least}", { currency, least }) : t("{currency} {least} to {most}", { currency, least, most });
}

export function timeOfDay(instant) {
  return new Date(instant).toLocaleTimeString(locale, { hourCycle: "h23" });
}
