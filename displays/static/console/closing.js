// The end of a gaming day: what was counted beside what was recorded, and the act that closes it.

import { t, woven } from "../catalogue.js";
import { path, post } from "./api.js";
import { ask } from "./dialog.js";
import { chip, grid, h } from "./dom.js";
import { effectOf } from "./effect.js";
import { amount, time } from "./format.js";
import { state } from "./shell.js";

/** What people count; amounts, or how many. */
const FIGURES = {
  rounds: t("Rounds"), voided: t("Voided rounds"), bets: t("Progressive bets"), wagered: t("Wagered"), returned: t("Returned"), returns: t("Bets returned"),
  minors: t("Minors paid"), majors: t("Majors paid"), laid: t("Laid"), won: t("Won by players"), collected: t("Collected"),
};
const HOW_MANY = ["rounds", "voided", "bets", "returns"];
const say = (figure, value, currency) => (HOW_MANY.includes(figure) ? String(value) : amount(value, currency));

const STATES = { current: [t("Under way"), ""], over: [t("Over, not closed"), "warn"], closed: [t("Closed"), "good"] };

/** A word on how far it is; `whole` for all that its closing says. */
export function closingOf(day, { whole = false, currency = "" } = {}) {
  if (!whole) return chip(...STATES[day.state]);
  const { by, at, note, compared, sequence } = day.closing;
  return h("section.panel", { "aria-labelledby": "closing-title", "data-key": "closing" }, h("h2", { id: "closing-title" }, t("Closing")),
    h("p", {}, woven("Closed by {person}, {time}, entry {entry}", { person: h("strong", {}, by), time: time(at, { date: true }), entry: sequence })),
    note ? h("p.remark", {}, note) : null,
    grid(t("What was counted"), [t("Figure"), `#${t("Recorded")}`, `#${t("Counted")}`, `#${t("Difference")}`, t("Note")], compared.map((one) => ({
      key: one.figure, kind: one.difference ? "warn" : null,
      cells: [FIGURES[one.figure], say(one.figure, one.recorded, currency), say(one.figure, one.counted, currency), say(one.figure, one.difference, currency), one.note],
    })), { empty: t("Nothing was counted by hand.") }),
    h("p.printed.signature", {}, t("Signature")));
}

function said(values, figures) {
  const counted = figures.filter((figure) => values[figure] !== null && values[figure] !== undefined)
    .map((figure) => ({ figure, counted: values[figure], note: values[`${figure} note`] ?? "" }));
  return { counted, note: values.note ?? "" };
}

function fields(figures) {
  return (values) => [
    ...figures.flatMap((figure) => [
      { name: figure, label: HOW_MANY.includes(figure) ? FIGURES[figure] : t("{figure}, {currency}", { figure: FIGURES[figure], currency: state.link.currency }), type: HOW_MANY.includes(figure) ? "whole" : "money" },
      values[figure] === null || values[figure] === undefined ? null : { name: `${figure} note`, label: t("Why it differs, if it does"), type: "text" },
    ]),
    { name: "note", label: t("Note"), type: "long" },
  ].filter(Boolean);
}

export function closeDay(day, figures, named) {
  return ask({
    title: t("Close {day}", { day: named }),
    intro: [h("p", {}, t("Enter what was counted by hand, as far as it was. The journal keeps it beside what was recorded; a difference needs a note."))],
    fields: fields(figures),
    effect: (values) => effectOf("close_day", day, said(values, figures)),
    act: async (values, key) => {
      await post(path(state.link.pit ? "pits" : "links", state.link.id, "days", day, "close"), said(values, figures), { key });
      return t("{day} is closed.", { day: named });
    },
    confirm: t("Close the day"),
    wide: true,
  });
}
