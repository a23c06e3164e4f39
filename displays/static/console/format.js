// How amounts, times, hands and codes are said.

import { locale, t, translated } from "../catalogue.js";
import { h } from "./dom.js";
import { houseNow } from "./api.js";
import { figures } from "../currency.js";

export { decimalsOf, minorOf, parsed as parseAmount } from "../currency.js";

/** Without the currency's name, as in a column that says it once. */
export const amount = (minor, currency) => figures(minor, currency, "−");

export const money = (minor, currency) => (minor === null || minor === undefined ? "—" : `${currency} ${amount(minor, currency)}`);

export const share = (ppm) => `${(ppm / 10_000).toFixed(4).replace(/\.?0+$/, "")} %`;

/** "40" or "12.5 %" in parts per million; null if it is no share. */
export function parseShare(text) {
  const found = /^\s*(\d{1,3})(?:\.(\d{1,4}))?\s*%?\s*$/.exec(text);
  return found ? Number(found[1]) * 10_000 + Number((found[2] ?? "").padEnd(4, "0")) : null;
}

/** "400" as a number; null if it is no whole one. */
export const parseWhole = (text) => (/^\s*\d{1,9}\s*$/.test(text) ? Number(text) : null);

const two = (number) => String(number).padStart(2, "0");

export function clock(instant, { digits = 0 } = {}) {
  const at = new Date(instant);
  const parts = /\.(\d+)/.exec(instant);
  const fraction = digits ? `.${(parts?.[1] ?? "").padEnd(6, "0").slice(0, digits)}` : "";
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}${fraction}`;
}

const DAY = new Intl.DateTimeFormat(locale, { dateStyle: "medium" });

export function day(instant) {
  return DAY.format(new Date(instant));
}

/** Date and time by the wall clock of another zone than the browser's. */
export function timeIn(zone, instant) {
  const told = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "medium", hourCycle: "h23", timeZone: zone });
  return h("time", { datetime: instant, title: instant }, told.format(new Date(instant)));
}

export function time(instant, { digits = 0, date = false } = {}) {
  if (!instant) return "—";
  return h("time", { datetime: instant, title: instant }, `${date ? `${day(instant)} ` : ""}${clock(instant, { digits })}`);
}

export function ago(instant) {
  if (!instant) return t("never");
  const seconds = Math.max(0, (houseNow() - Date.parse(instant)) / 1000);
  if (seconds < 2) return t("now");
  if (seconds < 120) return t("{seconds} s ago", { seconds: Math.floor(seconds) });
  if (seconds < 7200) return t("{minutes} min ago", { minutes: Math.floor(seconds / 60) });
  return t("{hours} h ago", { hours: Math.floor(seconds / 3600) });
}

/** Microseconds as people say them. */
export function span(micros) {
  const size = Math.abs(micros);
  if (size < 1000) return `${micros} µs`;
  if (size < 1_000_000) return `${(micros / 1000).toFixed(size < 10_000 ? 1 : 0)} ms`;
  return `${(micros / 1_000_000).toFixed(1)} s`;
}

/** "+0.4 ms ± 1.2 ms": the middle of a measured offset and half its width; null if either end is unknown. */
export function offset({ offset_from_us: from, offset_to_us: to }) {
  if (from === null || to === null) return null;
  const middle = Math.round((from + to) / 2);
  return `${middle < 0 ? "−" : "+"}${span(Math.abs(middle))} ± ${span(Math.ceil((to - from) / 2))}`;
}

/** Microseconds since 1970 of an instant on the wire. */
export function microsOf(instant) {
  const fraction = (/\.(\d+)/.exec(instant)?.[1] ?? "").padEnd(6, "0").slice(0, 6);
  return Math.floor(Date.parse(instant) / 1000) * 1_000_000 + Number(fraction);
}

/** What a datetime-local field holds, as an instant with its offset. */
export function instantOf(local) {
  return local ? new Date(local).toISOString() : null;
}

export function localOf(milliseconds) {
  const at = new Date(milliseconds - new Date(milliseconds).getTimezoneOffset() * 60_000);
  return at.toISOString().slice(0, 23);
}

/** A code as people say it. */
export const words = (code) => translated(code.replace(/_/g, " "));
/** A kind of fact: in English as the journal writes it. */
export function factName(kind) {
  const spaced = kind.replace(/\B[A-Z]/g, " $&").toLowerCase();
  const said = translated(spaced);
  return said === spaced ? kind : said;
}

export const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);
export const handName = (hand) => sentence(words(hand));
const MAIN = document.getElementById("main")?.dataset ?? {};
const GAMES = JSON.parse(MAIN.games ?? "{}");
/** Which games a table may play in a pit, and which on a link. */
export const pitGames = JSON.parse(MAIN.pitGames ?? "[]");
export const linkGames = Object.keys(GAMES).filter((game) => !pitGames.includes(game));
export const gameName = (game) => (game in GAMES ? translated(GAMES[game]) : words(game));

const SUITS = { h: ["♥", t("hearts"), "red"], d: ["♦", t("diamonds"), "red"], s: ["♠", t("spades"), "black"], c: ["♣", t("clubs"), "black"] };
const RANKS = { T: ["10", t("ten")], J: ["J", t("jack")], Q: ["Q", t("queen")], K: ["K", t("king")], A: ["A", t("ace")] };

/** Playing cards, drawn as such. */
export function cards(list) {
  const named = list.map((code) => {
    const [rank, spoken] = RANKS[code.slice(0, -1).toUpperCase().replace("10", "T")] ?? [code.slice(0, -1), code.slice(0, -1)];
    const [suit, suitName, colour] = SUITS[code.slice(-1).toLowerCase()] ?? ["?", t("unknown"), "black"];
    return { rank, suit, colour, name: t("{rank} of {suit}", { rank: spoken, suit: suitName }) };
  });
  return h("span.cards", { role: "img", "aria-label": named.map((card) => card.name).join(", ") },
    named.map((card) => h(`span.card.${card.colour}`, { "aria-hidden": "true" }, h("b", {}, card.rank), h("i", {}, card.suit))));
}
