// The figures of a pit: rounds by table, and by wager what was laid, won, collected and returned.

import { grid, h } from "./dom.js";
import { amount } from "./format.js";

export function pitFigures(report, { currency }) {
  const tables = report.tables.filter((one) => one.rounds || one.wagers.length);
  return [
    h("section.panel", { "aria-labelledby": "tables-title", "data-key": "tables" }, h("h2", { id: "tables-title" }, "By table"),
      grid("Figures by table", ["Table", "#Rounds", "#Voided", "#Collected", "#Won by players", "#Kept by the house"], [...tables.map((one) => row(one.table, one.game_name, one)), ...(tables.length > 1 ? [row("All tables", "", report.total)] : [])],
        { empty: "No table played in this period." }),
      h("p.soft", {}, `Amounts are in ${currency}. A wager counts when its outcome is reported; a correction or a void takes it out again.`)),
    ...(tables.length > 1 ? [wagers("all", "All tables", report.total)] : []),
    ...tables.map((one) => wagers(one.table, `${one.table}, ${one.game_name}`, one)),
  ];
}

function row(name, under, one) {
  return { key: name, cells: [[name, under ? h("span.under", {}, under) : null], one.rounds, one.voided, amount(one.collected), amount(one.won), amount(one.house)] };
}

function wagers(key, title, { wagers: found }) {
  const markers = found.some((one) => one.markers);
  const heads = ["Wager", "#Laid", "#Collected", "#Won by players", ...(markers ? ["#Of that by markers"] : []), "#Returned"];
  return h("section.panel", { "aria-labelledby": `${key}-title`, "data-key": `wagers ${key}` }, h("h2", { id: `${key}-title` }, title),
    grid(`Wagers, ${title}`, heads, found.map((one) => ({
      key: one.wager,
      cells: [one.name, amount(one.laid), amount(one.collected), amount(one.won), ...(markers ? [amount(one.markers)] : []), amount(one.returned)],
    })), { empty: "No wagers in this period." }));
}
