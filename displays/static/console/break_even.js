// That the displayed value has passed the point from which a bet returns more than it costs.

import { h } from "./dom.js";
import { money, time } from "./format.js";

const share = (ppm) => (ppm < 100 ? "less than 0.01 %" : `${(ppm / 10_000).toFixed(2)} %`);

export function breakEvenNote({ break_even: told, currency }) {
  if (!told.passed) return null;
  return h("div.callout.warn", { "data-key": "break-even", id: "break-even" },
    h("p", {}, h("strong", {}, `Bets favour the players by ${share(-told.edge_ppm)}. `),
      `The displayed value passed ${money(told.value, currency)}, where a bet returns what it costs`, told.passed_at ? [", on ", time(told.passed_at, { date: true })] : ", long ago", "."));
}
