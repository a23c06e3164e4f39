// What recorded play would have come to under other parameters: a form, its progress, and both sides beside each other.

import { locale, t, translated, woven } from "../catalogue.js";
import { get, path, post, remove } from "./api.js";
import { SIDES, comparedChart, evenShown } from "./chart.js";
import { acts, button, chip, grid, h, show } from "./dom.js";
import { amount, handName, instantOf, money, parseAmount, parseShare, sentence, share, time, words } from "./format.js";
import { linkPath, may, page, refresh, start, state, tell } from "./shell.js";

const HANDS = ["royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush", "straight"];
const POLICIES = { "": t("As recorded"), ordered: t("Ordered: one after the other"), split: t("Split: they share"), full_each: t("Full each: the whole amount") };
const chosen = { run: null, problem: "" };
const found = new Map();

async function read(link) {
  const { dryruns } = await get(linkPath("dryruns"));
  const run = dryruns.find((one) => one.id === chosen.run) ?? dryruns[0] ?? null;
  if (run?.state === "done" && !found.has(run.id)) found.set(run.id, (await get(linkPath("dryruns", run.id))).found);
  show(page,
    h("p.soft", { "data-key": "what" }, t("The recorded bets and hands of a time are played again by the same rules, with other parameters. Nothing is written to the book, and play goes on meanwhile.")),
    may.act ? form(link, run) : h("p.soft", { "data-key": "form" }, t("Operators and supervisors can begin a dry run.")),
    run ? panels(run, dryruns) : h("section.panel", { "data-key": "none", "aria-label": t("Dry runs") }, h("p.empty", {}, t("No dry run was made since this service started."))));
  if (run?.state === "running") setTimeout(refresh, 400);
}

function panels(run, all) {
  const result = found.get(run.id);
  return [progress(run, all), run.state === "done" && result ? results(run, result) : null];
}

// The form

const field = (name, label, control, help = null) => h("div.field", {}, h("label", { for: `dry-${name}` }, label), control, help ? h("span.help", {}, help) : null);
const input = (name, more = {}) => h("input", { id: `dry-${name}`, name, autocomplete: "off", ...more });

const limit = (minor, currency) => (minor === null ? t("Now none.") : t("Now {amount}. “none” takes it away.", { amount: amount(minor, currency) }));

function form(link, run) {
  const { parameters: now, currency } = link;
  const busy = run?.state === "running";
  return h("section.panel", { "aria-labelledby": "ask-title", "data-key": "form" }, h("h2", { id: "ask-title" }, t("Play again with")),
    h("form.dryrun", { id: "dryrun" },
      h("div.dryrun-fields", {},
        field("from", t("From"), input("from", { type: "datetime-local" }), t("Empty: from its creation.")),
        field("to", t("To"), input("to", { type: "datetime-local" }), t("Empty: up to now.")),
        field("seed", t("Seed, {currency}", { currency }), input("seed", { inputmode: "decimal" }), t("Now {value}.", { value: amount(now.seed, currency) })),
        field("ceiling", t("Ceiling, {currency}", { currency }), input("ceiling", { inputmode: "decimal" }), limit(now.ceiling, currency)),
        field("meter_ppm", t("Share to the meter, %"), input("meter_ppm", { inputmode: "decimal" }), t("Now {value}.", { value: share(now.meter_ppm) })),
        field("reserve_ppm", t("Share to the reserve, %"), input("reserve_ppm", { inputmode: "decimal" }), t("Now {value}.", { value: share(now.reserve_ppm) })),
        field("policy", t("Wins that meet"), h("select", { id: "dry-policy", name: "policy" }, Object.entries(POLICIES).map(([value, text]) => h("option", { value }, text))), t("Now {value}.", { value: POLICIES[now.policy] })),
        field("window_ms", t("Window, ms"), input("window_ms", { inputmode: "numeric" }), t("Wins no further apart are simultaneous.")),
        field("cap", t("Cap of fixed odds, {currency}", { currency }), input("cap", { inputmode: "decimal" }), limit(now.cap, currency))),
      h("details", { "data-key": "levels" }, h("summary", {}, t("Other levels")), levels(now)),
      h("p.problem", { role: "alert" }, chosen.problem),
      h("div.buttons", {}, h("button.main", { type: "submit", disabled: busy }, t("Play again")), h("span.soft", {}, t("Without other parameters it proves itself.")))));
}

function levels({ level }) {
  const known = new Map(level.map((one) => [one.hand, one]));
  return [
    h("p.soft", {}, t("A share of the displayed value in percent, such as “10 %”, or odds for 1, such as “400”. Empty: the hand wins nothing. Used only if the box below is checked.")),
    h("div.dryrun-fields", {}, HANDS.map((hand) => {
      const one = known.get(hand);
      const value = one ? (one.share == null ? one.odds : `${one.share} %`) : "";
      return field(`level-${hand}`, handName(hand), input(`level-${hand}`, { value }));
    })),
    h("div.field.check", {}, h("input", { type: "checkbox", id: "dry-levels", name: "levels" }), h("label", { for: "dry-levels" }, t("Play with these levels"))),
  ];
}

class Wrong extends Error {}

function parsed(said, name, parse, label) {
  const text = (said.get(name) ?? "").trim();
  if (!text) return undefined;
  if (text.toLowerCase() === "none" && ["ceiling", "cap", "window_ms"].includes(name)) return null;
  const value = parse(text, state.link.currency);
  if (value === null) throw new Wrong(t("{label} is not understood: {text}", { label, text }));
  return value;
}

const whole = (text) => (/^\d{1,9}$/.test(text) ? Number(text) : null);

function levelSaid(hand, text) {
  const value = /^\s*(\d{1,7})\s*(%?)\s*$/.exec(text);
  if (!value) throw new Wrong(t("{label} is not understood: {text}", { label: handName(hand), text }));
  return value[2] ? { hand, share: Number(value[1]) } : { hand, odds: Number(value[1]) };
}

function wanted(said) {
  const body = {
    from: said.get("from") ? instantOf(said.get("from")) : undefined,
    to: said.get("to") ? instantOf(said.get("to")) : undefined,
    seed: parsed(said, "seed", parseAmount, t("The seed")),
    ceiling: parsed(said, "ceiling", parseAmount, t("The ceiling")),
    meter_ppm: parsed(said, "meter_ppm", parseShare, t("The share to the meter")),
    reserve_ppm: parsed(said, "reserve_ppm", parseShare, t("The share to the reserve")),
    policy: said.get("policy") || undefined,
    window_ms: parsed(said, "window_ms", whole, t("The window")),
    cap: parsed(said, "cap", parseAmount, t("The cap")),
  };
  if (said.get("levels")) body.level = HANDS.filter((hand) => said.get(`level-${hand}`).trim()).map((hand) => levelSaid(hand, said.get(`level-${hand}`)));
  return body;
}

async function begin(form) {
  try {
    const run = await post(linkPath("dryruns"), wanted(new FormData(form)));
    Object.assign(chosen, { run: run.id, problem: "" });
  } catch (error) {
    chosen.problem = error instanceof Wrong ? `${error.message}.` : error.sentence ?? String(error);
  }
  refresh();
}

// How far it is

const STATES = { running: [t("Running"), "warn"], done: [t("Done"), "good"], failed: [t("Failed"), "bad"], stopped: [t("Stopped"), ""] };

function progress(run, all) {
  const [word, kind] = STATES[run.state];
  return h("section.panel", { "aria-labelledby": "run-title", "data-key": "run" }, h("h2", { id: "run-title" }, t("Dry run"), " ", chip(word, kind)),
    h("p", {}, h("strong", {}, sentence(changesSaid(run.changed, state.link.currency))), " ", h("span.soft", {}, woven("asked by {by}, {time}", { by: run.by, time: time(run.at, { date: true }) }))),
    run.state === "running" ? [
      h("progress", { value: run.read, max: Math.max(1, run.of), "aria-label": t("Entries read") }),
      h("p.soft", {}, run.of ? readSoFar(run) : t("Starting")),
      may.act ? h("div.buttons", {}, button(t("Stop"), "stop", run.id)) : null,
    ] : null,
    run.problem ? h("p.problem", { role: "alert" }, sentence(translated(run.problem.detail))) : null,
    all.length > 1 ? h("form.filters", {}, h("div.field", {}, h("label", { for: "which" }, t("Shown")), h("select", { id: "which", name: "which" }, all.map((one) => h("option", { value: one.id, selected: one.id === run.id }, `${sentence(changesSaid(one.changed, state.link.currency))}, ${words(one.state)}`))))) : null);
}

const paces = new Map();

function readSoFar(run) {
  const [read, of] = [run.read, run.of].map((entries) => entries.toLocaleString(locale));
  const seconds = secondsLeft(run);
  return seconds === null ? t("{read} of {of} entries", { read, of }) : t("{read} of {of} entries, about {seconds} s left", { read, of, seconds });
}

function secondsLeft(run) {
  const first = paces.get(run.id) ?? paces.set(run.id, { at: Date.now(), read: run.read }).get(run.id);
  const pace = (run.read - first.read) / Math.max(1, Date.now() - first.at);
  return pace > 0 ? Math.ceil((run.of - run.read) / pace / 1000) : null;
}

const SAID = {
  seed: (minor, currency) => t("seed {seed}", { seed: amount(minor, currency) }),
  meter_ppm: (ppm) => t("{share} to the meter", { share: share(ppm) }),
  reserve_ppm: (ppm) => t("{share} to the reserve", { share: share(ppm) }),
  ceiling: (minor, currency) => (minor === null ? t("no ceiling") : t("ceiling {ceiling}", { ceiling: amount(minor, currency) })),
  policy: (name) => t("policy {policy}", { policy: words(name) }),
  window_ms: (ms) => (ms === null ? t("no window") : t("window {ms} ms", { ms })),
  cap: (minor, currency) => (minor === null ? t("no cap") : t("cap {cap}", { cap: amount(minor, currency) })),
  level: () => t("other levels"),
};

const changesSaid = (changed, currency) => Object.entries(changed).map(([name, value]) => SAID[name](value, currency)).join(", ") || t("nothing changed");

// What it found

function results(run, told) {
  const { currency } = told;
  return [
    h("section.panel", { "aria-labelledby": "chart-title", "data-key": "chart" }, h("h2", { id: "chart-title" }, t("The meter, then and so")),
      told.proved ? h("p", {}, chip(t("Proved"), "good"), " ", t("Nothing was changed, and every fact came out as it was recorded.")) : null,
      told.warnings.map((one) => h("p.warning", {}, translated(one))),
      h("p.legend", {}, h("span.then", {}, t("Then, as recorded")), h("span.so", {}, t("So: {changed}", { changed: changesSaid(told.changed, currency) })), evenShown(told).length ? h("span.even", {}, t("Break-even")) : null),
      h("div.drawing", {}, comparedChart(told, Math.max(480, page.clientWidth - 40))),
      h("div.buttons", {}, ["payments.csv", "found.json", "meter.svg"].map((file) => h("a.button", { href: path("links", told.link, "dryruns", run.id, file), download: "" }, t("Download {file}", { file }))))),
    h("div.sides", { "data-key": "sides" },
      h("section.panel", { "aria-labelledby": "figures-title" }, h("h2", { id: "figures-title" }, t("At the end")), figures(told)),
      h("section.panel", { "aria-labelledby": "notes-title" }, h("h2", { id: "notes-title" }, told.proved ? t("The proof") : t("What this cannot know, and what it assumes")), h("ul.notes", {}, told.notes.map((one) => h("li", {}, translated(one)))), crossings(told))),
    h("section.panel", { "aria-labelledby": "paid-title", "data-key": "paid" }, h("h2", { id: "paid-title" }, t("Payments, then and so, {currency}", { currency })), payments(told)),
  ];
}

const FIGURES = [
  [t("Meter"), (side) => side.ended.meter], [t("Highest meter"), (side) => side.highest], [t("Carryover"), (side) => side.ended.carryover],
  [t("Reserve"), (side) => side.ended.reserve], [t("Overflow"), (side) => side.ended.overflow], [t("House"), (side) => side.ended.house],
  [t("Majors and claims paid"), (side) => side.majors], [t("Minors paid"), (side) => side.minors], [t("Break-even"), (side) => side.break_even],
];
const COUNTS = [[t("Resets"), (side) => side.resets], [t("Times past break-even"), (side) => side.crossings.filter((one) => one.above).length], [t("Wins still waiting"), (side) => side.waiting.length]];
const signed = (minor, currency) => (minor === 0 ? "" : `${minor > 0 ? "+" : ""}${amount(minor, currency)}`);

function figures({ then, so, currency }) {
  const sums = FIGURES.map(([name, of]) => ({ key: name, cells: [name, amount(of(then), currency), amount(of(so), currency), signed(of(so) - of(then), currency)] }));
  const counts = COUNTS.map(([name, of]) => ({ key: name, cells: [name, of(then), of(so), of(so) === of(then) ? "" : `${of(so) > of(then) ? "+" : "−"}${Math.abs(of(so) - of(then))}`] }));
  return grid(t("Figures at the end"), [currency, `#${t("Then")}`, `#${t("So")}`, `#${t("Difference")}`], [...sums, ...counts]);
}

function crossings({ then, so, currency }) {
  const all = [["then", then], ["so", so]].flatMap(([side, one]) => one.crossings.map((each) => ({ ...each, side }))).sort((one, other) => one.at.localeCompare(other.at));
  if (!all.length) return null;
  return h("details", {}, h("summary", {}, t("A bet began or ceased to favour its player {count} times", { count: all.length })),
    grid(t("Crossings of break-even"), [t("Time"), t("Side"), "", `#${t("Displayed")}`], all.slice(0, 200).map((one) => ({ key: `${one.side}${one.sequence}`, cells: [time(one.at, { date: true }), SIDES[one.side], one.above ? t("above") : t("below"), amount(one.value, currency)] }))));
}

function payments(told) {
  const cell = (paid) => (paid === null ? "—" : amount(paid.amount, told.currency));
  return grid(t("Payments, then and so"), [t("Win"), t("Hand"), t("Table"), t("Time"), `#${t("Then")}`, `#${t("So")}`, `#${t("Difference")}`], told.payments.map((one) => ({
    key: one.win,
    cells: [one.win, [one.hand ? handName(one.hand) : "", one.claim ? chip(t("late claim")) : null].filter(Boolean), one.table, time((one.so ?? one.then).at, { date: true }), cell(one.then), cell(one.so), signed(one.difference, told.currency)],
  })), { empty: t("No major was paid, then or so.") });
}

if (page) {
  page.addEventListener("submit", (event) => {
    event.preventDefault();
    if (event.target.id === "dryrun") begin(event.target);
  });
  page.addEventListener("change", (event) => {
    if (event.target.name !== "which") return;
    chosen.run = event.target.value;
    refresh();
  });
  acts(page, { stop: (id) => remove(linkPath("dryruns", id)).then(refresh).catch((error) => tell(error.sentence, "bad")) });
  start(read, { every: 5000 });
  addEventListener("resize", refresh);
}
