// What a bet pays, in proportion to it.

import { t } from "./catalogue.js";

const grouped = (text) => text.replace(/\d(?=(\d{3})+\b)/g, "$&,");

/** "3 to 2", as the rules of a game write it, in the reader's language. */
export function odds(text) {
  const [pays, stake] = grouped(text).split(" to ");
  return stake === undefined ? pays : t("{pays} to {stake}", { pays, stake });
}
