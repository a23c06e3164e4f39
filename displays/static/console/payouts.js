// What was paid and is on its way to the winner: due, unclaimed and handed over, each with its slip.

import { t, translated, woven } from "../catalogue.js";
import { get, withQuery } from "./api.js";
import { ask, REASON } from "./dialog.js";
import { acts, button, chip, grid, h, show } from "./dom.js";
import { acting, effectOf } from "./effect.js";
import { cards, handName, money, time } from "./format.js";
import { concerns, linkPath, may, page, refresh, roundLink, start, state } from "./shell.js";
import { printSlip, sheet } from "./slip.js";

const METHODS = [["cash", t("Cash")], ["cheque", t("Cheque")], ["transfer", t("Transfer")], ["chips", t("Chips")], ["several", t("Several ways")]];
const methodName = (method) => METHODS.find(([value]) => value === method)?.[1] ?? translated(method);
const shown = { waiting: [], before: null, pages: [] };

const wanted = () => new URLSearchParams(location.search).get("win");
const slipAddress = (win) => withQuery("/console/payouts", { link: state.link.id, win });

async function read(link) {
  const win = wanted();
  if (win) return readSlip(win, link);
  const past = { state: "handed_over", limit: 20, ...(shown.before === null ? {} : { before: shown.before }) };
  const [due, unclaimed, done] = await Promise.all([get(linkPath("handovers"), { state: "due", limit: 200 }), get(linkPath("handovers"), { state: "unclaimed", limit: 200 }), get(linkPath("handovers"), past)]);
  shown.waiting = [...due.handovers, ...unclaimed.handovers];
  return show(page,
    panel("due", t("To hand over"), sum(due, "due", link),
      due.handovers.length ? h("ul.claims", {}, due.handovers.map((one) => item(one, link))) : h("p.empty", {}, t("Everything that was paid has been handed over."))),
    panel("unclaimed", t("Unclaimed"), sum(unclaimed, "unclaimed", link),
      unclaimed.handovers.length ? h("ul.claims", {}, unclaimed.handovers.map((one) => item(one, link))) : h("p.empty", {}, t("Nothing is unclaimed."))),
    panel("done", t("Handed over"), null, history(done, link)));
}

const panel = (name, title, more, ...content) => h("section.panel", { "aria-labelledby": `${name}-title`, "data-key": name }, h("h2", { id: `${name}-title` }, title, more), content);

function sum({ counts, amounts, overdue }, kind, { currency }) {
  if (!counts[kind]) return null;
  const late = kind === "due" && overdue ? t(", {count} of them overdue", { count: overdue }) : "";
  return h("span.soft", {}, t("{number}, together {amount}", { number: counts[kind], amount: money(amounts[kind], currency) }), late);
}

function item(one, link) {
  const proposed = state.proposals.filter((found) => concerns(found, link) && found.change.kind === "HandingOver" && found.change.win === one.win);
  return h("li.claim.payout", { "data-key": one.win },
    h("div.what", {}, h("h3", {}, t("Slip {number}: {hand}", { number: one.slip, hand: handName(one.hand) }), " ", marks(one)),
      h("p.soft", {}, woven("{win}, {round}, box {box}", { win: one.win, round: roundLink(one.table, one.round, t("round {round} at {table}", { round: one.round, table: one.table })), box: one.box })), cards(one.cards)),
    h("div.money", {}, h("p.amount.figures", {}, money(one.amount, link.currency)), h("p.soft", {}, woven("Paid {time}", { time: time(one.paid_at, { date: true }) })), h("p.soft", {}, t("Approved by {people}", { people: one.approved_by.map((found) => found.person).join(", ") })), waits(one)),
    proposed.map((found) => h("p", { "data-key": found.id }, chip(t("proposed"), "warn"), " ", h("a", { href: withQuery("/console/changes", { link: link.id }) }, t("{proposal} is waiting for a second person", { proposal: found.id })))),
    h("div.row", {},
      h("a.button", { href: slipAddress(one.win), "aria-label": t("Slip {number}", { number: one.slip }) }, one.printed ? t("Slip, printed {count} times", { count: one.printed }) : t("Slip")),
      may.act ? button(t("Hand over"), "hand_over", one.win, { kind: "main", label: t("Hand over slip {number}", { number: one.slip }) }) : null,
      may.decide && one.overdue ? button(t("Nobody came"), "unclaimed", one.win, { label: t("Move slip {number} to the unclaimed money", { number: one.slip }) }) : null));
}

function marks(one) {
  return [one.claim ? chip(t("late claim")) : null, one.overdue ? chip(t("overdue"), "bad") : null, one.people_needed > 1 ? chip(t("two people"), "warn") : null];
}

function waits(one) {
  if (one.unclaimed) return h("p.soft", {}, woven("Unclaimed since {time}: {reason}", { time: time(one.unclaimed.at, { date: true }), reason: one.unclaimed.reason }));
  return h("p.soft", {}, woven("Waits for its winner until {time}", { time: time(one.overdue_from, { date: true }) }));
}

function history({ handovers, next }, link) {
  const rows = handovers.map((one) => ({
    key: one.win,
    cells: [
      [h("a", { href: slipAddress(one.win) }, t("Slip {number}", { number: one.slip })), h("span.under", {}, one.win)],
      handName(one.hand),
      money(one.amount, link.currency),
      [methodName(one.handed_over.method), one.handed_over.note ? h("span.under", {}, one.handed_over.note) : null],
      h("code", {}, one.handed_over.reference),
      one.handed_over.persons.join(", "),
      time(one.handed_over.at, { date: true }),
    ],
  }));
  return [
    grid(t("Handed over"), [t("Slip"), t("Hand"), `#${t("Amount")}`, t("How"), t("Reference"), t("By"), t("Time")], rows, { empty: t("None yet.") }),
    h("div.buttons", {}, shown.pages.length ? button(t("Newer"), "later", "") : null, next ? button(t("Older"), "earlier", next) : null),
  ];
}

async function readSlip(win, link) {
  const told = await get(linkPath("wins", win, "slip")).catch((error) => error);
  const back = h("a.button", { href: withQuery("/console/payouts", { link: link.id }) }, t("All slips"));
  if (told instanceof Error) return show(page, h("p.problem", { role: "alert" }, told.sentence ?? String(told)), h("div.row.tools", {}, back));
  shown.waiting = [told];
  return show(page, h("div.row.tools.filters", { "data-key": "tools" }, back,
    may.act && told.printed !== null ? button(told.printed ? t("Print copy {number}", { number: told.printed + 1 }) : t("Print the original"), "print", win, { kind: "main" }) : null,
    told.printed === null ? button(t("Print a copy"), "copy", win) : null,
    may.act && told.printed !== null ? button(t("Hand over"), "hand_over", win) : null,
    h("div.field", { "data-key": "paper" }, h("label", { for: "paper" }, t("Paper")), h("select", { id: "paper" }, ["A4", "A5"].map((size) => h("option", { value: size, "data-key": size, selected: size === paper() }, size))))),
  sheet(told, paper()));
}

const paper = () => sessionStorage.getItem("paper") ?? "A4";
const found = (win) => shown.waiting.find((one) => one.win === win);
const said = ({ reference, method, note }) => ({ reference: reference ?? "", method: method ?? "cash", note: note ?? "" });

function handOver(win) {
  const one = found(win);
  const two = one.people_needed > 1;
  return ask({
    title: t("Hand over slip {number}", { number: one.slip }),
    intro: [h("p.headline", {}, h("strong.figures", {}, money(one.amount, state.link.currency)), cards(one.cards)),
      h("p", {}, two ? t("Two people hand over what takes two to approve: this makes a proposal.") : t("You confirm that the winner was identified and has received the amount."))],
    fields: () => [
      { name: "reference", label: t("Reference of the identity check"), type: "text", required: true, help: t("The number of its record in another system, such as IDC-2026-004711. Never a name or the number of a document.") },
      { name: "method", label: t("How"), type: "select", value: "cash", options: METHODS },
      { name: "note", label: t("Note"), type: "long", help: t("If there are several ways, how much by which. No personal data.") },
    ],
    effect: async (values) => (values.reference ? effectOf("hand_over", win, said(values)) : [h("p.soft", {}, t("Enter the reference."))]),
    act: async (values, key) => {
      const told = await acting(linkPath("wins", win, "hand-over"), said(values), key);
      return told.proposal ? t("Proposed as {proposal}. Another person must confirm it.", { proposal: told.proposal }) : t("Slip {number} is handed over.", { number: told.slip });
    },
    confirm: two ? t("Propose") : t("Hand over"),
    wide: true,
  });
}

function leave(win) {
  const one = found(win);
  return ask({
    title: t("Slip {number}: nobody came", { number: one.slip }),
    intro: [h("p", {}, t("{amount} goes to the unclaimed money. It can still be handed over later.", { amount: money(one.amount, state.link.currency) }))],
    fields: () => [REASON],
    effect: (values) => effectOf("unclaimed", win, { reason: values.reason ?? "" }),
    act: async (values, key) => {
      await acting(linkPath("wins", win, "unclaimed"), { reason: values.reason }, key);
      return t("Slip {number} is unclaimed.", { number: one.slip });
    },
    confirm: t("Move to the unclaimed money"),
    wide: true,
  });
}

if (page) {
  page.addEventListener("change", (event) => {
    if (event.target.id !== "paper") return;
    sessionStorage.setItem("paper", event.target.value);
    refresh();
  });
  acts(page, {
    hand_over: handOver,
    unclaimed: leave,
    print: (win) => printSlip(found(win), paper()),
    copy: () => print(),
    earlier: (next) => {
      shown.pages.push(shown.before);
      shown.before = Number(next);
      refresh();
    },
    later: () => {
      shown.before = shown.pages.pop() ?? null;
      refresh();
    },
  });
  start(read);
}
