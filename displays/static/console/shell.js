// What every page of the console does: the link or pit, the meter, the counts, what waits anywhere, and staying live.

import { t } from "../catalogue.js";
import "./language.js";
import { listening } from "./announcing.js";
import { get, goToLogin, logOut, path, settle, withQuery } from "./api.js";
import { showAttention } from "./attention.js";
import { chip, h, show } from "./dom.js";
import { amount, clock, span } from "./format.js";

const main = document.getElementById("main");
export const page = document.getElementById("page");
export const me = { role: main.dataset.role, person: main.dataset.person };
export const may = { act: me.role === "operator" || me.role === "supervisor", decide: me.role === "supervisor" };
export const kinds = main.dataset.kinds.split(" ");
/** `links` and `pits` as the overview tells them; `link` is the chosen one, with everything about it. */
export const state = { links: [], pits: [], link: null, proposals: [], malfunctions: [], waiting: [] };

/** Pages about the jackpot: a pit has none. */
const OF_JACKPOTS = ["wins", "payouts", "claims", "malfunctions", "changes", "dryrun", "signs"];
const ofJackpots = OF_JACKPOTS.includes(main.dataset.page);

const STATES = { open: [t("Open"), "good"], held: [t("Held"), "warn"], off: [t("Off"), "bad"], closed: [t("Closed"), "bad"], stale: [t("Stale"), "bad"] };
const PAUSE = 400;
const CALM = 1500; // for what has changed elsewhere
const GLANCED = 3000; // what waits anywhere, also on pages that are seldom read anew
let read = async () => {};
let wide = false;
let queued = null;
let glancing = null;
let reading = false;
let again = false;
let lastRead = null;
let streamLost = false;

/** A word to the reader that goes by itself. */
export function tell(text, kind = "good") {
  const notice = h(`p.notice.${kind}`, {}, text);
  document.getElementById("notices").append(notice);
  setTimeout(() => notice.remove(), 7000);
}

export function refresh() {
  queued ??= setTimeout(async () => {
    queued = null;
    if (reading) again = true;
    else await readOnce();
  }, PAUSE);
}

/** What changes meanwhile is read afterwards. */
async function readOnce() {
  reading = true;
  try {
    await everything();
  } finally {
    reading = false;
    if (again) refresh();
    again = false;
  }
}

async function everything() {
  try {
    await glance();
    const chosen = choose();
    state.link = chosen && { ...(await get(path(chosen.pit ? "pits" : "links", chosen.id))), pit: chosen.pit, waiting: chosen.waiting };
    showPlace();
    if (page && (state.link || wide)) await read(state.link);
    else if (page) show(page, h("p.empty", {}, t("This page is about jackpots, and no link is set up.")));
    lastRead = new Date();
    sayLive();
  } catch (error) {
    if (error.status !== 401) sayLive(error);
  }
}

/** What is told on every page, of all links and pits at once. */
async function glance() {
  const { places, waiting, proposals, malfunctions, clock: houseClock } = await get("/v1/overview");
  const [links, pits] = [places.filter((one) => !one.pit), places.filter((one) => one.pit)];
  Object.assign(state, { links, pits, proposals, malfunctions, waiting });
  showClock(houseClock);
  showAttention(waiting, new Map(places.map((one) => [one.id, one.name])));
}

/** Something has changed at another link or pit: the page is read anew only if it may show that. */
function glanceSoon() {
  if (wide) return refresh();
  if (queued !== null || reading) return null;
  glancing ??= setTimeout(async () => {
    const before = JSON.stringify([state.proposals, state.malfunctions]);
    await glance().catch(() => null);
    glancing = null;
    if (JSON.stringify([state.proposals, state.malfunctions]) !== before) refresh();
  }, CALM);
  return null;
}

function choose() {
  const wanted = new URLSearchParams(location.search).get("link") ?? sessionStorage.getItem("link");
  const pits = ofJackpots ? [] : state.pits;
  const places = [...state.links, ...pits];
  const chosen = places.find((one) => one.id === wanted) ?? places[0] ?? null;
  const select = document.getElementById("link");
  const options = (several) => several.map((one) => h("option", { value: one.id, "data-key": one.id }, one.name));
  show(select, pits.length ? [group(t("Jackpots"), options(state.links)), group(t("Pits"), options(pits))] : options(state.links));
  if (chosen) select.value = chosen.id;
  select.disabled = places.length < 2;
  count("wins", chosen?.waiting.wins ?? 0);
  count("payouts", chosen?.waiting.handovers ?? 0);
  count("claims", chosen?.waiting.claims ?? 0);
  count("changes", state.proposals.filter((one) => concerns(one, chosen)).length);
  count("malfunctions", chosen?.waiting.malfunctions ?? 0);
  return chosen;
}

const group = (label, options) => (options.length ? h("optgroup", { label, "data-key": label }, options) : null);

/** What is proposed for the whole house is shown with every link. */
export const concerns = (proposal, link) => proposal.link === link?.id || proposal.change.kind === "ClockSetting";

/** House time that is not the server's clock: somebody has to know, whatever page he looks at. */
function showClock({ difference_us: difference, alerts }) {
  const place = document.getElementById("house-clock");
  place.hidden = !alerts.length;
  if (!alerts.length) return;
  const said = { span: span(Math.abs(difference)), time: clock(alerts[0].since) };
  show(place, difference < 0
    ? t("House time has been {span} behind the database server's clock since {time}.", said)
    : t("House time has been {span} ahead of the database server's clock since {time}.", said));
}

function count(name, number) {
  const badge = document.querySelector(`[data-count="${name}"]`);
  if (!badge) return;
  badge.hidden = !number;
  show(badge, String(number), h("span.unseen", {}, " ", t("waiting")));
}

function showPlace(place = state.link) {
  if (!place) return null;
  if (!place.pit) return showMeter(place);
  const said = place.stopped ? h("span", { title: place.stopped }, chip(t("stopped: the book contradicts itself"), "bad")) : h("span.soft", {}, t("Tables without a jackpot"));
  return show(document.getElementById("meter"), said);
}

function showMeter({ value, currency, state: word, stopped, reason }) {
  const denied = stopped ?? reason;
  const [said, kind] = denied ? [t("stopped: the book contradicts itself"), "bad"] : (STATES[word] ?? [word, ""]);
  const state = h("span", { title: stopped ?? "" }, chip(said, kind));
  show(document.getElementById("meter"), h("span.currency", {}, currency), h("output.value.figures", {}, amount(value, currency)), state);
}

function sayLive(error = null) {
  const place = document.getElementById("live");
  const asOf = lastRead ? t("Shown as of {time}.", { time: clock(lastRead.toISOString()) }) : "";
  const lost = error !== null || streamLost;
  place.dataset.state = lost ? "lost" : "live";
  show(place, lost ? [t("Connection lost."), " ", asOf] : t("Live"));
}

function listen() {
  const stream = new EventSource("/v1/house/stream");
  stream.addEventListener("changed", (event) => {
    const told = JSON.parse(event.data);
    if (told.link && told.link === state.link?.id) showMeter(told);
    if ((told.link ?? told.pit) === state.link?.id) refresh();
    else glanceSoon();
  });
  stream.addEventListener("open", () => {
    streamLost = false;
    refresh();
  });
  stream.addEventListener("error", () => {
    streamLost = true;
    sayLive();
    if (stream.readyState === EventSource.CLOSED) setTimeout(() => (stream.close(), listen()), 2000);
  });
}

/** Read and show with `reader(link)`, now, after each change there (`everywhere`: after each change), and every so
 * often for what changes without a fact. */
export function start(reader, { every = 3000, everywhere = false } = {}) {
  read = reader;
  wide = everywhere;
  document.getElementById("logout").addEventListener("click", async () => {
    await logOut().catch(() => null);
    goToLogin();
  });
  document.getElementById("link").addEventListener("change", (event) => {
    sessionStorage.setItem("link", event.target.value);
    history.replaceState(null, "", location.pathname);
    refresh();
  });
  document.querySelector(".pages [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" }); // on a phone they stand in one line
  settle().catch(() => null);
  readOnce().then(listen);
  const unseen = () => document.hidden && !listening();
  setInterval(() => unseen() || refresh(), every);
  if (every > GLANCED) setInterval(() => unseen() || glanceSoon(), GLANCED);
  document.addEventListener("visibilitychange", () => document.hidden || refresh());
}

/** Turn to another link, as its own list would. */
export function lookAt(link) {
  const wanted = new URLSearchParams(location.search);
  wanted.set("link", link);
  sessionStorage.setItem("link", link);
  history.replaceState(null, "", `${location.pathname}?${wanted}`);
  refresh();
}

export const roundAddress = (table, round) => withQuery("/console/rounds", { link: state.link?.id, table, round });
export const roundLink = (table, round, text) => h("a", { href: roundAddress(table, round) }, text);
export const linkPath = (...parts) => path(state.link.pit ? "pits" : "links", state.link.id, ...parts);
