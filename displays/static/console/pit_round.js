// A round of blackjack as evidence: bets as they lay, hands as they were split, each wager with its paragraph.

import { t, translated, woven } from "../catalogue.js";
import { odds } from "../odds.js";
import { chip, grid, h } from "./dom.js";
import { cards, money, sentence, time, words } from "./format.js";
import { limitsOf } from "./pit_terms.js";
import { facts } from "./proof.js";

const OUTCOMES = { win: "good", lose: "bad", returned: "warn", stand_off: "" };
const CALLS = { stand: t("Stood"), double: t("Doubled"), split: t("Split|a hand"), surrender: t("Surrendered"), walk_away: t("Player left"), free_double: t("Doubled for free"), free_split: t("Split for free") };
const FOLLOWS = { paid: t("pays for the split"), free: t("splits for free"), none: t("does not follow the split") };
const yesNo = (value) => (value === null || value === undefined ? t("not said") : value ? t("yes") : t("no"));

/** A player whom the table does not name has the number of his box. */
export function whose({ box, player }) {
  if (box === null) return /^\d+$/.test(player) ? t("Player {player}", { player }) : player;
  return player === String(box) ? t("Box {box}", { box }) : t("Box {box}, {player}", { box, player });
}

export const limits = (told) => [limitsOf(told.terms, told.currency), h("span.under", {}, `${t("{count} decks", { count: told.terms.decks })}, ${t("{count} boxes", { count: told.terms.boxes })}`)];

// Bets

export function bets({ bets: told, currency }) {
  const playing = new Map(told.playing.map((one) => [placeOf(one), one.stake]));
  const rows = told.laid.map((one, index) => ({
    key: `${placeOf(one)} ${index}`,
    cells: [whose(one), one.box === null ? "—" : one.standing ? t("standing") : t("seated"), translated(one.name), money(one.laid, currency), money(playing.get(placeOf(one)) ?? 0, currency)],
  }));
  return [
    told.table_closed ? h("p", {}, chip(t("table closed: all bets were returned"), "warn")) : null,
    grid(t("Bets as they lay when betting closed"), [t("Player"), t("Place"), t("Wager"), `#${t("Laid")}`, `#${t("In play")}`], rows, { empty: t("No bets were laid.") }),
  ];
}

const placeOf = ({ box, player, wager }) => `${box} ${player} ${wager}`;

// Cards

/** Dealer on top, then box after box; a hand that was split holds the two hands that came of it. */
export function layout(told) {
  return [dealerOf(told.dealer), h("ol.boxes.pit", {}, told.boxes.map((box) => boxOf(box, told.currency))), loose(told)];
}

function dealerOf(dealer) {
  const word = dealer.cards.length ? dealerWord(dealer) : t("no cards reported");
  return h("div.hand-row", {}, h("h3", {}, t("Dealer")), dealer.cards.length ? cards(dealer.cards) : null, h("span", {}, h("strong", {}, word)));
}

function dealerWord(dealer) {
  if (dealer.blackjack) return t("Blackjack");
  const total = totalOf(dealer);
  if (dealer.bust) return t("{total}, bust", { total });
  return dealer.finished ? total : t("{total}, not finished", { total });
}

const totalOf = ({ total, soft }) => (soft ? t("soft {total}", { total }) : String(total));

function boxOf(box, currency) {
  return h("li.box", { "data-key": box.box },
    h("h3", {}, t("Box {box}", { box: box.box })),
    h("ul.players", {}, box.players.map((one) => h("li", { "data-key": one.player },
      h("span", {}, one.player === String(box.box) ? t("Player") : one.player, " ", h("span.soft", {}, one.seated ? t("seated") : t("standing"), one.caller && box.players.length > 1 ? [", ", t("calls")] : null)),
      h("span.figures", {}, one.plays ? money(one.plays, currency) : t("side bets only")),
      one.returned_by ? chip(t("bets returned by {rule}", { rule: one.returned_by }), "warn") : null))),
    box.invalidated ? h("p", {}, chip(t("invalidated by {rule}", { rule: box.invalidated }), "warn")) : null,
    box.hand ? handOf(box.hand, box, currency) : h("p.soft", {}, t("no cards reported")));
}

function handOf(hand, box, currency) {
  const number = box.hand.split.length && hand.number !== null ? h("span.hand-number", {}, t("Hand {number}", { number: hand.number })) : null;
  const word = hand.number === null ? null : hand.blackjack ? t("Blackjack") : hand.bust ? t("{total}, bust", { total: totalOf(hand) }) : totalOf(hand);
  return h("div.hand", { "data-key": hand.number ?? `split ${hand.cards.join(" ")}` },
    h("div.hand-line", {}, number, cards(hand.cards), word ? h("strong", {}, word) : null, hand.decision && (hand.number === null || hand.decision !== "stand") ? chip(CALLS[hand.decision] ?? words(hand.decision), "") : null),
    said(hand, box, currency),
    hand.split.length ? h("div.split", {}, hand.split.map((one) => handOf(one, box, currency))) : null);
}

/** The same beside the box. */
const playerIn = (box, player) => (player === String(box) ? t("Box {box}", { box }) : player);

/** What only players can say of a hand. */
function said(hand, { box, players }, currency) {
  const told = hand.wagers.map((one) => [players.length > 1 ? playerIn(box, one.player) : null, wordsOf(one, currency)]).filter(([, text]) => text);
  return told.length ? h("p.soft", {}, told.map(([who, text]) => `${who ? `${who}: ` : ""}${text}`).join("; ")) : null;
}

function wordsOf(one, currency) {
  return [
    one.insurance ? t("insurance {amount}", { amount: money(one.insurance, currency) }) : null,
    one.even_money ? t("takes even money") : null,
    one.split ? FOLLOWS[one.split] : null,
    one.double === 0 ? t("does not double") : one.double ? t("doubles for {amount}", { amount: money(one.double, currency) }) : null,
    one.free_double === true ? t("doubles for free") : one.free_double === false ? t("does not double for free") : null,
    one.invalidated ? t("bets returned by {rule}", { rule: one.invalidated }) : null,
  ].filter(Boolean).join(", ");
}

function loose({ discarded, shoe }) {
  if (!discarded.length && !shoe) return null;
  return facts([
    discarded.length ? [t("Discarded"), discarded.map((one) => [cards([one.card]), ` ${one.rule} `])] : null,
    shoe?.id ? [t("Shoe"), shoe.id] : null,
    shoe?.drawn ? [t("Drawn from the shoe"), cards(shoe.drawn)] : null,
  ]);
}

// Wagers

const HEADS = [t("Player"), t("Hand"), t("Wager"), `#${t("Stake")}`, t("Outcome"), t("Pays"), `#${t("Payout")}`, t("Rule")];

function lines(caption, found, currency) {
  return grid(caption, HEADS, found.map((one, index) => ({
    key: `${placeOf(one)} ${one.hand} ${index}`,
    cells: [whose(one), one.hand ?? "—", translated(one.name), one.marker ? [money(0, currency), h("span.under", {}, t("marker for {amount}", { amount: money(one.marker, currency) }))] : money(one.stake, currency), chip(words(one.outcome), OUTCOMES[one.outcome]), one.pays ? odds(one.pays) : "—", money(one.payout, currency), one.rule],
  })), { empty: t("No outcome is on record.") });
}

export function wagers(told) {
  return [
    h("p.soft", {}, t("The payout is everything that the player is handed, any stake included. Hands are numbered in the order of play. Rule numbers are paragraphs of this table's game rules.")),
    lines(t("Result of each wager"), told.settlement, told.currency),
    told.left_open.length ? h("p", {}, chip(t("never reported"), "warn"), told.left_open.map((one) => `${whose(one)}: ${translated(one.name)}`).join("; ")) : null,
    changed(t("What the last entry changed in payouts"), told.adjustments, told.currency),
  ];
}

function changed(caption, found, currency) {
  if (!found.length) return null;
  return [h("h4", {}, caption), grid(caption, [t("Player"), t("Hand"), t("Wager"), `#${t("Before")}`, `#${t("Now")}`, `#${t("Difference")}`], found.map((one) => ({
    key: `${placeOf(one)} ${one.hand}`,
    cells: [whose(one), one.hand ?? "—", translated(one.name), money(one.before, currency), money(one.after, currency), money(one.difference, currency)],
  })))];
}

// Decisions

const decided = (key, title, ...content) => h("section.decision", { "data-key": key }, h("h3", {}, title), content);

export function decisions(told) {
  const all = [...told.irregularities.map(irregularity), told.void ? voided(told) : null, ...returned(told)].filter(Boolean);
  return all.length ? all : h("p.empty", {}, t("No decisions were needed."));
}

function irregularity(one) {
  const { said: given } = one;
  return decided(one.id, t("Irregularity under paragraph {paragraph}", { paragraph: given.paragraph }),
    h("ul", {}, one.consequence.words.map((text) => h("li", {}, translated(text)))),
    facts([
      [t("Declared"), woven("{person}, {time}, entry {sequence}", { person: one.person, time: time(one.at, { digits: 3, date: true }), sequence: one.sequence })],
      [t("Cards put right"), yesNo(given.reconstructed)],
      [t("Side bets settled before"), yesNo(given.interim_settled)],
      [t("Note"), given.note || "—"],
    ]));
}

function voided({ void: told, currency }) {
  return decided("void", t("Voided under paragraph {reason}", { reason: told.reason }),
    facts([
      [t("By"), woven("{person}, {time}, entry {sequence}", { person: told.by, time: time(told.at, { digits: 3, date: true }), sequence: told.sequence })],
      [t("Because of"), told.irregularity ?? t("reported by the table")],
      [t("Note"), told.note || "—"],
    ]),
    changed(t("What the void changed in payouts"), told.adjustments, currency));
}

function returned({ bets: told, currency }) {
  if (!told.returned.length) return [];
  return [decided("returned", t("Bets returned when betting closed"), h("ul", {}, told.returned.map((one) =>
    h("li", {}, `${whose(one)}: ${translated(one.name)} ${money(one.payout, currency)} (${one.rule}).`))))];
}

// Reports

/** Each message, also those that were corrected. */
export function reports(told) {
  if (!told.reports.length) return h("p.empty", {}, t("No hands were reported."));
  return told.reports.map((one) => h("section.report", { "data-key": one.sequence },
    h("h3", {}, one.correction
      ? woven("Further report, entry {sequence}, {time}", { sequence: one.sequence, time: time(one.received_at, { digits: 3 }) })
      : woven("Report, entry {sequence}, {time}", { sequence: one.sequence, time: time(one.received_at, { digits: 3 }) }), " ",
      one.superseded_by ? chip(t("replaced by entry {sequence}", { sequence: one.superseded_by }), "warn") : chip(t("current"), "good")),
    one.superseded_by ? [h("p", {}, t("Dealer"), " ", one.told.dealer.cards.length ? cards(one.told.dealer.cards) : "—"),
      grid(t("Hands in entry {sequence}", { sequence: one.sequence }), [t("Box"), t("Cards")], one.told.boxes.filter((box) => box.hand).map((box) => ({ key: box.box, cells: [t("Box {box}", { box: box.box }), leaves(box.hand)] }))),
      one.settlement.length ? [h("h4", {}, t("Settlement at that time")), lines(t("Settlement in entry {sequence}", { sequence: one.sequence }), one.settlement, told.currency)] : null] : h("p.soft", {}, t("{state}. Its cards are those on the layout above.", { state: sentence(words(one.state)) })),
    changed(t("What entry {sequence} changed in payouts", { sequence: one.sequence }), one.adjustments, told.currency)));
}

const leaves = (hand) => (hand.split.length ? hand.split.map(leaves) : [cards(hand.cards), " "]);
