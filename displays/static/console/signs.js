// Signs: what was on one at a time, beside what the journal says the meter read then.

import { get, houseNow } from "./api.js";
import { chip, grid, h, show } from "./dom.js";
import { instantOf, localOf, money, time } from "./format.js";
import { facts } from "./proof.js";
import { linkPath, page, start, state } from "./shell.js";

const chosen = { sign: "", at: "" };
let found = null;

async function read() {
  show(page, h("section.panel", { "aria-labelledby": "then-title", "data-key": "then" }, h("h2", { id: "then-title" }, "What was on that sign at that time"), question(), answer()));
}

function question() {
  return h("form.filters", { id: "question", "data-key": "question" },
    h("div.field", {}, h("label", { for: "sign" }, "Sign"), h("input", { id: "sign", name: "sign", required: true, maxlength: 80, autocomplete: "off" })),
    h("div.field", {}, h("label", { for: "at" }, "At"), h("input", { id: "at", name: "at", type: "datetime-local", step: "0.001", value: localOf(houseNow()).slice(0, 19) })),
    h("button.main", { type: "submit" }, "Show"));
}

async function ask() {
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
      [`On ${sign}`, shown ? [h("strong.figures", {}, money(shown.value, currency)), " ", verdict(shown, reading)] : "It has told nothing until then."],
      ["Shown since", shown ? time(shown.shown_at, { digits: 3, date: true }) : "—"],
      ["The meter read", h("strong.figures", {}, money(reading.value, currency))],
      ["By journal entry", `${reading.sequence}`],
    ]),
    h("h3", {}, "What it told until then"),
    grid("Receipts", ["Shown", "#Value", "#Entry", "Told by", "Received"], receipts.map((one) => ({
      key: one.id, cells: [time(one.shown_at, { digits: 3, date: true }), money(one.value, currency), one.sequence, one.verified ? chip("the sign itself", "good") : chip("unverified", "warn"), time(one.received_at, { digits: 3 })],
    })), { empty: "Nothing." }));
}

function verdict(shown, reading) {
  return shown.value === reading.value ? chip("as the meter read", "good") : chip("another value", "warn");
}

if (page) {
  page.addEventListener("submit", async (event) => {
    event.preventDefault();
    Object.assign(chosen, Object.fromEntries(new FormData(event.target)));
    await ask().catch((error) => (found = error));
    await read();
  });
  start(read, { every: 60_000 });
}
