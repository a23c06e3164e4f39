// Why a win is not paid yet, in sentences.

import { t } from "../catalogue.js";
import { clock } from "./format.js";

/** "round 41 at holdem-01, open since 23:14:05" */
function openRound([id, round], tables) {
  const table = tables.find((one) => one.id === id);
  const said = { round, table: id };
  const since = table?.round?.round === round ? t("round {round} at {table}, open since {time}", { ...said, time: clock(table.round.journalled_at) }) : t("round {round} at {table}", said);
  return table?.alerts.some((alert) => alert.code === "table_silent") ? t("{round}, and the table is silent", { round: since }) : since;
}

export function waitReasons(win, line, tables, { but = [] } = {}) {
  const first = line[0];
  const rounds = Object.entries(win.waiting_for_rounds).map((one) => openRound(one, tables));
  const say = {
    rounds_open: rounds.length > 1 ? t("Waiting for {rounds}: they may contain an earlier hand.", { rounds: rounds.join(t("; for ")) }) : t("Waiting for {rounds}: it may contain an earlier hand.", { rounds: rounds.join("") }),
    order_ambiguous: t("It is not known which hand was dealt first: the House must decide the order (rule 4.5.2)."),
    earlier_win: first.together.length ? t("Waiting for {wins}, which are paid first.", { wins: first.together.join(", ") }) : t("Waiting for {id}, which is paid first.", { id: first.id }),
    approvals_missing: t("{given} of {needed} approvals.", { given: win.approvals.length, needed: win.approvals_needed }),
    others_not_ready: t("Waiting for {wins}: they are paid together.", { wins: win.together.filter((id) => id !== win.id).join(", ") }),
    window_open: t("Waiting until a hand that is dealt now no longer counts as simultaneous."),
  };
  return win.reasons.filter((reason) => !but.includes(reason)).map((reason) => say[reason] ?? reason);
}
