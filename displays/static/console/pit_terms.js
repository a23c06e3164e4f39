// What a table in a pit plays: its limits, in words.

import { t, translated } from "../catalogue.js";
import { h } from "./dom.js";
import { amount } from "./format.js";

function between({ minimum, maximum }, currency) {
  if (minimum === null && maximum === null) return null;
  if (minimum === null) return t("up to {currency} {maximum}", { currency, maximum: amount(maximum, currency) });
  return maximum === null ? t("from {currency} {minimum}", { currency, minimum: amount(minimum, currency) }) : t("{currency} {minimum} to {maximum}", { currency, minimum: amount(minimum, currency), maximum: amount(maximum, currency) });
}

export function limitsOf(terms, currency) {
  const side = terms.side.map((one) => [translated(one.name), between(one, currency)]).filter(([, said]) => said);
  return [between(terms.limits, currency) ?? t("no limits"), side.map(([name, said]) => h("span.under", {}, `${name} ${said}`))];
}
