// What was played in a round: boxes with their cards, wagers with their outcome, hands as they were reported.

import { t, woven } from "../catalogue.js";
import { odds } from "../odds.js";
import { chip, grid, h } from "./dom.js";
import { amount, cards, handName, money, sentence, time, words } from "./format.js";

const OUTCOMES = { win: "good", lose: "bad", returned: "warn", stand_off: "", rejected: "bad", withdrawn: "bad", open: "warn" };
const MAIN = ["bet", "flop", "turn", "river"];

/** The table as it lies: dealer and community on top, then box after box. */
export function layout(told) {
  const row = (name, list) => (list.length ? h("div.hand-row", {}, h("h3", {}, name), cards(list)) : null);
  return [row(t("Dealer"), told.dealer), row(t("Community"), told.community), h("ol.boxes", {}, told.boxes.map((box) => boxOf(box, told)))];
}

function boxOf(box, told) {
  const { hand, result } = box;
  return h("li.box", { "data-key": box.box },
    h("h3", {}, t("Box {box}", { box: box.box })),
    hand?.cards.length ? cards(hand.cards) : h("p.soft", {}, hand ? (hand.invalidated ? t("no hand") : t("not revealed")) : t("no hand reported")),
    result?.hand ? h("p", {}, h("strong", {}, handName(result.hand)), " ", result.level ? chip(result.level === "major" ? t("major jackpot") : t("minor jackpot"), "good") : null) : null,
    h("p", {}, signs(box).map((text) => chip(text, "warn"))),
    h("dl.stakes", {}, stakes(box, told).map(([name, minor]) => h("div", {}, h("dt", {}, name), h("dd.figures", {}, amount(minor, told.currency))))));
}

function signs({ hand, returned, invalidated }) {
  const by = invalidated ?? hand?.invalidated;
  return [hand?.folded ? t("folded") : null, by ? t("invalidated by {rule}", { rule: by }) : null, returned && !by ? t("bets returned") : null, hand?.main?.decision ? words(hand.main.decision) : null].filter(Boolean);
}

function stakes({ box, ante, bonus, hand }, told) {
  const placed = told.bets.boxes.find((one) => one.box === box);
  const further = MAIN.map((name) => [wagerName(name), hand?.main?.[name]]);
  return [[t("Ante"), ante], [t("Bonus"), bonus], ...further, [t("Progressive"), placed?.progressive]].filter(([, minor]) => minor);
}

const wagerName = (wager) => (wager === "bet" ? t("BET") : sentence(words(wager)));

const WAGERS = [t("Box"), t("Wager"), `#${t("Stake")}`, t("Outcome"), t("Pays"), `#${t("Payout")}`, t("Rule")];

function lines(caption, found, currency) {
  return grid(caption, WAGERS, found.map((one, index) => ({
    key: `${one.box} ${one.wager} ${index}`,
    cells: [t("Box {box}", { box: one.box }), wagerName(one.wager), money(one.stake, currency), chip(words(one.outcome), OUTCOMES[one.outcome]), one.pays ? odds(one.pays) : "—",
      one.payout === null ? t("not known yet") : money(one.payout, currency), [one.rule ?? "—", one.win ? h("span.under", {}, one.win) : null]],
  })), { empty: t("No wagers are on record.") });
}

const ORDER = ["ante", "bet", "flop", "turn", "river", "bonus", "progressive"];

export function wagers(told) {
  const all = [...told.settlement, ...told.progressive].sort((one, other) => one.box - other.box || ORDER.indexOf(one.wager) - ORDER.indexOf(other.wager));
  return [
    h("p.soft", {}, t("The payout is everything that the player is handed, any stake included. Rule numbers are paragraphs of this table's game rules.")),
    lines(t("Result of each wager"), all, told.currency),
    told.settlement.length ? null : h("p.soft", {}, t("No settlement of the main game is on record for this round.")),
  ];
}

export function changed(caption, found, currency) {
  if (!found.length) return null;
  return [h("h4", {}, caption), grid(caption, [t("Box"), t("Wager"), `#${t("Before")}`, `#${t("Now")}`, `#${t("Difference")}`], found.map((one) => ({
    key: `${one.box} ${one.wager}`,
    cells: [t("Box {box}", { box: one.box }), sentence(words(one.wager)), money(one.before, currency), money(one.after, currency), money(one.difference, currency)],
  })))];
}

/** Each message, also those that were corrected, with what was told of the settlement then. */
export function reports(told) {
  if (!told.reports.length) return h("p.empty", {}, t("No hands were reported."));
  return told.reports.map((one) => h("section.report", { "data-key": one.sequence },
    h("h3", {}, one.correction
      ? woven("Correction, entry {sequence}, {time}", { sequence: one.sequence, time: time(one.received_at, { digits: 3 }) })
      : woven("Report, entry {sequence}, {time}", { sequence: one.sequence, time: time(one.received_at, { digits: 3 }) }), " ",
      one.superseded_by ? chip(t("replaced by entry {sequence}", { sequence: one.superseded_by }), "warn") : chip(t("current"), "good")),
    grid(t("Hands in entry {sequence}", { sequence: one.sequence }), [t("Box"), t("Cards"), t("Dealt, by the table's clock"), t("Reported"), t("Result")], one.hands.map((hand) => handRow(hand, one, told))),
    one.dealer.length || one.community.length ? h("p", {}, one.dealer.length ? [t("Dealer"), " ", cards(one.dealer), " "] : null, one.community.length ? [t("Community"), " ", cards(one.community)] : null) : null,
    one.superseded_by && one.settlement.length ? [h("h4", {}, t("Settlement at that time")), lines(t("Settlement in entry {sequence}", { sequence: one.sequence }), one.settlement, told.currency)] : null,
    changed(t("What entry {sequence} changed in payouts", { sequence: one.sequence }), one.adjustments, told.currency)));
}

function handRow(hand, { results }, { currency }) {
  const result = results.find((one) => one.box === hand.box);
  const main = hand.main ?? {};
  const said = [hand.invalidated ? t("invalidated by {rule}", { rule: hand.invalidated }) : null, hand.folded ? t("folded") : null, main.decision ? words(main.decision) : null, ...MAIN.filter((name) => main[name] != null).map((name) => `${words(name)} ${amount(main[name], currency)}`)];
  return {
    key: hand.box,
    cells: [t("Box {box}", { box: hand.box }), hand.cards.length ? cards(hand.cards) : t("not revealed"), time(hand.dealt_at, { digits: 6 }), said.filter(Boolean).join(", ") || "—",
      result?.hand ? [handName(result.hand), result.award ? `, ${money(result.award, currency)}` : null, result.win || result.claim ? h("span.under", {}, result.win ?? result.claim) : null] : "—"],
  };
}
