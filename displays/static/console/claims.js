// Late claims: majors that came after a later one was paid, or after their round was settled.

import { t } from "../catalogue.js";
import { get, path } from "./api.js";
import { ask, REASON } from "./dialog.js";
import { acts, button, chip, grid, h, show } from "./dom.js";
import { acting, effectOf } from "./effect.js";
import { cards, clock, handName, microsOf, money, span, time, words } from "./format.js";
import { facts } from "./proof.js";
import { linkPath, may, page, roundLink, start, state } from "./shell.js";

const WHY = {
  overlaps_paid: t("It may have been dealt before a win that has already been paid."),
  round_settled: t("It was reported after its round was settled."),
  before_paid_royal: t("Because of a malfunction it would be paid from an earlier value of the pool, but a royal flush has emptied the pool since."),
  promise_denied: t("Its table finished the round without the service, on a jackpot value that is not in the journal."),
};
let open = [];

async function read(link) {
  const { claims } = await get(linkPath("claims"), { limit: 50 });
  open = claims.filter((one) => one.state === "open");
  const past = claims.filter((one) => one.state !== "open");
  show(page,
    h("section.panel", { "aria-labelledby": "open-title", "data-key": "open" }, h("h2", { id: "open-title" }, t("To be decided by two people")),
      open.length ? h("ul.claims", {}, open.map((one) => item(one, link))) : h("p.empty", {}, t("No claims are waiting."))),
    h("section.panel", { "aria-labelledby": "past-title", "data-key": "past" }, h("h2", { id: "past-title" }, t("Decided or withdrawn")),
      grid(t("Past claims"), [t("Claim"), t("Hand"), t("Outcome"), `#${t("Paid")}`, t("By"), t("Why"), t("Ended")], past.map((one) => row(one, link)), { empty: t("None yet.") })));
}

function item(one, link) {
  const outcome = ([, name, text, minor]) => h("div.outcome", {}, h("h4", {}, name), h("p.amount.figures", {}, money(minor, link.currency)), h("p.soft", {}, text));
  return h("li.claim", { "data-key": one.id },
    h("div.what", {}, h("h3", {}, t("{hand}, {table}, round {round}, box {box}", { hand: handName(one.hand), table: one.table, round: one.round, box: one.box })), cards(one.cards), h("p", {}, WHY[one.reason] ?? words(one.reason))),
    facts([
      [t("Dealt"), t("{from} or up to {span} later", { from: clock(one.interval.from, { digits: 3 }), span: span(microsOf(one.interval.to) - microsOf(one.interval.from)) })],
      [t("Bet"), money(one.bet, link.currency)],
      [t("Evidence"), roundLink(one.table, one.round, t("round {round} at {table}", { round: one.round, table: one.table }))],
      [t("Journal entry"), one.sequence],
    ]),
    h("div.outcomes", {}, outcomes(one).map(outcome)),
    h("div.row", {}, one.proposals.length ? h("p", {}, chip(t("proposed"), "warn"), " ", h("a", { href: "/console/changes" }, t("Decision {proposals} is waiting for a second person", { proposals: one.proposals.join(", ") }))) : null,
      may.act ? button(t("Propose a decision"), "decide", one.id, { kind: "main", label: t("Propose a decision on {id}", { id: one.id }) }) : null));
}

function outcomes({ outcomes: told }) {
  const found = [["in_order", t("In order"), t("All payments recalculated with this claim in its place."), told.in_order], ["registered", t("Registered"), t("From the amount registered before it was dealt."), told.registered]];
  return told.promised === null ? found : [...found, ["promised", t("Promised"), t("What its table promised the players while it could not reach the service."), told.promised]];
}

function row(one, link) {
  return { key: one.id, cells: [roundLink(one.table, one.round, one.id), handName(one.hand), words(one.outcome ?? one.state), money(one.amount, link.currency), one.persons.join(", ") || "—", one.decision ?? "—", time(one.ended_at, { date: true })] };
}

function decide(id) {
  const one = open.find((found) => found.id === id);
  const amounts = outcomes(one).map(([outcome, name, text, minor]) => [outcome, `${name}: ${money(minor, state.link.currency)}`, text]);
  return ask({
    title: t("Propose a decision on {id}", { id }),
    intro: [h("p.headline", {}, cards(one.cards)), h("p", {}, WHY[one.reason] ?? words(one.reason))],
    fields: () => [
      { name: "outcome", label: t("Outcome"), type: "choice", required: true, options: [...amounts, ["refused", t("Refused"), t("Nothing is paid.")]] },
      REASON,
    ],
    effect: async (said) => (said.outcome ? effectOf("decide", id, { outcome: said.outcome, reason: said.reason ?? "" }) : [h("p.soft", {}, t("Choose an outcome."))]),
    act: async (said, key) => t("Proposed as {proposal}. Another person must confirm it.", await acting(path("claims", id, "decide"), said, key)),
    confirm: t("Propose"),
    wide: true,
  });
}

if (page) {
  acts(page, { decide });
  start(read);
}
