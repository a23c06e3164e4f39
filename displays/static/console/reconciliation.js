// Reconciliation: what table controllers have counted beside what the House has, and where they began to differ.

import { t } from "../catalogue.js";
import { get, path } from "./api.js";
import { ask, REASON } from "./dialog.js";
import { acts, button, chip, grid, h, show } from "./dom.js";
import { acting, effectOf } from "./effect.js";
import { money, time } from "./format.js";
import { linkPath, may, page, roundLink, start } from "./shell.js";

const NAMES = { rounds: t("Rounds"), bets: t("Bets"), returned: t("Returned"), awards: t("Awards") };
const STATES = { agrees: [t("agrees"), "good"], differs: [t("differs"), "bad"], tells_none: [t("tells no meters"), ""] };
let differing = [];

async function read() {
  const told = await get(linkPath("reconciliation"));
  const shown = { ...told, tables: told.tables.toSorted((one, other) => one.table.localeCompare(other.table)) };
  differing = shown.tables.filter((one) => one.difference);
  show(page,
    h("section.panel", { "aria-labelledby": "open-title", "data-key": "open" }, h("h2", { id: "open-title" }, t("Differences")),
      differing.length ? h("ul.claims", {}, differing.map((one) => item(one, told.currency))) : h("p.empty", {}, t("No controller has counted otherwise than the House."))),
    h("section.panel", { "aria-labelledby": "tables-title", "data-key": "tables" }, h("h2", { id: "tables-title" }, t("Tables")),
      grid(t("Tables"), [t("Table"), t("Controller"), t("Agreed after"), t("Last round"), ...Object.values(NAMES).map((name) => `#${name}`)], shown.tables.map((one) => row(one, told.currency)), { empty: t("There are no tables.") }),
      h("p.soft", {}, t("Counted by the House since the table was added. Where a controller has counted otherwise, it is listed above, under Differences."))),
    h("section.panel", { "aria-labelledby": "settled-title", "data-key": "settled" }, h("h2", { id: "settled-title" }, t("Settled")),
      grid(t("Settled differences"), [t("Table"), t("Began in"), t("Difference"), t("Settled"), t("By"), t("Why")], told.settled.map((one) => settled(one, told.currency)), { empty: t("None yet.") })));
}

const figure = (name, value, currency) => (name === "rounds" ? String(value) : money(value, currency));
const signed = (name, value, currency) => (value > 0 ? figure(name, value, currency).replace(/\d/, "+$&") : figure(name, value, currency).replace("-", "−"));

/** Where it began, with a link to the evidence of each round that is known by number. */
function where(table, { after, round, rounds }) {
  const last = roundLink(table, round, String(round));
  if (rounds.length === 1 && rounds[0] === round) return [t("Round"), " ", last];
  const known = rounds.length && rounds.length <= 4 ? rounds.map((one) => roundLink(table, one, String(one))) : [last];
  const between = t("Rounds {first} to {last}", { first: after + 1, last: round });
  return [between, " (", known.flatMap((one, index) => (index ? [", ", one] : [one])), ")"];
}

function item({ table, difference }, currency) {
  return h("li.claim", { "data-key": difference.id },
    h("div.what", {}, h("h3", {}, table), h("p", {}, t("It began in:"), " ", where(table, difference)),
      h("p.soft", {}, t("Noticed"), " ", time(difference.since, { date: true }))),
    difference.told ? sides(difference, currency) : h("p.callout.warn", {}, h("span", {}, t("The controller began to count anew. Nobody has told what was counted in these rounds; the House has counted what is in their evidence."))),
    h("div.row", {}, may.decide ? button(t("Settle"), "settle", difference.id, { kind: "main", label: t("Settle the difference at {table}", { table }) }) : h("p.soft", {}, t("A supervisor settles it when the cause is known."))));
}

function sides({ told, expected, difference }, currency) {
  const lines = Object.keys(NAMES).map((name) => ({
    key: name,
    kind: difference[name] ? "alerted" : "",
    cells: [NAMES[name], figure(name, told[name], currency), figure(name, expected[name], currency), difference[name] ? h("strong", {}, signed(name, difference[name], currency)) : "—"],
  }));
  return grid(t("Both sides"), [t("Meter"), `#${t("Controller")}`, `#${t("House")}`, `#${t("Difference")}`], lines);
}

function row(one, currency) {
  const [word, kind] = STATES[one.state];
  const meters = Object.keys(NAMES).map((name) => {
    const wrong = one.difference?.difference?.[name];
    return [figure(name, one.house[name], currency), wrong ? h("span.under.bad", {}, signed(name, wrong, currency)) : null];
  });
  return {
    key: one.table,
    kind: one.difference ? "alerted" : "",
    cells: [h("strong", {}, one.table), chip(word, kind), one.agreed ? roundLink(one.table, one.agreed, t("round {round}", { round: one.agreed })) : "—", one.round ? roundLink(one.table, one.round, String(one.round)) : "—", ...meters],
  };
}

function settled(one, currency) {
  const found = one.difference && Object.keys(NAMES).filter((name) => one.difference[name]);
  const said = found ? found.map((name) => h("span.whole", {}, `${NAMES[name]} ${signed(name, one.difference[name], currency)}`)) : t("told by nobody");
  return { key: one.id, cells: [one.table, where(one.table, one), said, time(one.settled_at, { date: true }), one.person, one.reason] };
}

function settle(id) {
  const { table, difference } = differing.find((one) => one.difference.id === id);
  return ask({
    title: t("Settle the difference at {table}", { table }),
    intro: [h("p", {}, t("It began in:"), " ", where(table, difference)), h("p", {}, t("No money moves. From that round on both are compared anew; what differs in later rounds is reported again."))],
    fields: () => [{ ...REASON, help: t("What was found to be the cause. Recorded in the journal.") }],
    effect: (said) => effectOf("mend_meters", id, { reason: said.reason }),
    act: async (said, key) => {
      await acting(path("differences", id, "mend"), said, key);
      return t("The difference at {table} is settled.", { table });
    },
    confirm: t("Settle"),
  });
}

if (page) {
  acts(page, { settle });
  start(read);
}
