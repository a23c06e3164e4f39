// The floor: every table with its state, when it was heard, its clock, its round; and why the queue waits.

import { t, woven } from "../catalogue.js";
import { alertName } from "./alerts.js";
import { get, path } from "./api.js";
import { breakEvenNote } from "./break_even.js";
import { ask, REASON } from "./dialog.js";
import { acts, button, chip, grid, h, show } from "./dom.js";
import { acting, effectOf } from "./effect.js";
import { ago, clock, gameName, handName, money, offset, words } from "./format.js";
import { irregular, isCurrent } from "./irregularity.js";
import { limitsOf } from "./pit_terms.js";
import { addTable, changeTable, departuresPanel } from "./table_changes.js";
import { linkPath, may, page, roundLink, start } from "./shell.js";
import { waitReasons } from "./waiting.js";

const STATES = { in_play: "good", closed: "bad", away: "", unheard: "" };

async function read(link) {
  if (link.pit) return readPit(link);
  const [{ tables }, { wins }, departures] = await Promise.all([get(linkPath("tables")), get(linkPath("wins"), { limit: 1 }), departuresPanel(link)]);
  const line = wins.filter((win) => win.position !== null);
  const heads = [t("Table"), t("State"), t("Limits"), t("Round"), t("Last seen"), t("Clock"), t("Alerts"), ...(may.act ? [t("Actions")] : [])];
  return show(page,
    breakEvenNote(link),
    h("section.panel", { "aria-labelledby": "queue-title" }, h("h2", { id: "queue-title" }, t("Why wins are waiting")), queue(line, tables, link)),
    h("section.panel", { "aria-labelledby": "tables-title" }, h("h2", { id: "tables-title" }, t("Tables"), " ", h("span.soft", {}, summary(tables))),
      grid(t("Tables"), heads, tables.map((table) => row(table, link)), { empty: t("This link has no tables.") }), adding()),
    departures);
}

async function readPit(pit) {
  const [{ tables }, departures] = await Promise.all([get(linkPath("tables")), departuresPanel(pit)]);
  const heads = [t("Table"), t("State"), t("Limits"), t("Round"), t("Last seen"), t("Alerts"), ...(may.act ? [t("Actions")] : [])];
  return show(page,
    h("section.panel", { "aria-labelledby": "tables-title" }, h("h2", { id: "tables-title" }, t("Tables"), " ", h("span.soft", {}, summary(tables))),
      grid(t("Tables"), heads, tables.map((table) => pitRow(table, pit)), { empty: t("This pit has no tables.") }), adding()),
    departures);
}

const adding = () => (may.decide ? h("div.choices", {}, button(t("Add a table"), "add", "")) : null);

function summary(tables) {
  const playing = tables.filter((table) => table.in_play).length;
  const open = tables.filter((table) => table.round?.open).length;
  return t("{playing} of {all} in play, {open} with a round open", { playing, all: tables.length, open });
}

function queue(line, tables, link) {
  if (!line.length) return h("p.empty", {}, t("No wins are waiting."));
  return h("ol.queue", {}, line.map((win) => h("li", { "data-key": win.id },
    h("p", {}, woven("{hand} at {table}, box {box}: {amount}", { hand: h("strong", {}, handName(win.hand)), table: win.table, box: win.box, amount: money(win.amount, link.currency) })),
    h("ul.reasons", {}, waitReasons(win, line, tables).map((text) => h("li", {}, text))))),
  );
}

function row(table, { currency }) {
  const [name, round, seen, alerts, ...actions] = common(table);
  const state = [stateChip(table), table.progressive === "off" ? chip(t("progressive off"), "warn") : null,
    table.blocked_boxes.length ? h("span.under", {}, t("blocked: box {boxes}", { boxes: table.blocked_boxes.join(", ") })) : null];
  return { ...shape(table), cells: [name, state, [limitsOf({ limits: table, side: [] }, currency), h("span.under", {}, t("boxes: {boxes}", { boxes: table.boxes })),
    table.most_won === null ? null : h("span.under", {}, t("a box wins at most {amount}", { amount: money(table.most_won, currency) }))], round, seen, clockOf(table), alerts, ...actions] };
}

function pitRow(table, { currency }) {
  const [name, round, seen, alerts, ...actions] = common(table);
  return { ...shape(table), cells: [name, stateChip(table), limitsOf(table.terms, currency), round, seen, alerts, ...actions] };
}

const shape = (table) => ({ key: table.id, kind: table.alerts.length ? "alerted" : "" });

/** What is shown of a table wherever it plays. */
function common(table) {
  const silent = table.alerts.some((alert) => alert.code === "table_silent");
  return [
    [h("strong", {}, table.name || table.id), table.name ? h("span.under", {}, table.id) : null, h("span.under", {}, gameName(table.game))],
    table.round ? [roundLink(table.id, table.round.round, `${table.round.round}`), h("span.under", {}, table.round.open ? t("open since {time}", { time: clock(table.round.journalled_at) }) : words(table.round.state))] : "—",
    h(silent ? "span.bad" : "span", {}, ago(table.last_seen)),
    table.alerts.length ? table.alerts.map((alert) => h("span.alert", {}, chip(alertName(alert.code), "warn"), h("span.under", {}, t("since {time}", { time: clock(alert.since) })), alert.detail ? h("span.under", {}, alert.detail) : null)) : h("span.soft", {}, t("none")),
    ...(may.act ? [h("div.row", {}, tableButton(table), button(t("Change"), "change", table.id, { label: t("Change table {table}", { table: table.id }) }), may.decide && isCurrent(table.round) ? button(t("Irregularity"), "irregular", `${table.id} ${table.round.round}`, { label: t("Irregularity at table {id}", { id: table.id }) }) : null)] : []),
  ];
}

/** What the House has measured; what the table claims of its clock is not shown, since it decides nothing. */
function clockOf({ clock: told }) {
  const measured = offset(told);
  if (measured === null) return h("span.soft", { title: t("Without echoes, the time stamps of this table show only the latest time at which a hand can have been dealt.") }, t("no echo"));
  return [h("span.whole", { title: t("Add this to the table's time to get house time.") }, measured), h("span.under", {}, t("last echo {time}", { time: ago(told.echoed_at) }))];
}

/** A malfunction takes a table out of play that would be in it. */
function stateChip(table) {
  const out = table.state === "in_play" && !table.in_play;
  return out ? chip(t("out of play"), "warn") : chip(table.state === "unheard" ? t("not heard from yet") : words(table.state), STATES[table.state]);
}

function tableButton(table) {
  const closed = table.state === "closed";
  const act = closed ? "open" : "close";
  return button(closed ? t("Open") : t("Close"), act, table.id, { label: closed ? t("Open table {id}", { id: table.id }) : t("Close table {id}", { id: table.id }) });
}

function turn(table, act, title) {
  return ask({
    title,
    fields: () => [REASON],
    effect: (said) => effectOf(`${act}_table`, table, { reason: said.reason }),
    act: async (said, key) => {
      await acting(path("tables", table, act), said, key);
      return act === "close" ? t("Table {table}: closed.", { table }) : t("Table {table}: open.", { table });
    },
    confirm: act === "close" ? t("Close the table") : t("Open the table"),
  });
}

if (page) {
  acts(page, {
    add: addTable,
    change: changeTable,
    close: (table) => turn(table, "close", t("Take {table} out of play", { table })),
    irregular: (place) => irregular(...place.split(" ")),
    open: (table) => turn(table, "open", t("Put {table} back in play", { table })),
  });
  start(read);
}
