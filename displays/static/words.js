// How hands, amounts and times are said to people.

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
  if (least === null) return most === null ? "" : `up to ${currency} ${most}`;
  return most === null ? `from ${currency} ${least}` : `${currency} ${least} to ${most}`;
}

export function timeOfDay(instant) {
  return new Date(instant).toLocaleTimeString("en-GB");
}
