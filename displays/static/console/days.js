// Gaming days: what a day and its shifts came to, beside everything since the link or pit began; and its closing.

import { locale, t, translated, woven } from "../catalogue.js";
import { download, get, houseNow } from "./api.js";
import { closeDay, closingOf } from "./closing.js";
import { dayFigures, pitDayFigures } from "./day_figures.js";
import { acts, button, h, show } from "./dom.js";
import { time } from "./format.js";
import { linkPath, may, me, page, refresh, start, state, tell } from "./shell.js";

const chosen = { day: "", last_day: "", shift: "" };
let listed = null;

function asked() {
  const query = { day: chosen.day || listed.days[0].day };
  if (chosen.shift) return { ...query, shift: chosen.shift };
  return chosen.last_day ? { ...query, last_day: chosen.last_day } : query;
}

async function read(place) {
  const wanted = chosen.day ? { before: chosen.day, limit: 1 } : { limit: 1 };
  const failed = await Promise.all([get(linkPath("days"), { limit: 1 }), get(linkPath("days"), wanted)])
    .then(([latest, here]) => { listed = { ...latest, days: here.days.length ? here.days : latest.days }; })
    .catch((error) => error);
  if (failed) return show(page, h("p.problem", { role: "alert" }, failed.sentence ?? String(failed)));
  const [day] = listed.days;
  const reports = await reportsOf(day).catch((error) => error);
  if (reports instanceof Error) return show(page, choice(day), h("p.problem", { role: "alert" }, reports.sentence ?? String(reports)));
  return show(page, choice(day), headline(place, day, reports.at(-1)), (place.pit ? pitDayFigures : dayFigures)(reports, columns(day, reports.at(-1)), { ...place, zone: day.zone }), closing(day, place));
}

/** Of each shift, if it is one whole day, and of all that was asked for. */
async function reportsOf(day) {
  const whole = await get(linkPath("report"), asked());
  if (chosen.shift || chosen.last_day) return [whole];
  return [...(await Promise.all(shiftsOf(day, whole).map((one) => get(linkPath("report"), { day: day.day, shift: one.name })))), whole];
}

/** Those that have begun, and were not over before the link or pit was there. */
const shiftsOf = (day, whole) => day.shifts.filter((one) => Date.parse(one.from) < houseNow() && Date.parse(one.to) > Date.parse(whole.from) && one.from !== one.to);

function columns(day, whole) {
  if (chosen.shift) return [translated(chosen.shift)];
  if (chosen.last_day) return [t("All days")];
  return [...shiftsOf(day, whole).map((one) => translated(one.name)), t("Whole day")];
}

function choice(day) {
  const field = (name, label, input) => h("div.field", { "data-key": name }, h("label", { for: name }, label), input);
  return h("form.filters", { id: "filters", "data-key": "filters" },
    field("day", t("Gaming day"), h("input", { id: "day", name: "day", type: "date", value: day.day, required: true })),
    field("shift", t("Shift"), h("select", { id: "shift", name: "shift", disabled: Boolean(chosen.last_day) },
      h("option", { value: "", selected: !chosen.shift }, t("All shifts")),
      day.shifts.map((one) => h("option", { value: one.name, "data-key": one.name, selected: one.name === chosen.shift }, translated(one.name))))),
    field("last_day", t("Up to and including"), h("input", { id: "last_day", name: "last_day", type: "date", min: day.day, disabled: Boolean(chosen.shift) })));
}

const LABEL = new Intl.DateTimeFormat(locale, { dateStyle: "full", timeZone: "UTC" });
export const dayName = (label) => LABEL.format(new Date(`${label}T12:00:00Z`));

function headline(place, day, report) {
  const clock = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short", timeZone: day.zone });
  const named = report.last_day === report.day ? dayName(report.day) : t("{first} to {last}", { first: dayName(report.day), last: dayName(report.last_day) });
  const shift = report.shift ? [", ", translated(report.shift)] : [];
  return h("section.panel", { "aria-labelledby": "day-title", "data-key": "headline" },
    h("div.row", {}, h("h2", { id: "day-title" }, place.name, ": ", named, shift), closingOf(day)),
    h("p.soft", {}, t("From {from} until {to}, in the time zone {zone}.", { from: clock.format(new Date(report.from)), to: clock.format(new Date(report.to)), zone: day.zone })),
    h("p.printed", {}, woven("Printed by {person}, {time}", { person: me.person, time: time(new Date(houseNow()).toISOString(), { date: true }) })),
    h("div.row.tools", {},
      button(t("Print"), "print", ""),
      button(t("Download report as CSV"), "csv", ""),
      h("a.button", { href: `${linkPath("report")}?${new URLSearchParams(asked())}`, download: `${place.id}-${report.day}.json` }, t("Download as JSON")),
      may.decide && listed.closable ? button(t("Close {day}", { day: dayName(listed.closable) }), "close", listed.closable, { kind: "main" }) : null));
}

function closing(day) {
  if (!day.closing || chosen.shift || chosen.last_day) return null;
  return closingOf(day, { whole: true, currency: state.link.currency });
}

if (page) {
  page.addEventListener("change", (event) => {
    if (!(event.target.name in chosen)) return;
    chosen[event.target.name] = event.target.value;
    if (event.target.name === "day") Object.assign(chosen, { shift: "", last_day: "" });
    refresh();
  });
  page.addEventListener("submit", (event) => event.preventDefault());
  acts(page, {
    print: () => print(),
    csv: () => download(linkPath("report"), asked(), `${state.link.id}-${asked().day}.csv`).catch((error) => tell(error.sentence, "bad")),
    close: (day) => closeDay(day, listed.counted, dayName(day)),
  });
  start(read, { every: 15_000 });
}
