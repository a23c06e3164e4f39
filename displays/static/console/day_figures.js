// The figures of a gaming day: by shift, the whole day, and since the beginning; by hand, by table, by account.

import { locale, t, translated } from "../catalogue.js";
import { grid, h } from "./dom.js";
import { amount, handName, minorOf, money, sentence, timeIn, words } from "./format.js";

const COUNT = new Intl.NumberFormat(locale);
const number = (count) => COUNT.format(count);
const percent = (ppm) => (ppm === null ? "—" : `${(ppm / 10_000).toFixed(2)} %`);

/** A row for each figure, a column for each report and one for everything since the beginning. */
function matrix(title, key, rows, told, heads) {
  return h("section.panel", { "aria-labelledby": `${key}-title`, "data-key": key }, h("h2", { id: `${key}-title` }, title),
    grid(title, [t("Figure"), ...heads.map((head) => `#${head}`)], rows.map(([name, say]) => ({ key: name, cells: [name, ...told.map(say)] }))));
}

export function dayFigures(reports, columns, { currency, zone }) {
  const whole = reports.at(-1);
  const told = [...reports.map((one) => one.total), whole.lifetime];
  const heads = [...columns, t("Since the link began")];
  const minor = (value) => amount(value, currency);
  const units = (value) => amount(minorOf(value), currency);
  return [
    matrix(t("Figures, in {currency}", { currency }), "totals", [
      [t("Rounds"), (one) => number(one.rounds)],
      [t("Voided rounds"), (one) => number(one.voided)],
      [t("Progressive bets"), (one) => number(one.bets)],
      [t("Bets returned"), (one) => number(one.returns)],
      [t("Wagered"), (one) => minor(one.wagered)],
      [t("Returned"), (one) => minor(one.returned)],
      [t("To the pool"), (one) => units(one.pool_units)],
      [t("Of that above the ceiling (overflow)"), (one) => units(one.overflow_units)],
      [t("To the reserve"), (one) => units(one.reserve_units)],
      [t("The house's share of bets"), (one) => units(one.house_units)],
      [t("Minors paid"), (one) => minor(one.minors)],
      [t("Revenue: share and overflow less minors"), (one) => units(one.revenue_units)],
      [t("Hold"), (one) => percent(one.hold_ppm)],
      [t("Majors paid"), (one) => minor(one.majors)],
    ], told, heads),
    hands(whole, currency),
    tables(whole, currency),
    accounts(whole, currency),
    wins(whole, { currency, zone }),
  ];
}

function hands({ total, lifetime }, currency) {
  const here = new Map(total.levels.map((one) => [`${one.level} ${one.hand}`, one]));
  const rows = lifetime.levels.map((one) => {
    const found = here.get(`${one.level} ${one.hand}`) ?? { count: 0, amount: 0 };
    return { key: `${one.level} ${one.hand}`, cells: [handName(one.hand), sentence(words(one.level)), number(found.count), amount(found.amount, currency), number(one.count), amount(one.amount, currency)] };
  });
  const heads = [t("Hand"), t("Level"), `#${t("Count")}`, `#${currency}`, `#${t("Count since the link began")}`, `#${t("{currency} since the link began", { currency })}`];
  return h("section.panel", { "aria-labelledby": "hands-title", "data-key": "hands" }, h("h2", { id: "hands-title" }, t("Minors and majors by hand")),
    grid(t("Minors and majors by hand"), heads, rows, { empty: t("No hand has won yet.") }));
}

function tables({ contributions }, currency) {
  const minor = (value) => amount(value, currency);
  const units = (value) => amount(minorOf(value), currency);
  const heads = [t("Table"), `#${t("Rounds")}`, `#${t("Voided")}`, `#${t("Bets")}`, `#${t("Wagered")}`, `#${t("Returned")}`, `#${t("To the pool")}`, `#${t("Reserve")}`, `#${t("House")}`, `#${t("Minors paid")}`, `#${t("Majors paid")}`, `#${t("Hold")}`];
  return h("section.panel", { "aria-labelledby": "tables-title", "data-key": "tables" }, h("h2", { id: "tables-title" }, t("By table")),
    grid(t("Figures by table"), heads, contributions.map((one) => ({
      key: one.table,
      cells: [one.table, number(one.rounds), number(one.voided), number(one.bets), minor(one.wagered), minor(one.returned), units(one.pool_units), units(one.reserve_units), units(one.house_units), minor(one.minors), minor(one.majors), percent(one.hold_ppm)],
    })), { empty: t("No table played in this period.") }));
}

function accounts({ accounts_units: posted, lifetime, meter }, currency) {
  const units = (value) => amount(minorOf(value), currency);
  const rows = Object.keys(posted).map((account) => ({ key: account, cells: [sentence(words(account)), units(posted[account]), units(lifetime.accounts_units[account])] }));
  return h("section.panel", { "aria-labelledby": "accounts-title", "data-key": "accounts" }, h("h2", { id: "accounts-title" }, t("Meter and accounts")),
    h("p", {}, t("The meter stood at {opening} when it began and at {closing} when it ended.", { opening: money(minorOf(meter.opening_units), currency), closing: money(minorOf(meter.closing_units), currency) })),
    grid(t("Accounts"), [t("Account"), `#${t("Posted, in {currency}", { currency })}`, `#${t("Balance at the end")}`], rows));
}

function wins({ wins: told }, { currency, zone }) {
  return h("section.panel", { "aria-labelledby": "wins-title", "data-key": "wins" }, h("h2", { id: "wins-title" }, t("Wins paid and closed")),
    grid(t("Wins paid and closed"), [t("Win"), t("Outcome"), `#${t("Amount")}`, t("Time"), `#${t("Entry")}`], told.map((one) => ({
      key: one.sequence, cells: [one.id, sentence(words(one.kind.replace(/\B[A-Z]/g, " $&").toLowerCase())), money(one.amount, currency), timeIn(zone, one.at), one.sequence],
    })), { empty: t("No wins in this period.") }));
}

export function pitDayFigures(reports, columns, { currency }) {
  const whole = reports.at(-1);
  const told = [...reports.map((one) => one.total), whole.lifetime];
  const heads = [...columns, t("Since the pit began")];
  const minor = (value) => amount(value, currency);
  const played = whole.tables.filter((one) => one.rounds || one.wagers.length);
  return [
    matrix(t("Figures, in {currency}", { currency }), "totals", [
      [t("Rounds"), (one) => number(one.rounds)],
      [t("Voided rounds"), (one) => number(one.voided)],
      [t("Laid"), (one) => minor(one.wagers.reduce((sum, wager) => sum + wager.laid, 0))],
      [t("Collected"), (one) => minor(one.collected)],
      [t("Won by players"), (one) => minor(one.won)],
      [t("Kept by the house"), (one) => minor(one.house)],
      [t("Hold"), (one) => percent(one.hold_ppm)],
    ], told, heads),
    wagers(whole, minor),
    h("section.panel", { "aria-labelledby": "tables-title", "data-key": "tables" }, h("h2", { id: "tables-title" }, t("By table")),
      grid(t("Figures by table"), [t("Table"), `#${t("Rounds")}`, `#${t("Voided")}`, `#${t("Collected")}`, `#${t("Won by players")}`, `#${t("Kept by the house")}`, `#${t("Hold")}`], played.map((one) => ({
        key: one.table, cells: [[one.table, h("span.under", {}, translated(one.game_name))], number(one.rounds), number(one.voided), minor(one.collected), minor(one.won), minor(one.house), percent(one.hold_ppm)],
      })), { empty: t("No table played in this period.") })),
  ];
}

function wagers({ total }, minor) {
  const heads = [t("Wager"), `#${t("Laid")}`, `#${t("Collected")}`, `#${t("Won by players")}`, `#${t("Of that by markers")}`, `#${t("Returned")}`];
  return h("section.panel", { "aria-labelledby": "wagers-title", "data-key": "wagers" }, h("h2", { id: "wagers-title" }, t("By wager")),
    grid(t("Figures by wager"), heads, total.wagers.map((one) => ({
      key: one.wager, cells: [translated(one.name), minor(one.laid), minor(one.collected), minor(one.won), minor(one.markers), minor(one.returned)],
    })), { empty: t("No wagers in this period.") }));
}
