// Late claims: majors that came after a later one was paid, or after their round was settled.

import { get, path } from "./api.js";
import { ask, REASON } from "./dialog.js";
import { acts, button, chip, grid, h, show } from "./dom.js";
import { acting, effectOf } from "./effect.js";
import { cards, clock, handName, microsOf, money, span, time, words } from "./format.js";
import { facts } from "./proof.js";
import { linkPath, may, page, roundLink, start, state } from "./shell.js";

const WHY = {
  overlaps_paid: "It may have been dealt before a win that has already been paid.",
  round_settled: "It was reported after its round was settled.",
  before_paid_royal: "Because of a malfunction it would be paid from an earlier value of the pool, but a royal flush has emptied the pool since.",
  promise_denied: "Its table finished the round without the service, on a jackpot value that is not in the journal.",
};
let open = [];

async function read(link) {
  const { claims } = await get(linkPath("claims"), { limit: 50 });
  open = claims.filter((one) => one.state === "open");
  const past = claims.filter((one) => one.state !== "open");
  show(page,
    h("section.panel", { "aria-labelledby": "open-title", "data-key": "open" }, h("h2", { id: "open-title" }, "To be decided by two people"),
      open.length ? h("ul.claims", {}, open.map((one) => item(one, link))) : h("p.empty", {}, "No claims are waiting.")),
    h("section.panel", { "aria-labelledby": "past-title", "data-key": "past" }, h("h2", { id: "past-title" }, "Decided or withdrawn"),
      grid("Past claims", ["Claim", "Hand", "Outcome", "#Paid", "By", "Why", "Ended"], past.map((one) => row(one, link)), { empty: "None yet." })));
}

function item(one, link) {
  const outcome = ([name, text, minor]) => h("div.outcome", {}, h("h4", {}, name), h("p.amount.figures", {}, money(minor, link.currency)), h("p.soft", {}, text));
  return h("li.claim", { "data-key": one.id },
    h("div.what", {}, h("h3", {}, `${handName(one.hand)}, ${one.table}, round ${one.round}, box ${one.box}`), cards(one.cards), h("p", {}, WHY[one.reason] ?? words(one.reason))),
    facts([
      ["Dealt", `${clock(one.interval.from, { digits: 3 })} or up to ${span(microsOf(one.interval.to) - microsOf(one.interval.from))} later`],
      ["Bet", money(one.bet, link.currency)],
      ["Evidence", roundLink(one.table, one.round, `round ${one.round} at ${one.table}`)],
      ["Journal entry", one.sequence],
    ]),
    h("div.outcomes", {}, outcomes(one).map(outcome)),
    h("div.row", {}, one.proposals.length ? h("p", {}, chip("proposed", "warn"), " ", h("a", { href: "/console/changes" }, `Decision ${one.proposals.join(", ")} is waiting for a second person`)) : null,
      may.act ? button("Propose a decision", "decide", one.id, { kind: "main", label: `Propose a decision on ${one.id}` }) : null));
}

function outcomes({ outcomes: told }) {
  const found = [["In order", "All payments recalculated with this claim in its place.", told.in_order], ["Registered", "From the amount registered before it was dealt.", told.registered]];
  return told.promised === null ? found : [...found, ["Promised", "What its table promised the players while it could not reach the service.", told.promised]];
}

function row(one, link) {
  return { key: one.id, cells: [roundLink(one.table, one.round, one.id), handName(one.hand), one.outcome ? words(one.outcome) : one.state, money(one.amount, link.currency), one.persons.join(", ") || "—", one.decision ?? "—", time(one.ended_at, { date: true })] };
}

function decide(id) {
  const one = open.find((found) => found.id === id);
  const amounts = outcomes(one).map(([name, text, minor]) => [name.toLowerCase().replace(" ", "_"), `${name}: ${money(minor, state.link.currency)}`, text]);
  return ask({
    title: `Propose a decision on ${id}`,
    intro: [h("p.headline", {}, cards(one.cards)), h("p", {}, WHY[one.reason] ?? words(one.reason))],
    fields: () => [
      { name: "outcome", label: "Outcome", type: "choice", required: true, options: [...amounts, ["refused", "Refused", "Nothing is paid."]] },
      REASON,
    ],
    effect: async (said) => (said.outcome ? effectOf("decide", id, { outcome: said.outcome, reason: said.reason ?? "" }) : [h("p.soft", {}, "Choose an outcome.")]),
    act: async (said, key) => `Proposed as ${(await acting(path("claims", id, "decide"), said, key)).proposal}. Another person must confirm it.`,
    confirm: "Propose",
    wide: true,
  });
}

if (page) {
  acts(page, { decide });
  start(read);
}
