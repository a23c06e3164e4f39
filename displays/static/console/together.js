// Wins that count as simultaneous and are paid together: what each is paid, and what keeps all of them waiting.

import { listed, t } from "../catalogue.js";
import { POLICIES } from "./awards.js";
import { h } from "./dom.js";
import { money } from "./format.js";

/** A note for each group in line. */
export function paidTogether(line, { currency }) {
  const groups = new Map(line.filter((win) => win.together.length).map((win) => [win.together.join(), win.together]));
  return [...groups.values()].map((ids) => note(ids.map((id) => line.find((win) => win.id === id)), currency));
}

function note(wins, currency) {
  return h("div.callout.together", { "data-key": `together ${wins[0].id}` },
    h("p", {}, h("strong", {}, t("These {number} wins count as simultaneous and are paid together: {amounts}.", { number: wins.length, amounts: amounts(wins, currency) })), ` ${POLICIES[wins[0].policy].what} ${approvals(wins)}`));
}

function amounts(wins, currency) {
  if (wins.every((win) => win.amount === wins[0].amount)) return t("each is paid {amount}", { amount: money(wins[0].amount, currency) });
  return listed(wins.map((win) => t("{id} is paid {amount}", { id: win.id, amount: money(win.amount, currency) })));
}

function approvals(wins) {
  const missing = wins.filter((win) => win.approvals.length < win.approvals_needed);
  if (!missing.length) return t("All must be approved before any of them is paid: they are.");
  const states = missing.map((win) => t("{id} has {given} of {needed} approvals", { id: win.id, given: win.approvals.length, needed: win.approvals_needed }));
  return t("All must be approved before any of them is paid: {states}.", { states: listed(states) });
}

/** "10 % of the jackpot, shared by 2" */
export function shareOf(win, line) {
  const sharing = win.policy === "split" ? line.filter((one) => win.together.includes(one.id) && one.hand === win.hand && one.registered?.sequence === win.registered?.sequence).length : 1;
  return sharing > 1 ? t("{percent} % of the jackpot, shared by {number}", { percent: win.percent, number: sharing }) : t("{percent} % of the jackpot", { percent: win.percent });
}

/** For whoever approves one of them. */
export function togetherWith(win) {
  const others = win.together.filter((id) => id !== win.id);
  return others.length ? h("p", {}, t("It is paid together with {others}, once all of them are approved.", { others: listed(others) })) : null;
}
