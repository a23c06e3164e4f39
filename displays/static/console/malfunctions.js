// Malfunctions: what the rule book makes of one is shown before it is declared (S 5.17 to 5.18, H 5.16 to 5.17).

import { t } from "../catalogue.js";
import { get, houseNow, path } from "./api.js";
import { ask } from "./dialog.js";
import { acts, button, grid, h, show } from "./dom.js";
import { acting, effectOf } from "./effect.js";
import { instantOf, localOf, time, words } from "./format.js";
import { linkPath, may, page, start, state } from "./shell.js";

let tables = [];

async function read(link) {
  tables = (await get(linkPath("tables"))).tables;
  const open = state.malfunctions.filter((one) => one.link === link.id);
  const heads = [t("Scope"), t("Since"), t("For later rounds"), t("Note"), t("Declared"), ...(may.decide ? [t("Actions")] : [])];
  show(page, h("section.panel", { "aria-labelledby": "open-title" },
    h("h2", { id: "open-title" }, t("Open malfunctions")),
    grid(t("Open malfunctions"), heads, open.map(row), { empty: t("There are no open malfunctions.") }),
    may.decide ? h("div.buttons", {}, button(t("Declare a malfunction"), "declare", "", { kind: "danger" })) : h("p.soft", {}, t("Only a supervisor can declare or clear a malfunction."))));
}

const scopeName = ({ table, box }) => (box ? t("Table {table}, box {box}", { table, box }) : table ? t("Table {table}", { table }) : t("The whole link"));

function row(one) {
  return {
    key: one.id,
    cells: [
      [h("strong", {}, scopeName(one.scope)), h("span.under", {}, one.id)],
      time(one.observed_at, { date: true }),
      words(one.then),
      one.note || "—",
      [one.by, h("span.under", {}, time(one.declared_at, { date: true }))],
      ...(may.decide ? [button(t("Clear"), "clear", one.id, { label: t("Clear {scope}", { scope: scopeName(one.scope) }) })] : []),
    ],
  };
}

function scopeOf({ scope, box }) {
  if (!scope) return { link: state.link.id };
  return box ? { table: scope, box: Number(box) } : { table: scope };
}

const inScope = (said) => tables.filter((table) => !said.scope || table.id === said.scope);
const asked = (said) => inScope(said).filter((table) => table.round && !["settled", "voided"].includes(table.round.state));

function fields(said) {
  const table = tables.find((one) => one.id === said.scope);
  const boxes = Array.from({ length: table?.boxes ?? 0 }, (_, index) => [String(index + 1), t("Box {box}", { box: index + 1 })]);
  return [
    { name: "scope", label: t("What does not work"), type: "select", value: said.scope ?? "", options: [["", t("The whole link")], ...tables.map((one) => [one.id, t("Table {table}", { table: one.id })])] },
    table ? { name: "box", label: t("Box"), type: "select", value: said.box ?? "", options: [["", t("The whole table")], ...boxes] } : null,
    { name: "observed_at", label: t("Observed at"), type: "time", required: true, value: localOf(observed(said)), missing: t("The time is required."), help: t("Not earlier than the close of bets of the current round.") },
    ...asked(said).map((one) => ({
      name: `seen ${one.id}`,
      label: t("Has any player at {id} seen cards of round {round}?", { id: one.id, round: one.round.round }),
      type: "choice",
      required: one.round.open,
      options: [["no", t("No"), t("The round is voided.")], ["yes", t("Yes"), t("The round continues; its wins are paid from the amount registered before.")]],
    })),
    {
      name: "then",
      label: t("For later rounds"),
      type: "choice",
      required: true,
      value: "progressive_off",
      options: [
        ["progressive_off", t("Play on with the progressive off"), t("Progressive bets are returned; the table shows the notice.")],
        ["close", table ? t("Close the table") : t("Close the tables"), ""],
        ...(said.box ? [["block_box", t("Block the box"), t("The table plays on.")]] : []),
      ],
    },
    { name: "note", label: t("Note"), type: "long" },
  ].filter(Boolean);
}

function observed(said) {
  const closings = asked(said).map((one) => Date.parse(one.round.closed_at));
  return Math.max(houseNow() - 1000, ...closings.map((one) => one + 1));
}

function body(said) {
  const answered = asked(said).filter((one) => said[`seen ${one.id}`]);
  return {
    scope: scopeOf(said),
    observed_at: instantOf(said.observed_at),
    cards_seen: Object.fromEntries(answered.map((one) => [one.id, said[`seen ${one.id}`] === "yes"])),
    then: said.then ?? "progressive_off",
    note: said.note ?? "",
  };
}

function effect(said) {
  const missing = asked(said).filter((one) => one.round.open && !said[`seen ${one.id}`]);
  if (missing.length) return Promise.resolve([h("p.soft", {}, t("Say whether cards were seen at {tables}.", { tables: missing.map((one) => one.id).join(", ") }))]);
  return effectOf("malfunctions", null, body(said));
}

function declare() {
  return ask({
    title: t("Declare a malfunction"),
    fields,
    effect,
    act: async (said, key) => t("Declared as {id}.", await acting("/v1/malfunctions", body(said), key)),
    confirm: t("Declare"),
    kind: "danger",
    wide: true,
  });
}

function clear(id) {
  return ask({
    title: t("Clear {id}", { id }),
    fields: () => [{ name: "note", label: t("Note"), type: "long", help: t("What was done to fix it.") }],
    effect: (said) => effectOf("clear", id, { note: said.note ?? "" }),
    act: async (said, key) => {
      await acting(path("malfunctions", id, "clear"), said, key);
      return t("{id} is cleared.", { id });
    },
    confirm: t("Back in play"),
  });
}

if (page) {
  acts(page, { declare, clear });
  start(read);
}
