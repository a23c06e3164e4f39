// The figures of a pit: rounds by table, and by wager what was laid, won, collected and returned.

import { grid, h } from "./dom.js";
import { amount } from "./format.js";

export function pitFigures(report, { currency }) {
  const tables = report.tables.filter((one) => one.rounds || one.wagers.length);
  return [
    h("section.panel", { "aria-labelledby": "tables-title", "data-key": "tables" }, h("h2", { id: "tables-title" }, "By table"),
      grid("Figures by table", ["Table", "#Rounds", "#Voided", "#Collected", "#Won by players", "#Kept by the house"], [...tables.map((one) => row(one.table, one.game_name, one, currency)), ...(tables.length > 1 ? [row("All tables", "", report.total, currency)] : [])],
        { empty: "No table played in this period." }),
      h("p.soft", {}, `Amounts are in ${currency}. A wager counts when its outcome is reported; a correction or a void takes it out again.`)),
    ...(tables.length > 1 ? [wagers("all", "All tables", report.total, currency)] : []),
    ...tables.map((one) => wagers(one.table, `${one.table}, ${one.game_name}`, one, currency)),
  ];
}

function row(name, under, one, currency) {
  return { key: name, cells: [[name, under ? h("span.under", {}, under) : null], one.rounds, one.voided, ...[one.collected, one.won, one.house].map((minor) => amount(minor, currency))] };
}

function wagers(key, title, { wagers: found }, currency) {
  const said = (minor) => amount(minor, currency);
  const markers = found.some((one) => one.markers);
  const heads = ["Wager", "#Laid", "#Collected", "#Won by players", ...(markers ? ["#Of that by markers"] : []), "#Returned"];
  return h("section.panel", { "aria-labelledby": `${key}-title`, "data-key": `wagers ${key}` }, h("h2", { id: `${key}-title` }, title),
    grid(`Wagers, ${title}`, heads, found.map((one) => ({
      key: one.wager,
      cells: [one.name, said(one.laid), said(one.collected), said(one.won), ...(markers ? [said(one.markers)] : []), said(one.returned)],
    })), { empty: "No wagers in this period." }));
}
