// Why a win is not paid yet, in sentences.

import { clock } from "./format.js";

/** "round 41 at holdem-01, open since 23:14:05" */
function openRound([id, round], tables) {
  const table = tables.find((one) => one.id === id);
  const since = table?.round?.round === round ? `, open since ${clock(table.round.journalled_at)}` : "";
  const silent = table?.alerts.some((alert) => alert.code === "table_silent") ? ", and the table is silent" : "";
  return `round ${round} at ${id}${since}${silent}`;
}

export function waitReasons(win, line, tables, { but = [] } = {}) {
  const first = line[0];
  const rounds = Object.entries(win.waiting_for_rounds).map((one) => openRound(one, tables));
  const say = {
    rounds_open: `Waiting for ${rounds.join("; for ")}: ${rounds.length > 1 ? "they" : "it"} may contain an earlier hand.`,
    order_ambiguous: "It is not known which hand was dealt first: the House must decide the order (rule 4.5.2).",
    earlier_win: first.together.length ? `Waiting for ${first.together.join(", ")}, which are paid first.` : `Waiting for ${first.id}, which is paid first.`,
    approvals_missing: `${win.approvals.length} of ${win.approvals_needed} approvals.`,
    others_not_ready: `Waiting for ${win.together.filter((id) => id !== win.id).join(", ")}: they are paid together.`,
    window_open: "Waiting until a hand that is dealt now no longer counts as simultaneous.",
  };
  return win.reasons.filter((reason) => !but.includes(reason)).map((reason) => say[reason] ?? reason);
}
