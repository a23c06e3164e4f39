// Why a win is not paid yet, in sentences.

export function waitReasons(win, line) {
  const first = line[0];
  const say = {
    tables_not_past: `Waits for ${win.waiting_for.join(", ")}: a hand dealt earlier may still come from there.`,
    order_ambiguous: "The clocks cannot tell which was dealt first: the House decides the order (rule 4.5.2).",
    earlier_win: `Behind ${first.id}, which is paid first.`,
    approvals_missing: `${win.approvals.length} of ${win.approvals_needed} approvals.`,
  };
  return win.reasons.map((reason) => say[reason] ?? reason);
}
