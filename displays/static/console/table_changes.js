// What people change of a table while it runs, a table that is added, and what differs from the floor file.

import { t, translated } from "../catalogue.js";
import { get, path } from "./api.js";
import { ask, REASON } from "./dialog.js";
import { grid, h } from "./dom.js";
import { acting, effectOf } from "./effect.js";
import { amount, gameName, handName, linkGames, money, pitGames, share } from "./format.js";
import { policyName, prizeOf } from "./awards.js";
import { linkPath, may, state } from "./shell.js";

const currency = () => state.link.currency;
const shown = (minor) => (minor === null ? "" : amount(minor, currency()));
const number = (name, label, value, help = null) => ({ name, label, type: "whole", required: true, value, help });
const limit = (name, label, value) => ({ name, label: t("{label}, {currency}", { label, currency: currency() }), type: "money", value: shown(value) });

/** The limits of side bets, which only a table in a pit has. */
const sidesOf = (table) => table.terms?.side ?? [];

function limitFields(table) {
  const sides = sidesOf(table).flatMap((one) => [
    limit(`${one.wager} minimum`, t("{wager}, minimum", { wager: translated(one.name) }), one.minimum),
    limit(`${one.wager} maximum`, t("{wager}, maximum", { wager: translated(one.name) }), one.maximum),
  ]);
  return [limit("minimum", t("Minimum"), table.minimum), limit("maximum", t("Maximum"), table.maximum), ...sides];
}

/** Only what is otherwise than now; an empty field takes the limit away. */
function limitsSaid(said, table) {
  const wanted = {};
  for (const name of ["minimum", "maximum"]) if (name in said && said[name] !== table[name]) wanted[name] = said[name];
  const side = {};
  for (const one of sidesOf(table)) {
    const [minimum, maximum] = [said[`${one.wager} minimum`], said[`${one.wager} maximum`]];
    if (minimum !== undefined && (minimum !== one.minimum || maximum !== one.maximum)) side[one.wager] = { minimum, maximum };
  }
  if (Object.keys(side).length) wanted.side = side;
  return Object.keys(wanted).length ? wanted : null;
}

/** By what the act is called: who may, its fields, and its body; null while nothing is to change. */
const CHANGES = {
  limits: {
    label: t("Limits"),
    help: t("From the next round on; leave a field empty for no limit."),
    fields: limitFields,
    body: limitsSaid,
  },
  name: {
    label: t("Name"),
    help: t("By which people are shown the table. Its id stays."),
    fields: (table) => [{ name: "name", label: t("Name"), type: "text", value: table.name }],
    body: (said, table) => (said.name === undefined || said.name === table.name ? null : { name: said.name }),
  },
  boxes: {
    label: t("Number of boxes"),
    help: t("From the next round on."),
    supervisor: true,
    fields: (table) => [number("boxes", t("Boxes"), table.boxes)],
    body: (said, table) => (said.boxes === null || said.boxes === undefined || said.boxes === table.boxes ? null : { boxes: said.boxes }),
  },
  move: {
    label: t("Where it plays"),
    help: t("Its last round must stand, and no win, late claim or malfunction of it be open. It keeps its id, terms and token."),
    supervisor: true,
    unversioned: true,
    possible: () => elsewhere().length > 0,
    fields: () => [{ name: "to", label: t("Move to"), type: "select", value: elsewhere()[0][0], options: elsewhere() }],
    body: (said) => ({ to: said.to ?? elsewhere()[0][0] }),
  },
};

/** Where a table may go: to what is of its own kind. */
const elsewhere = () => (state.link.pit ? state.pits : state.links).filter((one) => one.id !== state.link.id).map((one) => [one.id, one.name]);

const allowed = () => Object.entries(CHANGES).filter(([, one]) => (may.decide || !one.supervisor) && (one.possible?.() ?? true));

/** A form for one table, as it was when it was opened. */
export async function changeTable(id) {
  const { tables } = await get(linkPath("tables"));
  const table = tables.find((one) => one.id === id);
  const what = { name: "what", label: t("What changes"), type: "choice", required: true, value: "limits", options: allowed().map(([name, one]) => [name, one.label, one.help]) };
  const chosen = (said) => CHANGES[said.what ?? "limits"];
  const body = (said) => {
    const wanted = chosen(said).body(said, table);
    return wanted && (chosen(said).unversioned ? wanted : { ...wanted, known: table.changed });
  };
  return ask({
    title: t("Change table {table}", { table: table.name || table.id }),
    fields: (said) => [what, ...chosen(said).fields(table), REASON],
    effect: async (said) => {
      const wanted = body(said);
      return wanted === null ? [h("p.soft", {}, t("Enter what should change."))] : effectOf(said.what ?? "limits", id, { ...wanted, reason: said.reason ?? "" });
    },
    act: async (said, key) => {
      await acting(path("tables", id, said.what ?? "limits"), { ...body(said), reason: said.reason }, key);
      return t("Table {table} is changed.", { table: id });
    },
    confirm: t("Change the table"),
    wide: true,
  });
}

// Adding one

export function addTable() {
  const { pit } = state.link;
  const games = (pit ? pitGames : linkGames).map((game) => [game, gameName(game)]);
  const act = pit ? "add_pit_table" : "add_table";
  const body = (said) => ({
    id: said.id ?? "",
    game: said.game ?? games[0][0],
    boxes: said.boxes,
    minimum: said.minimum ?? null,
    maximum: said.maximum ?? null,
    name: said.name ?? "",
    ...(pit ? { decks: said.decks } : {}),
  });
  const ready = (said) => said.id && said.boxes && (!pit || said.decks);
  return ask({
    title: t("Add a table"),
    intro: [h("p", {}, t("It plays as soon as its controller is heard, which needs a token of its own."))],
    fields: () => [
      { name: "id", label: t("Id"), type: "text", required: true, help: t("Letters, digits, - and _; it never changes.") },
      { name: "name", label: t("Name"), type: "text" },
      { name: "game", label: t("Game"), type: "select", value: games[0][0], options: games },
      number("boxes", t("Boxes"), "7"),
      ...(pit ? [number("decks", t("Decks"), "8")] : []),
      limit("minimum", t("Minimum"), null),
      limit("maximum", t("Maximum"), null),
      REASON,
    ],
    effect: async (said) => (ready(said) ? effectOf(act, null, { ...body(said), reason: said.reason ?? "" }) : [h("p.soft", {}, t("Enter what should change."))]),
    act: async (said, key) => {
      await acting(linkPath("tables"), { ...body(said), reason: said.reason }, key);
      return t("Table {table} is added.", { table: said.id });
    },
    confirm: t("Add the table"),
    wide: true,
  });
}

// What differs from the floor file

const SETTINGS = {
  seed: t("Seed"),
  meter_ppm: t("Share to the meter"),
  reserve_ppm: t("Share to the reserve"),
  ceiling: t("Ceiling"),
  "approvals.straight_flush": t("Approvals of a part of the jackpot"),
  "approvals.royal_flush": t("Approvals of the whole jackpot"),
  policy: t("Award policy"),
  window_ms: t("Window"),
  cap: t("Cap of a round"),
  level: t("Pay table"),
  name: t("Name"),
  boxes: t("Boxes"),
  minimum: t("Minimum"),
  maximum: t("Maximum"),
  link: t("Link"),
  pit: t("Pit"),
  table: t("Table"),
};
const MONEY = ["seed", "ceiling", "cap", "minimum", "maximum"];

function settingName({ setting }) {
  const [, wager, bound] = /^side\.(\w+)\.(\w+)$/.exec(setting) ?? [];
  return wager ? t("Side bet {wager}: {bound}", { wager: translated(wager.replaceAll("_", " ")), bound: SETTINGS[bound] }) : SETTINGS[setting] ?? setting;
}

function valueOf(one, value) {
  if (one.setting === "table") return value === null ? t("not in the file") : t("at {place}", { place: value });
  if (value === null || value === "") return t("none");
  if (MONEY.includes(one.setting.split(".").pop())) return money(value, one.currency);
  if (one.setting.endsWith("_ppm")) return share(value);
  if (one.setting === "policy") return policyName(value);
  if (one.setting === "window_ms") return t("{ms} ms", { ms: value });
  return Array.isArray(value) ? value.map((level) => h("span.under", {}, `${handName(level.hand)}: `, prizeOf(level))) : String(value);
}

/** Of the link or pit that is looked at; the file is the first word, and people have the last. */
export async function departuresPanel(link) {
  const { differences } = await get(path("floor"));
  const here = differences.filter((one) => one.place === link.id);
  if (!here.length) return null;
  const rows = here.map((one) => ({
    key: `${one.kind} ${one.id} ${one.setting}`,
    cells: [one.kind === "link" ? t("The link") : one.id, settingName(one), valueOf(one, one.file), h("strong", {}, valueOf(one, one.in_force))],
  }));
  return h("section.panel", { "aria-labelledby": "departures-title", "data-key": "departures" },
    h("h2", { id: "departures-title" }, t("Changed since the floor file")),
    h("p.soft", {}, t("The right column is in force, and stays so at the next start of the service. Bring the floor file up to date when you can.")),
    grid(t("Changed since the floor file"), [t("Table"), t("Setting"), t("Floor file"), t("In force")], rows));
}
