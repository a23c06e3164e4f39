// What two people change: proposals with their effect, and the second person's word.

import { t, translated, woven } from "../catalogue.js";
import { get, path } from "./api.js";
import { awardsOf, capOf, payTableForm, policyForm, policyName, prizeOf, windowOf } from "./awards.js";
import { ask, REASON } from "./dialog.js";
import { acts, button, grid, h, show } from "./dom.js";
import { acting, effectOf } from "./effect.js";
import { amount, minorOf, handName, money, sentence, share, time, words } from "./format.js";
import { changesWhen, profilePanel } from "./profile.js";
import { facts } from "./proof.js";
import { concerns, linkPath, may, me, page, start, state } from "./shell.js";

const WAYS = { next_reset: ["next_reset", t("At the next reset"), ""], closed: ["now", t("At once"), t("Only possible while the link is closed and no win is waiting.")] };
let profile = null;

/** As far as the profile allows it. */
function when() {
  const allowed = changesWhen(profile);
  const options = Object.keys(WAYS).filter((way) => allowed === "either" || allowed === way).map((way) => WAYS[way]);
  return { name: "when", label: t("Takes effect"), type: "choice", required: true, value: options[0][0], options };
}

async function read(link) {
  profile = await get(path("profile"));
  const waiting = state.proposals.filter((one) => concerns(one, link));
  show(page,
    h("section.panel", { "aria-labelledby": "waiting-title", "data-key": "waiting" }, h("h2", { id: "waiting-title" }, t("Waiting for a second person")),
      waiting.length ? h("ul.proposals", {}, waiting.map(proposal)) : h("p.empty", {}, t("No proposals are waiting."))),
    h("div.columns", { "data-key": "columns" },
      h("section.panel", { "aria-labelledby": "terms-title" }, h("h2", { id: "terms-title" }, t("Current settings")), terms(link)),
      h("section.panel", { "aria-labelledby": "accounts-title" }, h("h2", { id: "accounts-title" }, t("Accounts")), accounts(link))),
    may.act ? h("section.panel", { "aria-labelledby": "propose-title", "data-key": "propose" }, h("h2", { id: "propose-title" }, t("Propose a change")), proposals(link)) : null,
    profilePanel(profile, link),
    may.act && link.state !== "closed" ? h("section.panel", { "aria-labelledby": "close-title", "data-key": "close" }, h("h2", { id: "close-title" }, t("At once, without a second person")), h("div.choices", {}, button(t("Close the link"), "close", "", { kind: "danger" }))) : null);
}

function terms(link) {
  const { parameters: told, scheduled, currency } = link;
  return [
    facts([
      [t("Seed"), money(told.seed, currency)],
      [t("Progressive bet"), money(told.progressive_bet, currency)],
      [t("Share to the meter"), share(told.meter_ppm)],
      [t("Share to the reserve"), share(told.reserve_ppm)],
      [t("Share to the house"), share(1_000_000 - told.meter_ppm - told.reserve_ppm)],
      [t("Ceiling"), told.ceiling === null ? t("none") : money(told.ceiling, currency)],
      [t("Approvals"), t("the whole jackpot {whole}, a part of it {part}", { whole: told.approvals.royal_flush, part: told.approvals.straight_flush })],
      [t("Award policy"), policyName(told.policy)],
      [t("Simultaneous"), windowOf(told.window_ms)],
      [t("Cap of a round"), capOf(told.cap, currency)],
      [t("Unclaimed after"), t("{count} days", { count: told.unclaimed_after_days })],
    ]),
    h("h3", {}, t("Pay table")),
    facts(told.level.map((one) => [handName(one.hand), prizeOf(one)])),
    scheduled.length ? [h("h3", {}, t("From the next reset")), h("ul", {}, scheduled.map((one) => h("li", {}, changesOf(one, link))))] : null,
  ];
}

function accounts({ accounts: told, currency }) {
  return grid(t("Accounts"), [t("Account"), `#${currency}`], Object.entries(told).map(([account, units]) => ({ key: account, cells: [sentence(words(account)), amount(minorOf(units), currency)] })));
}

function changesOf(one, link) {
  const { currency } = link;
  const said = [];
  if (one.seed != null) said.push(t("seed {seed}", { seed: money(one.seed, currency) }));
  if (one.meter_ppm != null) said.push(t("{share} to the meter", { share: share(one.meter_ppm) }));
  if (one.reserve_ppm != null) said.push(t("{share} to the reserve", { share: share(one.reserve_ppm) }));
  if (one.ceiling != null) said.push(t("ceiling {ceiling}", { ceiling: money(one.ceiling, currency) }));
  if (one.no_ceiling) said.push(t("no ceiling"));
  if (one.royal_flush_approvals != null) said.push(t("{people} approve a win of the whole jackpot", { people: one.royal_flush_approvals }));
  if (one.straight_flush_approvals != null) said.push(t("{people} approve a win of a part of it", { people: one.straight_flush_approvals }));
  return sentence([...said, ...awardsOf(one, link)].join(", "));
}

function meaning(change) {
  const { currency } = state.link;
  const say = {
    ParameterChange: () => (change.now ? t("{changes}, at once", { changes: changesOf(change.changes, state.link) }) : t("{changes}, from the next reset", { changes: changesOf(change.changes, state.link) })),
    Adjustment: () => (change.amount < 0
      ? t("Lower the meter by {amount}, in favour of {account}", { amount: money(-change.amount, currency), account: words(change.account) })
      : t("Raise the meter by {amount}, taken from {account}", { amount: money(change.amount, currency), account: words(change.account) })),
    LinkOpening: () => t("Open the link"),
    HandingOver: () => t("Hand over {win} to reference {reference}, {method}", { win: change.win, reference: change.reference, method: translated(change.method) }),
    RoyalRejection: () => t("Reject {win}, a win of the whole jackpot", { win: change.win }),
    ClaimDecision: () => t("Late claim {claim}: {outcome}", { claim: change.claim, outcome: words(change.outcome) }),
    PoolTransfer: () => t("Transfer {amount} from {account} to {to}", { amount: money(change.amount, currency), account: words(change.account), to: change.to }),
    ClockSetting: () => t("Set the house clock to the database server's clock, for every link"),
    Retirement: () => (change.to === null ? t("Retire the link; the pool goes to the house") : t("Retire the link; the pool goes to {to}", { to: change.to })),
  };
  return (say[change.kind] ?? (() => change.kind))();
}

const folded = (name) => name.normalize("NFKC").toLowerCase();

function proposal(one) {
  const mine = folded(one.person) === folded(me.person);
  return h("li", { "data-key": one.id },
    h("div", {}, h("h3", {}, meaning(one.change)), h("p", {}, one.reason), h("p.soft", {}, woven("{id}, proposed by {person}, {time}", { id: one.id, person: one.person, time: time(one.at, { date: true }) }))),
    h("div.row", {},
      may.decide && !mine ? button(t("Confirm"), "confirm", one.id, { kind: "main", label: t("Confirm {id}", { id: one.id }) }) : null,
      may.decide && mine ? h("p.soft", {}, t("Another person must confirm it.")) : null,
      may.decide || (may.act && mine) ? button(t("Withdraw"), "withdraw", one.id, { label: t("Withdraw {id}", { id: one.id }) }) : null));
}

function proposals(link) {
  return h("div.choices", {},
    button(t("Seed"), "seed", ""), button(t("Rates and ceiling"), "parameters", ""), button(t("Approvals"), "approvals", ""), button(t("Award policy"), "policy", ""), button(t("Pay table"), "pay_table", ""), button(t("Adjust the meter"), "adjustments", ""),
    button(t("Transfer to another link"), "transfer", "", { disabled: state.links.length < 2 }),
    link.state === "closed" ? button(t("Open the link"), "open", "") : null,
    button(t("Set the house clock"), "clock", ""),
    button(t("Retire the link"), "retire", "", { kind: "danger" }));
}

/** A form whose body is both rehearsed and sent. */
function propose(act, title, fields, body, { address = linkPath(act), ...more } = {}) {
  return ask({
    title,
    fields,
    effect: async (said) => {
      const wanted = body(said);
      return wanted === null ? [h("p.soft", {}, t("Enter what should change."))] : effectOf(act, null, { ...wanted, reason: said.reason ?? "" });
    },
    act: async (said, key) => {
      const told = await acting(address, { ...body(said), reason: said.reason }, key);
      return told.proposal ? t("Proposed as {proposal}. Another person must confirm it.", { proposal: told.proposal }) : t("Done.");
    },
    confirm: t("Propose"),
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
  seed: () => propose("seed", t("Propose a new seed"),
    () => [{ name: "seed", label: t("Seed, {currency}", { currency: state.link.currency }), type: "money", required: true, help: t("Now {value}.", { value: amount(state.link.parameters.seed, state.link.currency) }) }, when(), REASON],
    (said) => (said.seed == null ? null : { seed: said.seed, when: said.when ?? when().value })),
  parameters: () => propose("parameters", t("Propose new rates or a new ceiling"),
    (said) => [
      { name: "meter_ppm", label: t("Share to the meter, %"), type: "share", help: t("Now {share}. Leave empty to keep it.", { share: share(state.link.parameters.meter_ppm) }) },
      { name: "reserve_ppm", label: t("Share to the reserve, %"), type: "share", help: t("Now {value}.", { value: share(state.link.parameters.reserve_ppm) }) },
      said.no_ceiling ? null : { name: "ceiling", label: t("Ceiling, {currency}", { currency: state.link.currency }), type: "money", help: state.link.parameters.ceiling === null ? t("Now none.") : t("Now {value}.", { value: amount(state.link.parameters.ceiling, state.link.currency) }) },
      { name: "no_ceiling", label: t("Remove the ceiling"), type: "check" },
      when(), REASON,
    ].filter(Boolean),
    (said) => {
      const wanted = { ...given(said, ["meter_ppm", "reserve_ppm", "ceiling"]), ...(said.no_ceiling ? { ceiling: null } : {}) };
      return Object.keys(wanted).length ? { ...wanted, when: said.when ?? when().value } : null;
    }),
  approvals: () => propose("parameters", t("Propose other approvals"),
    () => [
      { name: "royal_flush", label: t("People who approve a win of the whole jackpot"), type: "whole", help: t("Now {value}.", { value: state.link.parameters.approvals.royal_flush }) },
      { name: "straight_flush", label: t("People who approve a win of a part of it"), type: "whole", help: t("Now {value}.", { value: state.link.parameters.approvals.straight_flush }) },
      when(), REASON,
    ],
    (said) => {
      const approvals = given(said, ["royal_flush", "straight_flush"]);
      return Object.keys(approvals).length ? { approvals, when: said.when ?? when().value } : null;
    }),
  policy: () => proposeAwards(policyForm),
  pay_table: () => proposeAwards(payTableForm),
  adjustments: () => propose("adjustments", t("Propose an adjustment of the meter"),
    () => [
      { name: "amount", label: t("Amount, {currency}", { currency: state.link.currency }), type: "money", required: true, help: t("A positive amount raises the meter, a negative one lowers it.") },
      { name: "from", label: t("Other account"), type: "select", value: "house", options: [["house", t("House")], ["reserve", t("Reserve")], ["overflow", t("Overflow")]] },
      REASON,
    ],
    (said) => (said.amount == null ? null : { amount: said.amount, from: said.from ?? "house" })),
  transfer: () => propose("transfer", t("Propose a transfer to another link"),
    () => [
      { name: "to", label: t("To"), type: "select", options: others() },
      { name: "amount", label: t("Amount, {currency}", { currency: state.link.currency }), type: "money", required: true },
      { name: "from", label: t("From account"), type: "select", value: "meter", options: [["meter", t("Meter")], ["reserve", t("Reserve")], ["overflow", t("Overflow")]] },
      REASON,
    ],
    (said) => (said.amount == null ? null : { to: said.to, amount: said.amount, from: said.from ?? "meter" })),
  retire: () => propose("retire", t("Propose to retire the link"),
    () => [{ name: "to", label: t("The pool goes to"), type: "select", options: [["", t("The house")], ...others()] }, REASON],
    (said) => ({ to: said.to || null }), { kind: "danger" }),
  clock: () => propose("clock", t("Propose to set the house clock"), () => [REASON], () => ({}),
    { address: path("house", "clock"), intro: [h("p", {}, t("House time is set to the database server's time, for every link. This is only possible while no round is open and no win is waiting at any link."))] }),
  open: () => propose("open", t("Propose to open the link"), () => [REASON], () => ({})),
  close: () => propose("close", t("Close the link"), () => [REASON], () => ({}), { confirm: t("Close the link"), kind: "danger" }),
};

function decide(id, verb, confirm) {
  const one = state.proposals.find((found) => found.id === id);
  return ask({
    title: verb === "confirm" ? t("Confirm {id}", { id }) : t("Withdraw {id}", { id }),
    intro: [h("p", {}, h("strong", {}, meaning(one.change))), h("p", {}, `${one.person}: ${one.reason}`)],
    // What is proposed at another link, for the whole house, has no effect that this link could show.
    effect: verb === "confirm" && one.link === state.link.id ? () => effectOf("confirm", id, {}) : null,
    act: async (_said, key) => {
      await acting(path("proposals", id, verb), {}, key);
      return verb === "confirm" ? t("{id} is confirmed and carried out.", { id }) : t("{id} is withdrawn.", { id });
    },
    confirm,
    wide: true,
  });
}

if (page) {
  acts(page, { ...FORMS, confirm: (id) => decide(id, "confirm", t("Confirm and carry out")), withdraw: (id) => decide(id, "withdraw", t("Withdraw")) });
  start(read);
}
