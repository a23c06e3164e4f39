// Webhooks: others who listen, how far each is, and what came of what was sent to it.

import { t } from "../catalogue.js";
import { get, path, remove } from "./api.js";
import { ask, tellAll } from "./dialog.js";
import { acts, button, chip, grid, h, show } from "./dom.js";
import { acting } from "./effect.js";
import { instantOf, span, time } from "./format.js";
import { facts } from "./proof.js";
import { may, page, refresh, start, state, tell } from "./shell.js";

const TOPICS = {
  wins: [t("Wins"), t("Registered, ordered, approved, rejected, withdrawn.")],
  payments: [t("Payments"), t("A win is paid, with the meter before and after.")],
  claims: [t("Late claims"), t("Raised, withdrawn, decided.")],
  alerts: [t("Alerts"), t("Malfunctions, silent tables, clocks, a link that is stopped.")],
  openings: [t("Openings"), t("Links and tables are added, opened, closed.")],
  parameters: [t("Changes"), t("Proposals, parameters, adjustments, transfers.")],
};
const opened = new Set();
const lately = new Map();
let known = [];

async function read() {
  known = (await get("/v1/webhooks")).webhooks;
  await Promise.all([...opened].filter((id) => known.some((one) => one.id === id)).map(async (id) => lately.set(id, (await get(path("webhooks", id, "deliveries"), { limit: 50 })).deliveries)));
  show(page,
    h("p.soft", { "data-key": "what" }, t("Other systems are told what happens: each event is posted to their address, signed, in the order of its link. While they do not take events, these wait, and none is lost.")),
    may.decide ? h("div.buttons", { "data-key": "add" }, button(t("Add a webhook"), "add", "", { kind: "main" })) : null,
    known.length ? known.map(panel) : h("section.panel", { "data-key": "none", "aria-label": t("Webhooks") }, h("p.empty", {}, t("No webhook is set up."))));
}

function panel(one) {
  const title = `webhook-${one.id}`;
  return h("section.panel.listener", { "aria-labelledby": title, "data-key": one.id },
    h("h2", { id: title }, one.name, " ", standing(one)),
    facts([
      [t("Address"), h("span.address", {}, one.url)],
      [t("Hears of"), one.topics.map((topic) => TOPICS[topic][0]).join(", ")],
      [t("Links and pits"), one.links ? one.links.join(", ") : t("All")],
      [t("Made"), [one.made_by, ", ", time(one.made_at, { date: true })]],
      one.paused_at ? [t("Paused"), [one.paused === "gone" ? t("The receiver answered that it is gone (410)") : one.paused_by, ", ", time(one.paused_at, { date: true })]] : null,
      one.secrets > 1 ? [t("Secrets"), t("Events have two signatures for a day after a change.")] : null,
    ].filter(Boolean)),
    lanes(one),
    may.decide ? buttons(one) : null,
    deliveries(one));
}

function standing(one) {
  if (one.paused === "gone") return chip(t("paused: the receiver is gone"), "bad");
  if (one.paused) return chip(t("paused"), "warn");
  return one.lanes.some((lane) => lane.error) ? chip(t("failing"), "bad") : chip(t("active"), "good");
}

function lanes(one) {
  const heads = [t("Link or pit"), t("Last taken"), t("Waiting"), t("What went wrong last"), t("Next attempt")];
  return grid(t("How far {name} is", { name: one.name }), heads, one.lanes.map((lane) => ({
    key: `${one.id} ${lane.link}`,
    cells: [
      lane.link,
      time(lane.delivered_at, { date: true }),
      lane.waiting_since ? t("for {time}", { time: span(lane.lag_ms * 1000) }) : t("nothing"),
      lane.error ? [h("span.problem", {}, lane.error), h("span.under", {}, t("Failed attempts: {count}", { count: lane.attempts }))] : "—",
      one.paused ? "—" : time(lane.next_attempt),
    ],
  })), { empty: t("No event has been sent yet.") });
}

function buttons(one) {
  const label = (text) => ({ label: `${text}: ${one.name}` });
  return h("div.buttons", {},
    one.paused ? button(t("Resume"), "resume", one.id, { kind: "main", ...label(t("Resume")) }) : button(t("Pause"), "pause", one.id, label(t("Pause"))),
    button(t("Send a test event"), "test", one.id, { disabled: Boolean(one.paused), ...label(t("Send a test event")) }),
    button(t("Replay"), "replay", one.id, label(t("Replay"))),
    button(t("New secret"), "renew", one.id, label(t("New secret"))),
    button(t("Delete"), "drop", one.id, { kind: "danger", ...label(t("Delete")) }));
}

function deliveries(one) {
  const told = lately.get(one.id);
  return h("details", { "data-key": `lately ${one.id}`, "data-webhook": one.id, open: opened.has(one.id) }, h("summary", {}, t("What was sent lately")),
    told ? grid(t("What was sent to {name} lately", { name: one.name }), [t("Time"), t("Event"), `#${t("Attempt")}`, `#${t("Took")}`, t("Answer")], told.map((sent, index) => ({
      key: `${sent.event} ${sent.at} ${index}`,
      cells: [time(sent.at, { date: true, digits: 3 }), [sent.type, h("span.under", {}, sent.event)], sent.attempt, `${sent.took_ms} ms`, sent.error ? [chip(t("not taken"), "bad"), h("span.under", {}, sent.error)] : chip(t("taken"), "good")],
    })), { empty: t("Nothing yet.") }) : h("p.soft", {}, t("Loading …")));
}

// What supervisors do

const named = (id) => known.find((one) => one.id === id);

function showSecret(name, secret) {
  tellAll(t("The secret of {name}", { name }),
    h("p", {}, t("Events are signed with it. It is shown this once: copy it to the receiver now.")),
    h("p.secret.figures", { tabindex: "0" }, secret));
}

async function add() {
  let made = null;
  const places = [...state.links, ...state.pits];
  const done = await ask({
    title: t("Add a webhook"),
    fields: () => [
      { name: "name", label: t("Name"), type: "text", required: true, help: t("For people, such as “Slot floor monitor”.") },
      { name: "url", label: t("Address"), type: "text", required: true, help: t("Where events are posted to: https:// or http://. It is no place for secrets.") },
      { name: "topics", label: t("Hears of"), type: "several", required: true, options: Object.entries(TOPICS).map(([value, [text, more]]) => [value, text, more]) },
      { name: "links", label: t("Links and pits"), type: "several", options: places.map((one) => [one.id, one.name, t("None chosen: all, also those to come.")]) },
    ],
    act: async (said, key) => {
      const chosen = (group) => Object.keys(said).filter((name) => name.startsWith(`${group} `) && said[name]).map((name) => name.slice(group.length + 1));
      const links = chosen("links");
      made = await acting("/v1/webhooks", { name: said.name, url: said.url.trim(), topics: chosen("topics"), links: links.length ? links : null }, key);
      return t("{name} is told from now on.", { name: made.webhook.name });
    },
    confirm: t("Add"),
    wide: true,
  });
  if (done && made.secret) showSecret(made.webhook.name, made.secret);
}

const simple = (what, said) => async (id) => {
  const one = named(id);
  try {
    const answer = await acting(path("webhooks", id, what), {});
    tell(said(one, answer), answer.error ? "bad" : "good");
  } catch (error) {
    tell(error.sentence ?? String(error), "bad");
  }
  refresh();
};
const pause = simple("pause", (one) => t("{name} is paused. Nothing more is sent to it.", { name: one.name }));
const resume = simple("resume", (one) => t("{name} goes on where it was.", { name: one.name }));
const test = simple("test", (one, { error }) => (error ? t("{name} did not take the test event: {error}.", { name: one.name, error }) : t("{name} took the test event.", { name: one.name })));

function replay(id) {
  const one = named(id);
  return ask({
    title: t("Replay to {name}", { name: one.name }),
    intro: [h("p", {}, t("Events are sent again with the same ids, in order. What it has not taken yet follows; nothing is left out."))],
    fields: (said) => [
      { name: "link", label: t("Link or pit"), type: "select", value: said.link ?? "", options: [["", t("All")], ...one.lanes.map((lane) => [lane.link, lane.link])] },
      { name: "from", label: t("From this time on"), type: "time", help: t("Or an entry of one link’s journal, below.") },
      said.link ? { name: "sequence", label: t("From this journal entry on"), type: "whole" } : null,
    ].filter(Boolean),
    act: async (said) => {
      await acting(path("webhooks", id, "replay"), { link: said.link || null, ...(said.from ? { from: instantOf(said.from) } : {}), ...(said.sequence ? { sequence: said.sequence } : {}) });
      return t("{name} is sent these events again.", { name: one.name });
    },
    confirm: t("Replay"),
  });
}

async function renew(id) {
  const one = named(id);
  let made = null;
  const done = await ask({
    title: t("A new secret for {name}", { name: one.name }),
    intro: [h("p", {}, t("For a day events have two signatures, of the old secret and of the new one. Give the receiver the new one within that time."))],
    act: async () => {
      made = await acting(path("webhooks", id, "secret"), {});
      return null;
    },
    confirm: t("New secret"),
  });
  if (done) showSecret(one.name, made.secret);
}

function drop(id) {
  const one = named(id);
  return ask({
    title: t("Delete {name}", { name: one.name }),
    intro: [h("p", {}, t("It is told nothing any more, and how far it was is forgotten. To stop for a while, pause it."))],
    act: async () => {
      await remove(path("webhooks", id));
      return t("{name} is deleted.", { name: one.name });
    },
    confirm: t("Delete"),
    kind: "danger",
  });
}

if (page) {
  acts(page, { add, pause, resume, test, replay, renew, drop });
  page.addEventListener("toggle", ({ target }) => {
    const id = target.dataset?.webhook;
    if (!id || target.open === opened.has(id)) return;
    if (target.open) opened.add(id);
    else opened.delete(id);
    refresh();
  }, true);
  start(read);
}
