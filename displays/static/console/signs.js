// Signs: what was on one at a time, beside what the journal says the meter read then; and enrolling one.

import { t, woven } from "../catalogue.js";
import { get, houseNow } from "./api.js";
import { ask } from "./dialog.js";
import { acts, button, chip, grid, h, show } from "./dom.js";
import { acting } from "./effect.js";
import { instantOf, localOf, money, time } from "./format.js";
import { facts } from "./proof.js";
import { linkPath, may, page, start, state } from "./shell.js";

const chosen = { sign: "", at: "" };
let found = null;
let code = null;

async function read() {
  show(page, h("section.panel", { "aria-labelledby": "then-title", "data-key": "then" }, h("h2", { id: "then-title" }, t("What a sign showed at a given time")), question(), answer()),
    may.act ? h("section.panel", { "aria-labelledby": "enrol-title", "data-key": "enrol" }, h("h2", { id: "enrol-title" }, t("Enrol a sign")), enrolment()) : null);
}

function enrolment() {
  return [
    h("p.soft", {}, t("What an enrolled sign reports can be verified. Create a code, then enter it at /enrol on the sign's screen.")),
    h("div.buttons", {}, button(t("Create a code"), "enrol", "")),
    code ? h("div.code", { role: "status" }, h("p", {}, `${code.sign}: `, h("strong.figures", {}, code.code)), h("p.soft", {}, woven("Can be used once, until {time}.", { time: time(code.expires_at) }))) : null,
  ];
}

function enrol() {
  return ask({
    title: t("Enrol a sign"),
    fields: () => [{ name: "sign", label: t("Name of the sign"), type: "text", required: true, help: t("Letters, digits, - and _, such as wall-north. A sign of that name is replaced when the code is used.") }],
    act: async (said, key) => {
      code = await acting("/v1/signs/codes", { sign: said.sign.trim() }, key);
      await read();
      return t("The code for {sign} is ready.", { sign: code.sign });
    },
    confirm: t("Create a code"),
  });
}

function question() {
  return h("form.filters", { id: "question", "data-key": "question" },
    h("div.field", {}, h("label", { for: "sign" }, t("Sign")), h("input", { id: "sign", name: "sign", required: true, maxlength: 80, autocomplete: "off" })),
    h("div.field", {}, h("label", { for: "at" }, t("Time")), h("input", { id: "at", name: "at", type: "datetime-local", step: "0.001", value: localOf(houseNow()).slice(0, 19) })),
    h("button.main", { type: "submit" }, t("Show")));
}

async function look() {
  const at = chosen.at ? instantOf(chosen.at) : new Date(houseNow()).toISOString();
  const [receipts, reading] = await Promise.all([get(linkPath("receipts"), { sign: chosen.sign, at, limit: 20 }), get(linkPath("readings"), { at })]);
  found = { receipts: receipts.receipts, reading, sign: chosen.sign };
}

function answer() {
  if (found === null) return null;
  if (found instanceof Error) return h("p.problem", { role: "alert" }, found.sentence ?? String(found));
  const { receipts, reading, sign } = found;
  const shown = receipts[0];
  const { currency } = state.link;
  return h("div", { "aria-live": "polite" },
    facts([
      [t("On {sign}", { sign }), shown ? [h("strong.figures", {}, money(shown.value, currency)), " ", verdict(shown, reading)] : t("It had reported nothing by then.")],
      [t("Shown since"), shown ? time(shown.shown_at, { digits: 3, date: true }) : "—"],
      [t("The meter read"), h("strong.figures", {}, money(reading.value, currency))],
      [t("By journal entry"), `${reading.sequence}`],
    ]),
    h("h3", {}, t("What it had reported by then")),
    grid(t("Receipts"), [t("Shown"), `#${t("Value")}`, `#${t("Entry")}`, t("Reported by"), t("Received")], receipts.map((one) => ({
      key: one.id, cells: [time(one.shown_at, { digits: 3, date: true }), money(one.value, currency), one.sequence, one.verified ? chip(t("the sign itself"), "good") : chip(t("unverified"), "warn"), time(one.received_at, { digits: 3 })],
    })), { empty: t("No reports.") }));
}

function verdict(shown, reading) {
  return shown.value === reading.value ? chip(t("same as the meter"), "good") : chip(t("differs from the meter"), "warn");
}

if (page) {
  page.addEventListener("submit", async (event) => {
    event.preventDefault();
    Object.assign(chosen, Object.fromEntries(new FormData(event.target)));
    await look().catch((error) => (found = error));
    await read();
  });
  acts(page, { enrol });
  start(read, { every: 60_000 });
}
