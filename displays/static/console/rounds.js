// One round as evidence: everything reported and decided about it, to be read on the screen or printed.

import { get, houseNow, path } from "./api.js";
import { acts, button, chip, grid, h, show } from "./dom.js";
import { gameName, offset, sentence, time, words } from "./format.js";
import { irregular, isCurrent } from "./irregularity.js";
import { layout, reports, wagers } from "./round_play.js";
import { decisions, majors } from "./round_decisions.js";
import * as pitRound from "./pit_round.js";
import { facts } from "./proof.js";
import { linkPath, lookAt, may, me, page, refresh, roundAddress, start } from "./shell.js";

const STATES = { settled: "good", voided: "bad", bets_closed: "warn", hands_known: "warn" };

function wanted() {
  const asked = new URLSearchParams(location.search);
  return { table: asked.get("table") ?? "", round: asked.get("round") ?? "" };
}

async function read(link) {
  const { tables } = await get(linkPath("tables"));
  const { table, round } = wanted();
  const found = table && round ? await get(path("tables", table, "rounds", round)).catch((error) => error) : null;
  const place = found?.link ?? found?.pit;
  if (place && place !== link.id) return lookAt(place);
  return show(page, search(tables, table, round), found === null ? h("p.empty", {}, "Choose a table and enter a round number.") : found instanceof Error ? h("p.problem", { role: "alert" }, found.sentence ?? String(found)) : evidence(found, link));
}

function search(tables, table, round) {
  const options = tables.map((one) => h("option", { value: one.id, selected: one.id === table }, `${one.id}${one.round ? `, now in round ${one.round.round}` : ""}`));
  return h("form.filters", { role: "search", "aria-label": "Rounds", id: "search", "data-key": `search ${table} ${round}` },
    h("div.field", {}, h("label", { for: "table" }, "Table"), h("select", { id: "table", name: "table" }, options)),
    h("div.field", {}, h("label", { for: "round" }, "Round"), h("input.figures", { id: "round", name: "round", type: "number", min: 0, step: 1, required: true, value: round })),
    h("button.main", { type: "submit" }, "Show"));
}

function evidence(told, link) {
  const part = (name, title, content) => content && h("section.panel", { "aria-labelledby": `${name}-title`, "data-key": name, class: `panel ${name}` }, h("h2", { id: `${name}-title` }, title), content);
  const parts = told.pit
    ? [["bets", "Bets", pitRound.bets(told)], ["layout", "On the layout", pitRound.layout(told)], ["wagers", "Wagers", pitRound.wagers(told)], ["decisions", "Decisions", pitRound.decisions(told)], ["reports", "Hands as reported", pitRound.reports(told)]]
    : [["layout", "On the layout", layout(told)], ["wagers", "Wagers", wagers(told)], ["decisions", "Decisions", decisions(told)], ["majors", "Wins and late claims", majors(told)], ["reports", "Hands as reported", reports(told)]];
  return h("article.evidence", { "data-key": `${told.table} ${told.round}`, "aria-label": `Round ${told.round} at ${told.table}` },
    head(told, link),
    parts.map(([name, title, content]) => part(name, title, content)),
    part("story", "What happened, in order", story(told)),
    part("clock", "The table's clock", clockOf(told)),
    journal(told));
}

function head(told, link) {
  return h("header.panel.head", { "data-key": "head" },
    h("div.headline", {}, h("h2", {}, `Round ${told.round} at ${told.table}`), chip(words(told.state), STATES[told.state])),
    facts([
      ["Game", gameName(told.game)],
      told.pit ? ["Pit", `${link.name} (${told.pit})`] : ["Jackpot", `${link.name} (${told.link})`],
      told.pit ? ["Limits", pitRound.limits(told)] : null,
      ["Bets closed", [time(told.bets.closed_at, { digits: 3, date: true }), " by the table's clock; received ", time(told.bets.received_at, { digits: 3 })]],
      ["Dealt", ["not before ", time(told.dealt_from, { digits: 3 }), ", when the bets were recorded in the journal"]],
      ["Status", standing(told)],
      ["Times", `House time, in the time zone ${Intl.DateTimeFormat().resolvedOptions().timeZone}, unless stated otherwise`],
    ]),
    h("p.printed", {}, `Printed by ${me.person}, `, time(new Date(houseNow()).toISOString(), { date: true })),
    h("div.row.tools", {},
      button("Print", "print", ""),
      h("a.button", { href: path("tables", told.table, "rounds", told.round), download: `${told.table}-${told.round}.json` }, "Download as JSON"),
      may.decide && told.current && isCurrent(told) ? button("Irregularity", "irregular", `${told.table} ${told.round}`, { kind: "danger" }) : null));
}

function standing(told) {
  const last = told.story.at(-1);
  if (told.state === "voided") return `Voided under paragraph ${told.void.reason} by ${told.void.by}; all bets are returned.`;
  return told.state === "settled" ? "Settled. The outcome stands." : ["Not settled yet; all results are provisional. Last entry ", time(last.at, { digits: 3 }), "."];
}

function story(told) {
  return grid("Time line", ["#Entry", "Time", "Who", "What"], told.story.map((one) => ({
    key: one.sequence, cells: [one.sequence, time(one.at, { digits: 3, date: true }), one.by, one.words],
  })));
}

function clockOf(told) {
  const micros = (number) => `${(number / 1000).toFixed(3)} ms`;
  return grid("The table's clock, message by message", ["Message", "#Entry", "Sent, by the table", "Received, by the House", "#Difference", "Measured offset"], told.clock.map((one) => ({
    key: one.sequence,
    cells: [sentence(one.message), one.sequence, time(one.sent_at, { digits: 6 }), time(one.received_at, { digits: 6 }), micros(one.difference_us),
      [offset(one) ?? "not on record", " ", one.live === false ? chip("not live", "warn") : null]],
  })));
}

function journal(told) {
  const rows = told.entries.map((one) => ({ key: one.sequence, cells: [one.sequence, [one.kind, h("span.under", {}, time(one.at, { digits: 6, date: true }))], h("code", {}, one.before), h("code", {}, one.hash)] }));
  return h("footer.panel.chain", { "data-key": "chain", "aria-labelledby": "chain-title" }, h("h2", { id: "chain-title" }, "The journal"),
    h("p.soft", {}, "Each hash is the SHA-256 of the previous hash and the bytes of the entry; the bytes are in the JSON file. Nothing above can be changed without breaking the chain."),
    grid("Entries of the journal", ["#Entry", "What", "Previous hash", "Hash"], rows));
}

if (page) {
  page.addEventListener("submit", (event) => {
    event.preventDefault();
    const { table, round } = Object.fromEntries(new FormData(event.target));
    history.pushState(null, "", roundAddress(table, round));
    refresh();
  });
  addEventListener("popstate", refresh);
  acts(page, { print: () => print(), irregular: (place) => irregular(...place.split(" ")) });
  start(read, { every: 10_000 });
}
