// What was played in a round: boxes with their cards, wagers with their outcome, hands as they were reported.

import { chip, grid, h } from "./dom.js";
import { amount, cards, handName, money, sentence, time, words } from "./format.js";

const OUTCOMES = { win: "good", lose: "bad", returned: "warn", stand_off: "", rejected: "bad", withdrawn: "bad", open: "warn" };
const MAIN = ["bet", "flop", "turn", "river"];

/** The table as it lies: dealer and community on top, then box after box. */
export function layout(told) {
  const row = (name, list) => (list.length ? h("div.hand-row", {}, h("h3", {}, name), cards(list)) : null);
  return [row("Dealer", told.dealer), row("Community", told.community), h("ol.boxes", {}, told.boxes.map((box) => boxOf(box, told)))];
}

function boxOf(box, told) {
  const { hand, result } = box;
  return h("li.box", { "data-key": box.box },
    h("h3", {}, `Box ${box.box}`),
    hand?.cards.length ? cards(hand.cards) : h("p.soft", {}, hand ? (hand.invalidated ? "no hand" : "not revealed") : "no hand reported"),
    result?.hand ? h("p", {}, h("strong", {}, handName(result.hand)), " ", result.level ? chip(`${result.level} jackpot`, "good") : null) : null,
    h("p", {}, signs(box).map((text) => chip(text, "warn"))),
    h("dl.stakes", {}, stakes(box, told).map(([name, minor]) => h("div", {}, h("dt", {}, name), h("dd.figures", {}, amount(minor, told.currency))))));
}

function signs({ hand, returned, invalidated }) {
  const by = invalidated ?? hand?.invalidated;
  return [hand?.folded ? "folded" : null, by ? `invalidated by ${by}` : null, returned && !by ? "bets returned" : null, hand?.main?.decision ? words(hand.main.decision) : null].filter(Boolean);
}

function stakes({ box, ante, bonus, hand }, told) {
  const placed = told.bets.boxes.find((one) => one.box === box);
  const further = MAIN.map((name) => [name === "bet" ? "BET" : sentence(name), hand?.main?.[name]]);
  return [["Ante", ante], ["Bonus", bonus], ...further, ["Progressive", placed?.progressive]].filter(([, minor]) => minor);
}

const WAGERS = ["Box", "Wager", "#Stake", "Outcome", "Pays", "#Payout", "Rule"];

function lines(caption, found, currency) {
  return grid(caption, WAGERS, found.map((one, index) => ({
    key: `${one.box} ${one.wager} ${index}`,
    cells: [`Box ${one.box}`, one.wager === "bet" ? "BET" : sentence(one.wager), money(one.stake, currency), chip(words(one.outcome), OUTCOMES[one.outcome]), one.pays ?? "—",
      one.payout === null ? "not known yet" : money(one.payout, currency), [one.rule ?? "—", one.win ? h("span.under", {}, one.win) : null]],
  })), { empty: "No wagers are on record." });
}

const ORDER = ["ante", "bet", "flop", "turn", "river", "bonus", "progressive"];

export function wagers(told) {
  const all = [...told.settlement, ...told.progressive].sort((one, other) => one.box - other.box || ORDER.indexOf(one.wager) - ORDER.indexOf(other.wager));
  return [
    h("p.soft", {}, "The payout is everything that the player is handed, any stake included. Rule numbers are paragraphs of this table's game rules."),
    lines("Result of each wager", all, told.currency),
    told.settlement.length ? null : h("p.soft", {}, "No settlement of the main game is on record for this round."),
  ];
}

export function changed(caption, found, currency) {
  if (!found.length) return null;
  return [h("h4", {}, caption), grid(caption, ["Box", "Wager", "#Before", "#Now", "#Difference"], found.map((one) => ({
    key: `${one.box} ${one.wager}`,
    cells: [`Box ${one.box}`, sentence(one.wager), money(one.before, currency), money(one.after, currency), money(one.difference, currency)],
  })))];
}

/** Each message, also those that were corrected, with what was told of the settlement then. */
export function reports(told) {
  if (!told.reports.length) return h("p.empty", {}, "No hands were reported.");
  return told.reports.map((one) => h("section.report", { "data-key": one.sequence },
    h("h3", {}, `${one.correction ? "Correction" : "Report"}, entry ${one.sequence}, `, time(one.received_at, { digits: 3 }), " ",
      one.superseded_by ? chip(`replaced by entry ${one.superseded_by}`, "warn") : chip("current", "good")),
    grid(`Hands in entry ${one.sequence}`, ["Box", "Cards", "Dealt, by the table's clock", "Reported", "Result"], one.hands.map((hand) => handRow(hand, one, told))),
    one.dealer.length || one.community.length ? h("p", {}, one.dealer.length ? ["Dealer ", cards(one.dealer), " "] : null, one.community.length ? ["Community ", cards(one.community)] : null) : null,
    one.superseded_by && one.settlement.length ? [h("h4", {}, "Settlement at that time"), lines(`Settlement in entry ${one.sequence}`, one.settlement, told.currency)] : null,
    changed(`What entry ${one.sequence} changed in payouts`, one.adjustments, told.currency)));
}

function handRow(hand, { results }, { currency }) {
  const result = results.find((one) => one.box === hand.box);
  const main = hand.main ?? {};
  const said = [hand.invalidated ? `invalidated by ${hand.invalidated}` : null, hand.folded ? "folded" : null, main.decision ? words(main.decision) : null, ...MAIN.filter((name) => main[name] != null).map((name) => `${name} ${amount(main[name], currency)}`)];
  return {
    key: hand.box,
    cells: [`Box ${hand.box}`, hand.cards.length ? cards(hand.cards) : "not revealed", time(hand.dealt_at, { digits: 6 }), said.filter(Boolean).join(", ") || "—",
      result?.hand ? [handName(result.hand), result.award ? `, ${money(result.award, currency)}` : null, result.win || result.claim ? h("span.under", {}, result.win ?? result.claim) : null] : "—"],
  };
}
