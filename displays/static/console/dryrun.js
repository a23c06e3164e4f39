// What recorded play would have come to under other parameters: a form, its progress, and both sides beside each other.

import { get, path, post, remove } from "./api.js";
import { comparedChart, evenShown } from "./chart.js";
import { acts, button, chip, grid, h, show } from "./dom.js";
import { amount, handName, instantOf, money, parseAmount, parseShare, sentence, share, time, words } from "./format.js";
import { linkPath, may, page, refresh, start, state, tell } from "./shell.js";

const HANDS = ["royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush", "straight"];
const POLICIES = { "": "As recorded", ordered: "Ordered: one after the other", split: "Split: they share", full_each: "Full each: the whole amount" };
const chosen = { run: null, problem: "" };
const found = new Map();

async function read(link) {
  const { dryruns } = await get(linkPath("dryruns"));
  const run = dryruns.find((one) => one.id === chosen.run) ?? dryruns[0] ?? null;
  if (run?.state === "done" && !found.has(run.id)) found.set(run.id, (await get(linkPath("dryruns", run.id))).found);
  show(page,
    h("p.soft", { "data-key": "what" }, "The recorded bets and hands of a time are played again by the same rules, with other parameters. Nothing is written to the book, and play goes on meanwhile."),
    may.act ? form(link, run) : h("p.soft", { "data-key": "form" }, "Operators and supervisors can begin a dry run."),
    run ? panels(run, dryruns) : h("section.panel", { "data-key": "none", "aria-label": "Dry runs" }, h("p.empty", {}, "No dry run was made since this service started.")));
  if (run?.state === "running") setTimeout(refresh, 400);
}

function panels(run, all) {
  const result = found.get(run.id);
  return [progress(run, all), run.state === "done" && result ? results(run, result) : null];
}

// The form

const field = (name, label, control, help = null) => h("div.field", {}, h("label", { for: `dry-${name}` }, label), control, help ? h("span.help", {}, help) : null);
const input = (name, more = {}) => h("input", { id: `dry-${name}`, name, autocomplete: "off", ...more });

const limit = (minor, currency) => (minor === null ? "Now none." : `Now ${amount(minor, currency)}. “none” takes it away.`);

function form(link, run) {
  const { parameters: now, currency } = link;
  const busy = run?.state === "running";
  return h("section.panel", { "aria-labelledby": "ask-title", "data-key": "form" }, h("h2", { id: "ask-title" }, "Play again with"),
    h("form.dryrun", { id: "dryrun" },
      h("div.dryrun-fields", {},
        field("from", "From", input("from", { type: "datetime-local" }), "Empty: from its creation."),
        field("to", "To", input("to", { type: "datetime-local" }), "Empty: up to now."),
        field("seed", `Seed, ${currency}`, input("seed", { inputmode: "decimal" }), `Now ${amount(now.seed, currency)}.`),
        field("ceiling", `Ceiling, ${currency}`, input("ceiling", { inputmode: "decimal" }), limit(now.ceiling, currency)),
        field("meter_ppm", "Share to the meter, %", input("meter_ppm", { inputmode: "decimal" }), `Now ${share(now.meter_ppm)}.`),
        field("reserve_ppm", "Share to the reserve, %", input("reserve_ppm", { inputmode: "decimal" }), `Now ${share(now.reserve_ppm)}.`),
        field("policy", "Wins that meet", h("select", { id: "dry-policy", name: "policy" }, Object.entries(POLICIES).map(([value, text]) => h("option", { value }, text))), `Now ${words(now.policy)}.`),
        field("window_ms", "Window, ms", input("window_ms", { inputmode: "numeric" }), "Wins no further apart are simultaneous."),
        field("cap", `Cap of fixed odds, ${currency}`, input("cap", { inputmode: "decimal" }), limit(now.cap, currency))),
      h("details", { "data-key": "levels" }, h("summary", {}, "Other levels"), levels(now)),
      h("p.problem", { role: "alert" }, chosen.problem),
      h("div.buttons", {}, h("button.main", { type: "submit", disabled: busy }, "Play again"), h("span.soft", {}, "Without other parameters it proves itself."))));
}

function levels({ level }) {
  const known = new Map(level.map((one) => [one.hand, one]));
  return [
    h("p.soft", {}, "A share of the displayed value in percent, such as “10 %”, or odds for 1, such as “400”. Empty: the hand wins nothing. Used only if the box below is checked."),
    h("div.dryrun-fields", {}, HANDS.map((hand) => {
      const one = known.get(hand);
      const value = one ? (one.share == null ? one.odds : `${one.share} %`) : "";
      return field(`level-${hand}`, handName(hand), input(`level-${hand}`, { value }));
    })),
    h("div.field.check", {}, h("input", { type: "checkbox", id: "dry-levels", name: "levels" }), h("label", { for: "dry-levels" }, "Play with these levels")),
  ];
}

class Wrong extends Error {}

function parsed(said, name, parse, label) {
  const text = (said.get(name) ?? "").trim();
  if (!text) return undefined;
  if (text.toLowerCase() === "none" && ["ceiling", "cap", "window_ms"].includes(name)) return null;
  const value = parse(text, state.link.currency);
  if (value === null) throw new Wrong(`${label} is not understood: ${text}`);
  return value;
}

const whole = (text) => (/^\d{1,9}$/.test(text) ? Number(text) : null);

function levelSaid(hand, text) {
  const value = /^\s*(\d{1,7})\s*(%?)\s*$/.exec(text);
  if (!value) throw new Wrong(`${handName(hand)} is not understood: ${text}`);
  return value[2] ? { hand, share: Number(value[1]) } : { hand, odds: Number(value[1]) };
}

function wanted(said) {
  const body = {
    from: said.get("from") ? instantOf(said.get("from")) : undefined,
    to: said.get("to") ? instantOf(said.get("to")) : undefined,
    seed: parsed(said, "seed", parseAmount, "The seed"),
    ceiling: parsed(said, "ceiling", parseAmount, "The ceiling"),
    meter_ppm: parsed(said, "meter_ppm", parseShare, "The share to the meter"),
    reserve_ppm: parsed(said, "reserve_ppm", parseShare, "The share to the reserve"),
    policy: said.get("policy") || undefined,
    window_ms: parsed(said, "window_ms", whole, "The window"),
    cap: parsed(said, "cap", parseAmount, "The cap"),
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

const STATES = { running: ["Running", "warn"], done: ["Done", "good"], failed: ["Failed", "bad"], stopped: ["Stopped", ""] };

function progress(run, all) {
  const [word, kind] = STATES[run.state];
  return h("section.panel", { "aria-labelledby": "run-title", "data-key": "run" }, h("h2", { id: "run-title" }, "Dry run ", chip(word, kind)),
    h("p", {}, h("strong", {}, sentence(changesSaid(run.changed, state.link.currency))), h("span.soft", {}, ` asked by ${run.by}, `, time(run.at, { date: true }))),
    run.state === "running" ? [
      h("progress", { value: run.read, max: Math.max(1, run.of), "aria-label": "Entries read" }),
      h("p.soft", {}, run.of ? `${run.read.toLocaleString("en")} of ${run.of.toLocaleString("en")} entries${left(run)}` : "Starting"),
      may.act ? h("div.buttons", {}, button("Stop", "stop", run.id)) : null,
    ] : null,
    run.problem ? h("p.problem", { role: "alert" }, sentence(run.problem.detail)) : null,
    all.length > 1 ? h("form.filters", {}, h("div.field", {}, h("label", { for: "which" }, "Shown"), h("select", { id: "which", name: "which" }, all.map((one) => h("option", { value: one.id, selected: one.id === run.id }, `${sentence(changesSaid(one.changed, state.link.currency))}, ${words(one.state)}`))))) : null);
}

const paces = new Map();

function left(run) {
  const first = paces.get(run.id) ?? paces.set(run.id, { at: Date.now(), read: run.read }).get(run.id);
  const pace = (run.read - first.read) / Math.max(1, Date.now() - first.at);
  return pace > 0 ? `, about ${Math.ceil((run.of - run.read) / pace / 1000)} s left` : "";
}

const SAID = {
  seed: (minor, currency) => `seed ${amount(minor, currency)}`,
  meter_ppm: (ppm) => `${share(ppm)} to the meter`,
  reserve_ppm: (ppm) => `${share(ppm)} to the reserve`,
  ceiling: (minor, currency) => (minor === null ? "no ceiling" : `ceiling ${amount(minor, currency)}`),
  policy: (name) => `policy ${words(name)}`,
  window_ms: (ms) => (ms === null ? "no window" : `window ${ms} ms`),
  cap: (minor, currency) => (minor === null ? "no cap" : `cap ${amount(minor, currency)}`),
  level: () => "other levels",
};

const changesSaid = (changed, currency) => Object.entries(changed).map(([name, value]) => SAID[name](value, currency)).join(", ") || "nothing changed";

// What it found

function results(run, told) {
  const { currency } = told;
  return [
    h("section.panel", { "aria-labelledby": "chart-title", "data-key": "chart" }, h("h2", { id: "chart-title" }, "The meter, then and so"),
      told.proved ? h("p", {}, chip("Proved", "good"), " Nothing was changed, and every fact came out as it was recorded.") : null,
      told.warnings.map((one) => h("p.warning", {}, one)),
      h("p.legend", {}, h("span.then", {}, "Then, as recorded"), h("span.so", {}, `So: ${changesSaid(told.changed, currency)}`), evenShown(told).length ? h("span.even", {}, "Break-even") : null),
      h("div.drawing", {}, comparedChart(told, Math.max(480, page.clientWidth - 40))),
      h("div.buttons", {}, ["payments.csv", "found.json", "meter.svg"].map((file) => h("a.button", { href: path("links", told.link, "dryruns", run.id, file), download: "" }, `Download ${file}`)))),
    h("div.sides", { "data-key": "sides" },
      h("section.panel", { "aria-labelledby": "figures-title" }, h("h2", { id: "figures-title" }, "At the end"), figures(told)),
      h("section.panel", { "aria-labelledby": "notes-title" }, h("h2", { id: "notes-title" }, told.proved ? "The proof" : "What this cannot know, and what it assumes"), h("ul.notes", {}, told.notes.map((one) => h("li", {}, one))), crossings(told))),
    h("section.panel", { "aria-labelledby": "paid-title", "data-key": "paid" }, h("h2", { id: "paid-title" }, `Payments, then and so, ${currency}`), payments(told)),
  ];
}

const FIGURES = [
  ["Meter", (side) => side.ended.meter], ["Highest meter", (side) => side.highest], ["Carryover", (side) => side.ended.carryover],
  ["Reserve", (side) => side.ended.reserve], ["Overflow", (side) => side.ended.overflow], ["House", (side) => side.ended.house],
  ["Majors and claims paid", (side) => side.majors], ["Minors paid", (side) => side.minors], ["Break-even", (side) => side.break_even],
];
const COUNTS = [["Resets", (side) => side.resets], ["Times past break-even", (side) => side.crossings.filter((one) => one.above).length], ["Wins still waiting", (side) => side.waiting.length]];
const signed = (minor, currency) => (minor === 0 ? "" : `${minor > 0 ? "+" : ""}${amount(minor, currency)}`);

function figures({ then, so, currency }) {
  const sums = FIGURES.map(([name, of]) => ({ key: name, cells: [name, amount(of(then), currency), amount(of(so), currency), signed(of(so) - of(then), currency)] }));
  const counts = COUNTS.map(([name, of]) => ({ key: name, cells: [name, of(then), of(so), of(so) === of(then) ? "" : `${of(so) > of(then) ? "+" : "−"}${Math.abs(of(so) - of(then))}`] }));
  return grid("Figures at the end", [currency, "#Then", "#So", "#Difference"], [...sums, ...counts]);
}

function crossings({ then, so, currency }) {
  const all = [["then", then], ["so", so]].flatMap(([side, one]) => one.crossings.map((each) => ({ ...each, side }))).sort((one, other) => one.at.localeCompare(other.at));
  if (!all.length) return null;
  return h("details", {}, h("summary", {}, `A bet began or ceased to favour its player ${all.length} times`),
    grid("Crossings of break-even", ["Time", "Side", "", "#Displayed"], all.slice(0, 200).map((one) => ({ key: `${one.side}${one.sequence}`, cells: [time(one.at, { date: true }), one.side, one.above ? "above" : "below", amount(one.value, currency)] }))));
}

function payments(told) {
  const cell = (paid) => (paid === null ? "—" : amount(paid.amount, told.currency));
  return grid("Payments, then and so", ["Win", "Hand", "Table", "Time", "#Then", "#So", "#Difference"], told.payments.map((one) => ({
    key: one.win,
    cells: [one.win, [one.hand ? handName(one.hand) : "", one.claim ? chip("late claim") : null].filter(Boolean), one.table, time((one.so ?? one.then).at, { date: true }), cell(one.then), cell(one.so), signed(one.difference, told.currency)],
  })), { empty: "No major was paid, then or so." });
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
