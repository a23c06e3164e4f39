// A round of blackjack as evidence: bets as they lay, hands as they were split, each wager with its paragraph.

import { chip, grid, h } from "./dom.js";
import { cards, money, sentence, time, words } from "./format.js";
import { limitsOf } from "./pit_terms.js";
import { facts } from "./proof.js";

const OUTCOMES = { win: "good", lose: "bad", returned: "warn", stand_off: "" };
const CALLS = { stand: "Stood", double: "Doubled", split: "Split", surrender: "Surrendered", walk_away: "Player left", free_double: "Doubled for free", free_split: "Split for free" };
const FOLLOWS = { paid: "pays for the split", free: "splits for free", none: "does not follow the split" };
const yesNo = (value) => (value === null || value === undefined ? "not said" : value ? "yes" : "no");

/** A player whom the table does not name has the number of his box. */
export function whose({ box, player }) {
  if (box === null) return /^\d+$/.test(player) ? `Player ${player}` : player;
  return player === String(box) ? `Box ${box}` : `Box ${box}, ${player}`;
}

export const limits = (told) => [limitsOf(told.terms, told.currency), h("span.under", {}, `${told.terms.decks} decks, ${told.terms.boxes} boxes`)];

// Bets

export function bets({ bets: told, currency }) {
  const playing = new Map(told.playing.map((one) => [placeOf(one), one.stake]));
  const rows = told.laid.map((one, index) => ({
    key: `${placeOf(one)} ${index}`,
    cells: [whose(one), one.box === null ? "—" : one.standing ? "standing" : "seated", one.name, money(one.laid, currency), money(playing.get(placeOf(one)) ?? 0, currency)],
  }));
  return [
    told.table_closed ? h("p", {}, chip("table closed: all bets were returned", "warn")) : null,
    grid("Bets as they lay when betting closed", ["Player", "Place", "Wager", "#Laid", "#In play"], rows, { empty: "No bets were laid." }),
  ];
}

const placeOf = ({ box, player, wager }) => `${box} ${player} ${wager}`;

// Cards

/** Dealer on top, then box after box; a hand that was split holds the two hands that came of it. */
export function layout(told) {
  return [dealerOf(told.dealer), h("ol.boxes.pit", {}, told.boxes.map((box) => boxOf(box, told.currency))), loose(told)];
}

function dealerOf(dealer) {
  const word = dealer.cards.length ? dealerWord(dealer) : "no cards reported";
  return h("div.hand-row", {}, h("h3", {}, "Dealer"), dealer.cards.length ? cards(dealer.cards) : null, h("span", {}, h("strong", {}, word)));
}

function dealerWord(dealer) {
  if (dealer.blackjack) return "Blackjack";
  const total = totalOf(dealer);
  if (dealer.bust) return `${total}, bust`;
  return dealer.finished ? total : `${total}, not finished`;
}

const totalOf = ({ total, soft }) => `${soft ? "soft " : ""}${total}`;

function boxOf(box, currency) {
  return h("li.box", { "data-key": box.box },
    h("h3", {}, `Box ${box.box}`),
    h("ul.players", {}, box.players.map((one) => h("li", { "data-key": one.player },
      h("span", {}, one.player === String(box.box) ? "Player" : one.player, h("span.soft", {}, ` ${one.seated ? "seated" : "standing"}${one.caller && box.players.length > 1 ? ", calls" : ""}`)),
      h("span.figures", {}, one.plays ? money(one.plays, currency) : "side bets only"),
      one.returned_by ? chip(`bets returned by ${one.returned_by}`, "warn") : null))),
    box.invalidated ? h("p", {}, chip(`invalidated by ${box.invalidated}`, "warn")) : null,
    box.hand ? handOf(box.hand, box, currency) : h("p.soft", {}, "no cards reported"));
}

function handOf(hand, box, currency) {
  const number = box.hand.split.length && hand.number !== null ? h("span.hand-number", {}, `Hand ${hand.number}`) : null;
  const word = hand.number === null ? null : hand.blackjack ? "Blackjack" : `${totalOf(hand)}${hand.bust ? ", bust" : ""}`;
  return h("div.hand", { "data-key": hand.number ?? `split ${hand.cards.join(" ")}` },
    h("div.hand-line", {}, number, cards(hand.cards), word ? h("strong", {}, word) : null, hand.decision && (hand.number === null || hand.decision !== "stand") ? chip(CALLS[hand.decision] ?? words(hand.decision), "") : null),
    said(hand, box, currency),
    hand.split.length ? h("div.split", {}, hand.split.map((one) => handOf(one, box, currency))) : null);
}

/** What only players can say of a hand. */
function said(hand, { box, players }, currency) {
  const told = hand.wagers.map((one) => [players.length > 1 ? whose({ box, player: one.player }).replace(/^Box \d+, /, "") : null, wordsOf(one, currency)]).filter(([, text]) => text);
  return told.length ? h("p.soft", {}, told.map(([who, text]) => `${who ? `${who}: ` : ""}${text}`).join("; ")) : null;
}

function wordsOf(one, currency) {
  return [
    one.insurance ? `insurance ${money(one.insurance, currency)}` : null,
    one.even_money ? "takes even money" : null,
    one.split ? FOLLOWS[one.split] : null,
    one.double === 0 ? "does not double" : one.double ? `doubles for ${money(one.double, currency)}` : null,
    one.free_double === true ? "doubles for free" : one.free_double === false ? "does not double for free" : null,
    one.invalidated ? `bets returned by ${one.invalidated}` : null,
  ].filter(Boolean).join(", ");
}

function loose({ discarded, shoe }) {
  if (!discarded.length && !shoe) return null;
  return facts([
    discarded.length ? ["Discarded", discarded.map((one) => [cards([one.card]), ` ${one.rule} `])] : null,
    shoe?.id ? ["Shoe", shoe.id] : null,
    shoe?.drawn ? ["Drawn from the shoe", cards(shoe.drawn)] : null,
  ]);
}

// Wagers

const HEADS = ["Player", "Hand", "Wager", "#Stake", "Outcome", "Pays", "#Payout", "Rule"];

function lines(caption, found, currency) {
  return grid(caption, HEADS, found.map((one, index) => ({
    key: `${placeOf(one)} ${one.hand} ${index}`,
    cells: [whose(one), one.hand ?? "—", one.name, one.marker ? [money(0, currency), h("span.under", {}, `marker for ${money(one.marker, currency)}`)] : money(one.stake, currency), chip(words(one.outcome), OUTCOMES[one.outcome]), one.pays ?? "—", money(one.payout, currency), one.rule],
  })), { empty: "No outcome is on record." });
}

export function wagers(told) {
  return [
    h("p.soft", {}, "The payout is everything that the player is handed, any stake included. Hands are numbered in the order of play. Rule numbers are paragraphs of this table's game rules."),
    lines("Result of each wager", told.settlement, told.currency),
    told.left_open.length ? h("p", {}, chip("never reported", "warn"), told.left_open.map((one) => `${whose(one)}: ${one.name}`).join("; ")) : null,
    changed("What the last entry changed in payouts", told.adjustments, told.currency),
  ];
}

function changed(caption, found, currency) {
  if (!found.length) return null;
  return [h("h4", {}, caption), grid(caption, ["Player", "Hand", "Wager", "#Before", "#Now", "#Difference"], found.map((one) => ({
    key: `${placeOf(one)} ${one.hand}`,
    cells: [whose(one), one.hand ?? "—", one.name, money(one.before, currency), money(one.after, currency), money(one.difference, currency)],
  })))];
}

// Decisions

const decided = (key, title, ...content) => h("section.decision", { "data-key": key }, h("h3", {}, title), content);

export function decisions(told) {
  const all = [...told.irregularities.map(irregularity), told.void ? voided(told) : null, ...returned(told)].filter(Boolean);
  return all.length ? all : h("p.empty", {}, "No decisions were needed.");
}

function irregularity(one) {
  const { said: given } = one;
  return decided(one.id, `Irregularity under paragraph ${given.paragraph}`,
    h("ul", {}, one.consequence.words.map((text) => h("li", {}, text))),
    facts([
      ["Declared", [`${one.person}, `, time(one.at, { digits: 3, date: true }), `, entry ${one.sequence}`]],
      ["Cards put right", yesNo(given.reconstructed)],
      ["Side bets settled before", yesNo(given.interim_settled)],
      ["Note", given.note || "—"],
    ]));
}

function voided({ void: told, currency }) {
  return decided("void", `Voided under paragraph ${told.reason}`,
    facts([
      ["By", [`${told.by}, `, time(told.at, { digits: 3, date: true }), `, entry ${told.sequence}`]],
      ["Because of", told.irregularity ?? "reported by the table"],
      ["Note", told.note || "—"],
    ]),
    changed("What the void changed in payouts", told.adjustments, currency));
}

function returned({ bets: told, currency }) {
  if (!told.returned.length) return [];
  return [decided("returned", "Bets returned when betting closed", h("ul", {}, told.returned.map((one) =>
    h("li", {}, `${whose(one)}: ${one.name} ${money(one.payout, currency)} (${one.rule}).`))))];
}

// Reports

/** Each message, also those that were corrected. */
export function reports(told) {
  if (!told.reports.length) return h("p.empty", {}, "No hands were reported.");
  return told.reports.map((one) => h("section.report", { "data-key": one.sequence },
    h("h3", {}, `${one.correction ? "Further report" : "Report"}, entry ${one.sequence}, `, time(one.received_at, { digits: 3 }), " ",
      one.superseded_by ? chip(`replaced by entry ${one.superseded_by}`, "warn") : chip("current", "good")),
    one.superseded_by ? [h("p", {}, "Dealer ", one.told.dealer.cards.length ? cards(one.told.dealer.cards) : "—"),
      grid(`Hands in entry ${one.sequence}`, ["Box", "Cards"], one.told.boxes.filter((box) => box.hand).map((box) => ({ key: box.box, cells: [`Box ${box.box}`, leaves(box.hand)] }))),
      one.settlement.length ? [h("h4", {}, "Settlement at that time"), lines(`Settlement in entry ${one.sequence}`, one.settlement, told.currency)] : null] : h("p.soft", {}, `${sentence(words(one.state))}. Its cards are those on the layout above.`),
    changed(`What entry ${one.sequence} changed in payouts`, one.adjustments, told.currency)));
}

const leaves = (hand) => (hand.split.length ? hand.split.map(leaves) : [cards(hand.cards), " "]);
