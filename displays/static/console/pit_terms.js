// What a table in a pit plays: its limits, in words.

import { h } from "./dom.js";
import { amount } from "./format.js";

function between({ minimum, maximum }, currency) {
  if (minimum === null && maximum === null) return null;
  if (minimum === null) return `up to ${currency} ${amount(maximum, currency)}`;
  return maximum === null ? `from ${currency} ${amount(minimum, currency)}` : `${currency} ${amount(minimum, currency)} to ${amount(maximum, currency)}`;
}

export function limitsOf(terms, currency) {
  const side = terms.side.map((one) => [one.name, between(one, currency)]).filter(([, said]) => said);
  return [between(terms.limits, currency) ?? "no limits", side.map(([name, said]) => h("span.under", {}, `${name} ${said}`))];
}
