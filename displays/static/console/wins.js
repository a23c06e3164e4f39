// The majors in line: order, intervals, what they rest on, amounts, approvals; and those that were paid or closed.

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
    h("section.panel", { "aria-labelledby": "line-title", "data-key": "line" }, h("h2", { id: "line-title" }, "Waiting to be paid", line.length ? h("span.soft", {}, openBefore(line)) : null),
      line.length ? [h("div.drawing", { "data-key": "drawing" }, timeline(line, tables, Math.max(480, page.clientWidth - 40))), legend(line, tables, link), clusters(line), paidTogether(line, link), h("ol.wins", {}, line.map((win) => item(win, line, tables, link)))] : h("p.empty", {}, "No wins are waiting.")),
    h("section.panel", { "aria-labelledby": "past-title", "data-key": "past" }, h("h2", { id: "past-title" }, "Paid and closed"), history(past, link)));
}

function clusters(line) {
  const open = line.filter((win) => win.ambiguous);
  const groups = [...new Map(open.map((win) => [win.cluster.join(), win.cluster])).values()];
  return groups.map((cluster) => h("div.callout.warn", { "data-key": `cluster ${cluster[0]}` },
    h("p", {}, h("strong", {}, `The order of ${cluster.length} wins is unknown. `), "Their deal times overlap. Proposed order: ", cluster.map((id, index) => [index ? ", then " : "", h("span.whole", {}, id)]), "."),
    may.decide ? button("Decide the order", "order", cluster.join(" "), { kind: "main" }) : h("p.soft", {}, "A supervisor must decide.")));
}

function item(win, line, tables, link) {
  const mine = win.approvals.some((one) => one.person === me.person);
  return h("li.win", { "data-key": win.id, class: win.ambiguous ? "win ambiguous" : "win" },
    h("div.place", {}, h("span.unseen", {}, "Number "), win.position),
    h("div.what", {}, h("h3", {}, handName(win.hand), " ", chip(words(win.state), win.state === "ordered" ? "good" : "warn")), h("p.soft", {}, `${win.table}, `, roundLink(win.table, win.round, `round ${win.round}`), `, box ${win.box}`), cards(win.cards)),
    h("div.when", {}, h("p", {}, `Dealt within ${span(microsOf(win.interval.to) - microsOf(win.interval.from))}`, dealtWhen(win).map((text) => h("span.under", {}, text))),
      h("ul.reasons", {}, waitReasons(win, line, tables, { but: SHOWN_BESIDE }).map((text) => h("li", {}, text)))),
    h("div.money", {}, h("p.amount.figures", {}, money(win.amount, link.currency)), h("p.soft", {}, `${shareOf(win, line)}, provisional`), approvals(win, link)),
    restsOn(win, link),
    h("div.acts", {},
      may.act ? button(mine ? "Approved by you" : "Approve", "approve", win.id, { kind: "main", label: mine ? `You have approved ${win.id}` : `Approve ${win.id}`, disabled: mine }) : null,
      may.decide ? button("Reject", "reject", win.id, { kind: "danger", label: `Reject ${win.id}` }) : null,
      button("Evidence", "proof", win.id, { label: `Evidence of ${win.id}` })));
}

function approvals(win, { parameters }) {
  return h("div.approvals", {}, h("p", {}, `${win.approvals.length} of ${win.approvals_needed} approvals`),
    win.approvals.map((one) => h("span.under", { "data-key": one.person, title: one.note }, `${one.person}, ${clock(one.at)}`)),
    h("p.under", {}, peopleOf(win, parameters.approvals)));
}

function history({ wins, next }, link) {
  const rows = wins.map((win) => ({
    key: win.id,
    cells: [
      [button(win.id, "proof", win.id, { kind: "link" }), h("span.under", {}, roundLink(win.table, win.round, `round ${win.round} at ${win.table}`))],
      handName(win.hand),
      cards(win.cards),
      chip(words(win.state), ENDS[win.state]),
      money(win.amount, link.currency),
      win.approvals.map((one) => one.person).join(", ") || "—",
      time(win.ended_at, { date: true }),
    ],
  }));
  return [
    grid("Wins that were paid or closed", ["Win", "Hand", "Cards", "State", "#Paid", "Approved by", "Ended"], rows, { empty: "None yet." }),
    h("div.buttons", {}, shown.pages.length ? button("Newer", "later", "") : null, next ? button("Older", "earlier", next) : null),
  ];
}

const found = (id) => shown.line.find((win) => win.id === id);

function approve(id) {
  const win = found(id);
  return ask({
    title: `Approve ${handName(win.hand).toLowerCase()} at ${win.table}`,
    intro: [h("p.headline", {}, cards(win.cards)), h("p", {}, `You confirm the hand, box ${win.box} and the bet of ${money(win.bet, state.link.currency)}.`), restsOn(win, state.link), togetherWith(win), h("p", {}, peopleOf(win, state.link.parameters.approvals))],
    fields: () => [{ name: "note", label: "Note", type: "long" }],
    effect: (said) => effectOf("approve", id, { note: said.note ?? "" }),
    act: async (said, key) => {
      const told = await acting(linkPath("wins", id, "approve"), said, key);
      return told.state === "paid" ? `${id} is approved and paid.` : `${id}: ${told.approvals_given} of ${win.approvals_needed} approvals.`;
    },
    confirm: "Approve",
  });
}

function reject(id) {
  const win = found(id);
  const whole = win.percent === 100;
  return ask({
    title: `Reject ${handName(win.hand).toLowerCase()} at ${win.table}`,
    intro: [h("p.headline", {}, cards(win.cards)), h("p", {}, whole ? "Two people must reject a win of the whole jackpot: this makes a proposal." : "It will not be paid.")],
    fields: () => [REASON],
    effect: (said) => effectOf("reject", id, { reason: said.reason ?? "" }),
    act: async (said, key) => {
      const told = await acting(linkPath("wins", id, "reject"), said, key);
      return told.proposal ? `Proposed as ${told.proposal}. Another person must confirm it.` : `${id} is rejected.`;
    },
    confirm: whole ? "Propose the rejection" : "Reject",
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
