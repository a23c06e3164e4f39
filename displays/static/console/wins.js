// The majors in line: order, intervals, what they rest on, amounts, approvals; and those that were paid or closed.

import { t, woven } from "../catalogue.js";
import { get } from "./api.js";
import { breakEvenNote } from "./break_even.js";
import { ask, REASON } from "./dialog.js";
import { acts, button, chip, grid, h, show } from "./dom.js";
import { acting, effectOf } from "./effect.js";
import { cards, clock, handName, microsOf, money, span, time, words } from "./format.js";
import { decideOrder } from "./order.js";
import { showProof } from "./proof.js";
import { dealtWhen, peopleOf, restsOn } from "./rests.js";
import { linkPath, may, me, page, refresh, roundLink, start, state } from "./shell.js";
import { legend, openBefore, timeline } from "./timeline.js";
import { paidTogether, shareOf, togetherWith } from "./together.js";
import { waitReasons } from "./waiting.js";

const ENDS = { paid: "good", rejected: "bad", withdrawn: "" };
const SHOWN_BESIDE = ["order_ambiguous", "approvals_missing", "others_not_ready"];
const shown = { line: [], before: null, pages: [] };

async function read(link) {
  const [{ wins, next }, { tables }] = await Promise.all([get(linkPath("wins"), { limit: 20 }), get(linkPath("tables"))]);
  const line = wins.filter((win) => win.position !== null);
  const past = shown.before === null ? { wins: wins.filter((win) => win.position === null), next } : await get(linkPath("wins"), { before: shown.before, limit: 20 });
  shown.line = line;
  show(page,
    breakEvenNote(link),
    h("section.panel", { "aria-labelledby": "line-title", "data-key": "line" }, h("h2", { id: "line-title" }, t("Waiting to be paid"), line.length ? h("span.soft", {}, openBefore(line)) : null),
      line.length ? [h("div.drawing", { "data-key": "drawing" }, timeline(line, tables, Math.max(480, page.clientWidth - 40))), legend(line, tables, link), clusters(line), paidTogether(line, link), h("ol.wins", {}, line.map((win) => item(win, line, tables, link)))] : h("p.empty", {}, t("No wins are waiting."))),
    h("section.panel", { "aria-labelledby": "past-title", "data-key": "past" }, h("h2", { id: "past-title" }, t("Paid and closed")), history(past, link)));
}

function clusters(line) {
  const open = line.filter((win) => win.ambiguous);
  const groups = [...new Map(open.map((win) => [win.cluster.join(), win.cluster])).values()];
  return groups.map((cluster) => h("div.callout.warn", { "data-key": `cluster ${cluster[0]}` },
    h("p", {}, h("strong", {}, t("The order of {number} wins is unknown.", { number: cluster.length })), " ", woven("Their deal times overlap. Proposed order: {order}.", { order: cluster.map((id, index) => [index ? t(", then ") : "", h("span.whole", {}, id)]) })),
    may.decide ? button(t("Decide the order"), "order", cluster.join(" "), { kind: "main" }) : h("p.soft", {}, t("A supervisor must decide."))));
}

function item(win, line, tables, link) {
  const mine = win.approvals.some((one) => one.person === me.person);
  return h("li.win", { "data-key": win.id, class: win.ambiguous ? "win ambiguous" : "win" },
    h("div.place", {}, h("span.unseen", {}, t("Number"), " "), win.position),
    h("div.what", {}, h("h3", {}, handName(win.hand), " ", chip(words(win.state), win.state === "ordered" ? "good" : "warn")), h("p.soft", {}, woven("{table}, {round}, box {box}", { table: win.table, round: roundLink(win.table, win.round, t("round {round}", { round: win.round })), box: win.box })), cards(win.cards)),
    h("div.when", {}, h("p", {}, t("Dealt within {span}", { span: span(microsOf(win.interval.to) - microsOf(win.interval.from)) }), dealtWhen(win).map((text) => h("span.under", {}, text))),
      h("ul.reasons", {}, waitReasons(win, line, tables, { but: SHOWN_BESIDE }).map((text) => h("li", {}, text)))),
    h("div.money", {}, h("p.amount.figures", {}, money(win.amount, link.currency)), h("p.soft", {}, t("{share}, provisional", { share: shareOf(win, line) })), approvals(win, link)),
    restsOn(win, link),
    h("div.acts", {},
      may.act ? button(mine ? t("Approved by you") : t("Approve"), "approve", win.id, { kind: "main", label: mine ? t("You have approved {id}", { id: win.id }) : t("Approve {id}", { id: win.id }), disabled: mine }) : null,
      may.decide ? button(t("Reject"), "reject", win.id, { kind: "danger", label: t("Reject {id}", { id: win.id }) }) : null,
      button(t("Evidence"), "proof", win.id, { label: t("Evidence of {id}", { id: win.id }) })));
}

function approvals(win, { parameters }) {
  return h("div.approvals", {}, h("p", {}, t("{given} of {needed} approvals", { given: win.approvals.length, needed: win.approvals_needed })),
    win.approvals.map((one) => h("span.under", { "data-key": one.person, title: one.note }, `${one.person}, ${clock(one.at)}`)),
    h("p.under", {}, peopleOf(win, parameters.approvals)));
}

function history({ wins, next }, link) {
  const rows = wins.map((win) => ({
    key: win.id,
    cells: [
      [button(win.id, "proof", win.id, { kind: "link" }), h("span.under", {}, roundLink(win.table, win.round, t("round {round} at {table}", { round: win.round, table: win.table })))],
      handName(win.hand),
      cards(win.cards),
      chip(words(win.state), ENDS[win.state]),
      money(win.amount, link.currency),
      win.approvals.map((one) => one.person).join(", ") || "—",
      time(win.ended_at, { date: true }),
    ],
  }));
  return [
    grid(t("Wins that were paid or closed"), [t("Win"), t("Hand"), t("Cards"), t("State"), `#${t("Paid")}`, t("Approved by"), t("Ended")], rows, { empty: t("None yet.") }),
    h("div.buttons", {}, shown.pages.length ? button(t("Newer"), "later", "") : null, next ? button(t("Older"), "earlier", next) : null),
  ];
}

const found = (id) => shown.line.find((win) => win.id === id);

function approve(id) {
  const win = found(id);
  return ask({
    title: t("Approve {hand} at {table}", { hand: handName(win.hand).toLowerCase(), table: win.table }),
    intro: [h("p.headline", {}, cards(win.cards)), h("p", {}, t("You confirm the hand, box {box} and the bet of {bet}.", { box: win.box, bet: money(win.bet, state.link.currency) })), restsOn(win, state.link), togetherWith(win), h("p", {}, peopleOf(win, state.link.parameters.approvals))],
    fields: () => [{ name: "note", label: t("Note"), type: "long" }],
    effect: (said) => effectOf("approve", id, { note: said.note ?? "" }),
    act: async (said, key) => {
      const told = await acting(linkPath("wins", id, "approve"), said, key);
      return told.state === "paid" ? t("{id} is approved and paid.", { id }) : t("{id}: {given} of {needed} approvals.", { id, given: told.approvals_given, needed: win.approvals_needed });
    },
    confirm: t("Approve"),
  });
}

function reject(id) {
  const win = found(id);
  const whole = win.percent === 100;
  return ask({
    title: t("Reject {hand} at {table}", { hand: handName(win.hand).toLowerCase(), table: win.table }),
    intro: [h("p.headline", {}, cards(win.cards)), h("p", {}, whole ? t("Two people must reject a win of the whole jackpot: this makes a proposal.") : t("It will not be paid."))],
    fields: () => [REASON],
    effect: (said) => effectOf("reject", id, { reason: said.reason ?? "" }),
    act: async (said, key) => {
      const told = await acting(linkPath("wins", id, "reject"), said, key);
      return told.proposal ? t("Proposed as {proposal}. Another person must confirm it.", { proposal: told.proposal }) : t("{id} is rejected.", { id });
    },
    confirm: whole ? t("Propose the rejection") : t("Reject"),
    kind: "danger",
  });
}

if (page) {
  acts(page, {
    approve,
    reject,
    proof: showProof,
    order: (ids) => decideOrder(ids.split(" ").map(found)),
    earlier: (next) => {
      shown.pages.push(shown.before);
      shown.before = Number(next);
      refresh();
    },
    later: () => {
      shown.before = shown.pages.pop() ?? null;
      refresh();
    },
  });
  start(read);
  addEventListener("resize", refresh);
}
