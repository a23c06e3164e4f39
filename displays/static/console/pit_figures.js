// The figures of a pit: rounds by table, and by wager what was laid, won, collected and returned.

import { t, translated } from "../catalogue.js";
import { grid, h } from "./dom.js";
import { amount } from "./format.js";

export function pitFigures(report, { currency }) {
  const tables = report.tables.filter((one) => one.rounds || one.wagers.length);
  return [
    h("section.panel", { "aria-labelledby": "tables-title", "data-key": "tables" }, h("h2", { id: "tables-title" }, t("By table")),
      grid(t("Figures by table"), [t("Table"), `#${t("Rounds")}`, `#${t("Voided")}`, `#${t("Collected")}`, `#${t("Won by players")}`, `#${t("Kept by the house")}`], [...tables.map((one) => row(one.table, translated(one.game_name), one, currency)), ...(tables.length > 1 ? [row(t("All tables"), "", report.total, currency)] : [])],
        { empty: t("No table played in this period.") }),
      h("p.soft", {}, t("Amounts are in {currency}. A wager counts when its outcome is reported; a correction or a void takes it out again.", { currency }))),
    ...(tables.length > 1 ? [wagers("all", t("All tables"), report.total, currency)] : []),
    ...tables.map((one) => wagers(one.table, `${one.table}, ${translated(one.game_name)}`, one, currency)),
  ];
}

function row(name, under, one, currency) {
  return { key: name, cells: [[name, under ? h("span.under", {}, under) : null], one.rounds, one.voided, ...[one.collected, one.won, one.house].map((minor) => amount(minor, currency))] };
}

function wagers(key, title, { wagers: found }, currency) {
  const said = (minor) => amount(minor, currency);
  const markers = found.some((one) => one.markers);
  const heads = [t("Wager"), `#${t("Laid")}`, `#${t("Collected")}`, `#${t("Won by players")}`, ...(markers ? [`#${t("Of that by markers")}`] : []), `#${t("Returned")}`];
  return h("section.panel", { "aria-labelledby": `${key}-title`, "data-key": `wagers ${key}` }, h("h2", { id: `${key}-title` }, title),
    grid(t("Wagers, {title}", { title }), heads, found.map((one) => ({
      key: one.wager,
      cells: [translated(one.name), said(one.laid), said(one.collected), said(one.won), ...(markers ? [said(one.markers)] : []), said(one.returned)],
    })), { empty: t("No wagers in this period.") }));
}
