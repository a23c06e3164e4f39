// Wins that count as simultaneous and are paid together: what each is paid, and what keeps all of them waiting.

import { POLICIES } from "./awards.js";
import { h } from "./dom.js";
import { money } from "./format.js";

const listed = (items) => (items.length > 1 ? `${items.slice(0, -1).join(", ")} and ${items.at(-1)}` : items.join(""));

/** A note for each group in line. */
export function paidTogether(line, { currency }) {
  const groups = new Map(line.filter((win) => win.together.length).map((win) => [win.together.join(), win.together]));
  return [...groups.values()].map((ids) => note(ids.map((id) => line.find((win) => win.id === id)), currency));
}

function note(wins, currency) {
  return h("div.callout.together", { "data-key": `together ${wins[0].id}` },
    h("p", {}, h("strong", {}, `These ${wins.length} wins count as simultaneous and are paid together: ${amounts(wins, currency)}. `), `${POLICIES[wins[0].policy].what} ${approvals(wins)}`));
}

function amounts(wins, currency) {
  if (wins.every((win) => win.amount === wins[0].amount)) return `each is paid ${money(wins[0].amount, currency)}`;
  return listed(wins.map((win) => `${win.id} is paid ${money(win.amount, currency)}`));
}

function approvals(wins) {
  const missing = wins.filter((win) => win.approvals.length < win.approvals_needed);
  const all = "All must be approved before any of them is paid";
  if (!missing.length) return `${all}: they are.`;
  return `${all}: ${listed(missing.map((win) => `${win.id} has ${win.approvals.length} of ${win.approvals_needed} approvals`))}.`;
}

/** "10 % of the jackpot, shared by 2" */
export function shareOf(win, line) {
  const sharing = win.policy === "split" ? line.filter((one) => win.together.includes(one.id) && one.hand === win.hand && one.registered?.sequence === win.registered?.sequence).length : 1;
  return `${win.percent} % of the jackpot${sharing > 1 ? `, shared by ${sharing}` : ""}`;
}

/** For whoever approves one of them. */
export function togetherWith(win) {
  const others = win.together.filter((id) => id !== win.id);
  return others.length ? h("p", {}, `It is paid together with ${listed(others)}, once all of them are approved.`) : null;
}
