// Everything that proves a win: evidence, order, payment, and what the journal says of it.

import { get } from "./api.js";
import { tellAll } from "./dialog.js";
import { chip, grid, h } from "./dom.js";
import { cards, handName, money, span, time, words } from "./format.js";
import { linkPath, state } from "./shell.js";

export async function showProof(id) {
  const win = await get(linkPath("wins", id));
  const inCents = (cents) => money(cents, state.link.currency);
  tellAll(`${handName(win.hand)} ${win.id}`,
    h("p.headline", {}, cards(win.cards), chip(words(win.state), win.state === "paid" ? "good" : ""), h("strong.figures", {}, inCents(win.amount))),
    section("The deal", evidence(win)),
    section("The order", order(win)),
    win.payment ? section("The payment", facts([
      ["Displayed value before", inCents(win.payment.value_before)],
      ["Share", `${win.payment.percent} %`],
      ["Paid", inCents(win.payment.amount)],
      ["Displayed value after", inCents(win.payment.value_after)],
      ["Approved by", win.approvers.join(", ")],
      ["Journal entry", `${win.payment.sequence}`],
      ["Hash", h("code", {}, win.payment.hash)],
    ])) : null,
    section("The journal", grid("Entries of the journal", ["#Entry", "Time", "What", "#Meter"], win.entries.map((one) => ({
      key: one.sequence,
      cells: [one.sequence, time(one.at, { digits: 3, date: true }), one.kind, inCents(one.value)],
    })))));
}

function evidence({ evidence: told, interval, bet }) {
  return facts([
    ["Progressive bet", money(bet, state.link.currency)],
    ["Dealt, by the table's clock", time(told.dealt_at, { digits: 6 })],
    ["Sent, by the table's clock", time(told.sent_at, { digits: 6 })],
    ["Received", time(told.received_at, { digits: 6 })],
    ["Bets closed, at the earliest", time(told.bets_closed_from, { digits: 6 })],
    ["Clock", `offset ${span(told.offset_us)}, error ± ${span(told.error_us)}${told.suspect ? ", suspect" : ""}`],
    ["So dealt between", [time(interval.from, { digits: 6 }), " and ", time(interval.to, { digits: 6 })]],
  ]);
}

function order({ order: told }) {
  const marks = told.marks ? Object.entries(told.marks) : [];
  return facts([
    ["Place in line", told.position ?? "—"],
    ["Cluster", told.cluster.length > 1 ? told.cluster.join(", ") : "alone"],
    ["Decided by", told.decided_by ? `${told.decided_by}: ${told.reason}` : told.ambiguous ? "not decided yet" : "no decision was needed"],
    ["Ordered", time(told.ordered_at, { digits: 3 })],
    ["Marks then", marks.length ? h("ul.plain", {}, marks.map(([table, mark]) => h("li", {}, `${table} `, time(mark, { digits: 6 })))) : "—"],
  ]);
}

const section = (title, ...content) => h("section", {}, h("h3", {}, title), content);

export function facts(pairs) {
  return h("dl.facts", {}, pairs.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
}
