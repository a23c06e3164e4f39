// That the displayed value has passed the point from which a bet returns more than it costs.

import { t, woven } from "../catalogue.js";
import { h } from "./dom.js";
import { money, time } from "./format.js";

const share = (ppm) => (ppm < 100 ? t("less than 0.01 %") : `${(ppm / 10_000).toFixed(2)} %`);

export function breakEvenNote({ break_even: told, currency }) {
  if (!told.passed) return null;
  return h("div.callout.warn", { "data-key": "break-even", id: "break-even" },
    h("p", {}, h("strong", {}, t("Bets favour the players by {share}.", { share: share(-told.edge_ppm) })), " ",
      told.passed_at
        ? woven("The displayed value passed {value}, where a bet returns what it costs, on {time}.", { value: money(told.value, currency), time: time(told.passed_at, { date: true }) })
        : t("The displayed value passed {value}, where a bet returns what it costs, long ago.", { value: money(told.value, currency) })));
}
