// What two people change: proposals with their effect, and the second person's word.

import { get, path } from "./api.js";
import { awardsOf, capOf, payTableForm, policyForm, policyName, prizeOf, windowOf } from "./awards.js";
import { ask, REASON } from "./dialog.js";
import { acts, button, grid, h, show } from "./dom.js";
import { acting, effectOf } from "./effect.js";
import { amount, minorOf, handName, money, sentence, share, time, words } from "./format.js";
import { changesWhen, profilePanel } from "./profile.js";
import { facts } from "./proof.js";
import { concerns, linkPath, may, me, page, start, state } from "./shell.js";

const WAYS = { next_reset: ["next_reset", "At the next reset", ""], closed: ["now", "At once", "Only possible while the link is closed and no win is waiting."] };
let profile = null;

/** As far as the profile allows it. */
function when() {
  const allowed = changesWhen(profile);
  const options = Object.keys(WAYS).filter((way) => allowed === "either" || allowed === way).map((way) => WAYS[way]);
  return { name: "when", label: "Takes effect", type: "choice", required: true, value: options[0][0], options };
}

async function read(link) {
  profile = await get(path("profile"));
  const waiting = state.proposals.filter((one) => concerns(one, link));
  show(page,
    h("section.panel", { "aria-labelledby": "waiting-title", "data-key": "waiting" }, h("h2", { id: "waiting-title" }, "Waiting for a second person"),
      waiting.length ? h("ul.proposals", {}, waiting.map(proposal)) : h("p.empty", {}, "No proposals are waiting.")),
    h("div.columns", { "data-key": "columns" },
      h("section.panel", { "aria-labelledby": "terms-title" }, h("h2", { id: "terms-title" }, "Current settings"), terms(link)),
      h("section.panel", { "aria-labelledby": "accounts-title" }, h("h2", { id: "accounts-title" }, "Accounts"), accounts(link))),
    may.act ? h("section.panel", { "aria-labelledby": "propose-title", "data-key": "propose" }, h("h2", { id: "propose-title" }, "Propose a change"), proposals(link)) : null,
    profilePanel(profile, link),
    may.act && link.state !== "closed" ? h("section.panel", { "aria-labelledby": "close-title", "data-key": "close" }, h("h2", { id: "close-title" }, "At once, without a second person"), h("div.choices", {}, button("Close the link", "close", "", { kind: "danger" }))) : null);
}

function terms(link) {
  const { parameters: told, scheduled, currency } = link;
  return [
    facts([
      ["Seed", money(told.seed, currency)],
      ["Progressive bet", money(told.progressive_bet, currency)],
      ["Share to the meter", share(told.meter_ppm)],
      ["Share to the reserve", share(told.reserve_ppm)],
      ["Share to the house", share(1_000_000 - told.meter_ppm - told.reserve_ppm)],
      ["Ceiling", told.ceiling === null ? "none" : money(told.ceiling, currency)],
      ["Approvals", `the whole jackpot ${told.approvals.royal_flush}, a part of it ${told.approvals.straight_flush}`],
      ["Award policy", policyName(told.policy)],
      ["Simultaneous", windowOf(told.window_ms)],
      ["Cap of a round", capOf(told.cap, currency)],
    ]),
    h("h3", {}, "Pay table"),
    facts(told.level.map((one) => [handName(one.hand), prizeOf(one)])),
    scheduled.length ? [h("h3", {}, "From the next reset"), h("ul", {}, scheduled.map((one) => h("li", {}, changesOf(one, link))))] : null,
  ];
}

function accounts({ accounts: told, currency }) {
  return grid("Accounts", ["Account", `#${currency}`], Object.entries(told).map(([account, units]) => ({ key: account, cells: [sentence(account), amount(minorOf(units), currency)] })));
}

function changesOf(one, link) {
  const { currency } = link;
  const said = [];
  if (one.seed != null) said.push(`seed ${money(one.seed, currency)}`);
  if (one.meter_ppm != null) said.push(`${share(one.meter_ppm)} to the meter`);
  if (one.reserve_ppm != null) said.push(`${share(one.reserve_ppm)} to the reserve`);
  if (one.ceiling != null) said.push(`ceiling ${money(one.ceiling, currency)}`);
  if (one.no_ceiling) said.push("no ceiling");
  return sentence([...said, ...awardsOf(one, link)].join(", "));
}

function meaning(change) {
  const { currency } = state.link;
  const say = {
    ParameterChange: () => `${changesOf(change.changes, state.link)}, ${change.now ? "at once" : "from the next reset"}`,
    Adjustment: () => `${change.amount < 0 ? "Lower" : "Raise"} the meter by ${money(Math.abs(change.amount), currency)}, ${change.amount < 0 ? "in favour of" : "taken from"} ${change.account}`,
    LinkOpening: () => "Open the link",
    RoyalRejection: () => `Reject ${change.win}, a win of the whole jackpot`,
    ClaimDecision: () => `Late claim ${change.claim}: ${words(change.outcome)}`,
    PoolTransfer: () => `Transfer ${money(change.amount, currency)} from ${change.account} to ${change.to}`,
    ClockSetting: () => "Set the house clock to the database server's clock, for every link",
    Retirement: () => `Retire the link; the pool goes to ${change.to ?? "the house"}`,
  };
  return (say[change.kind] ?? (() => change.kind))();
}

const folded = (name) => name.normalize("NFKC").toLowerCase();

function proposal(one) {
  const mine = folded(one.person) === folded(me.person);
  return h("li", { "data-key": one.id },
    h("div", {}, h("h3", {}, meaning(one.change)), h("p", {}, one.reason), h("p.soft", {}, `${one.id}, proposed by ${one.person}, `, time(one.at, { date: true }))),
    h("div.row", {},
      may.decide && !mine ? button("Confirm", "confirm", one.id, { kind: "main", label: `Confirm ${one.id}` }) : null,
      may.decide && mine ? h("p.soft", {}, "Another person must confirm it.") : null,
      may.decide || (may.act && mine) ? button("Withdraw", "withdraw", one.id, { label: `Withdraw ${one.id}` }) : null));
}

function proposals(link) {
  return h("div.choices", {},
    button("Seed", "seed", ""), button("Rates and ceiling", "parameters", ""), button("Award policy", "policy", ""), button("Pay table", "pay_table", ""), button("Adjust the meter", "adjustments", ""),
    button("Transfer to another link", "transfer", "", { disabled: state.links.length < 2 }),
    link.state === "closed" ? button("Open the link", "open", "") : null,
    button("Set the house clock", "clock", ""),
    button("Retire the link", "retire", "", { kind: "danger" }));
}

/** A form whose body is both rehearsed and sent. */
function propose(act, title, fields, body, { address = linkPath(act), ...more } = {}) {
  return ask({
    title,
    fields,
    effect: async (said) => {
      const wanted = body(said);
      return wanted === null ? [h("p.soft", {}, "Enter what should change.")] : effectOf(act, null, { ...wanted, reason: said.reason ?? "" });
    },
    act: async (said, key) => {
      const told = await acting(address, { ...body(said), reason: said.reason }, key);
      return told.proposal ? `Proposed as ${told.proposal}. Another person must confirm it.` : "Done.";
    },
    confirm: "Propose",
    wide: true,
    ...more,
  });
}

const given = (said, names) => Object.fromEntries(names.filter((name) => said[name] != null && said[name] !== "").map((name) => [name, said[name]]));
const others = () => state.links.filter((one) => one.id !== state.link.id).map((one) => [one.id, one.name]);

/** A change of what hands win or how wins are paid. */
const proposeAwards = (form) => propose("parameters", form.title,
  (said) => form.fields(said, state.link, [when(), REASON]),
  (said) => {
    const wanted = form.body(said, state.link);
    return wanted && { ...wanted, when: said.when ?? when().value };
  });

const FORMS = {
  seed: () => propose("seed", "Propose a new seed",
    () => [{ name: "seed", label: `Seed, ${state.link.currency}`, type: "money", required: true, help: `Now ${amount(state.link.parameters.seed, state.link.currency)}.` }, when(), REASON],
    (said) => (said.seed == null ? null : { seed: said.seed, when: said.when ?? when().value })),
  parameters: () => propose("parameters", "Propose new rates or a new ceiling",
    (said) => [
      { name: "meter_ppm", label: "Share to the meter, %", type: "share", help: `Now ${share(state.link.parameters.meter_ppm)}. Leave empty to keep it.` },
      { name: "reserve_ppm", label: "Share to the reserve, %", type: "share", help: `Now ${share(state.link.parameters.reserve_ppm)}.` },
      said.no_ceiling ? null : { name: "ceiling", label: `Ceiling, ${state.link.currency}`, type: "money", help: `Now ${state.link.parameters.ceiling === null ? "none" : amount(state.link.parameters.ceiling, state.link.currency)}.` },
      { name: "no_ceiling", label: "Remove the ceiling", type: "check" },
      when(), REASON,
    ].filter(Boolean),
    (said) => {
      const wanted = { ...given(said, ["meter_ppm", "reserve_ppm", "ceiling"]), ...(said.no_ceiling ? { ceiling: null } : {}) };
      return Object.keys(wanted).length ? { ...wanted, when: said.when ?? when().value } : null;
    }),
  policy: () => proposeAwards(policyForm),
  pay_table: () => proposeAwards(payTableForm),
  adjustments: () => propose("adjustments", "Propose an adjustment of the meter",
    () => [
      { name: "amount", label: `Amount, ${state.link.currency}`, type: "money", required: true, help: "A positive amount raises the meter, a negative one lowers it." },
      { name: "from", label: "Other account", type: "select", value: "house", options: [["house", "House"], ["reserve", "Reserve"], ["overflow", "Overflow"]] },
      REASON,
    ],
    (said) => (said.amount == null ? null : { amount: said.amount, from: said.from ?? "house" })),
  transfer: () => propose("transfer", "Propose a transfer to another link",
    () => [
      { name: "to", label: "To", type: "select", options: others() },
      { name: "amount", label: `Amount, ${state.link.currency}`, type: "money", required: true },
      { name: "from", label: "From account", type: "select", value: "meter", options: [["meter", "Meter"], ["reserve", "Reserve"], ["overflow", "Overflow"]] },
      REASON,
    ],
    (said) => (said.amount == null ? null : { to: said.to, amount: said.amount, from: said.from ?? "meter" })),
  retire: () => propose("retire", "Propose to retire the link",
    () => [{ name: "to", label: "The pool goes to", type: "select", options: [["", "The house"], ...others()] }, REASON],
    (said) => ({ to: said.to || null }), { kind: "danger" }),
  clock: () => propose("clock", "Propose to set the house clock", () => [REASON], () => ({}),
    { address: path("house", "clock"), intro: [h("p", {}, "House time is set to the database server's time, for every link. This is only possible while no round is open and no win is waiting at any link.")] }),
  open: () => propose("open", "Propose to open the link", () => [REASON], () => ({})),
  close: () => propose("close", "Close the link", () => [REASON], () => ({}), { confirm: "Close the link", kind: "danger" }),
};

function decide(id, verb, confirm) {
  const one = state.proposals.find((found) => found.id === id);
  return ask({
    title: `${sentence(verb)} ${id}`,
    intro: [h("p", {}, h("strong", {}, meaning(one.change))), h("p", {}, `${one.person}: ${one.reason}`)],
    // What is proposed at another link, for the whole house, has no effect that this link could show.
    effect: verb === "confirm" && one.link === state.link.id ? () => effectOf("confirm", id, {}) : null,
    act: async (_said, key) => {
      await acting(path("proposals", id, verb), {}, key);
      return `${id} is ${verb === "confirm" ? "confirmed and carried out" : "withdrawn"}.`;
    },
    confirm,
    wide: true,
  });
}

if (page) {
  acts(page, { ...FORMS, confirm: (id) => decide(id, "confirm", "Confirm and carry out"), withdraw: (id) => decide(id, "withdraw", "Withdraw") });
  start(read);
}
