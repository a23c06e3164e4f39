// The slip of a paid win, as it is printed and signed.

import { locale, t, woven } from "../catalogue.js";
import { houseNow } from "./api.js";
import { ask } from "./dialog.js";
import { h } from "./dom.js";
import { acting } from "./effect.js";
import { cards, gameName, handName, money, time } from "./format.js";
import { facts } from "./proof.js";
import { linkPath, me, refresh } from "./shell.js";

/** The words of the reader's language; on a slip in another language the English ones stand below them. */
const inWords = ({ amount_in_words: told }) => [...new Set([told[locale] ?? told.en, told.en])];

/** Which copy of which win's slip is being printed. */
let printing = { win: null, copy: null };

/** What the paper is: nothing that was not counted as a print passes for the original. */
function mark(told, copy) {
  if (told.state === "handed_over") return t("Copy of a slip that was handed over");
  if (copy === null) return t("Preview: not for payment");
  return copy === 1 ? t("Original") : t("Copy {number}", { number: copy });
}

export function sheet(told, paper) {
  const copy = printing.win === told.win ? printing.copy : null;
  const ours = (minor) => money(minor, told.currency);
  return h("article.slip", { "data-key": `slip ${told.win}`, "data-paper": paper, "data-copy": copy ?? "", "aria-label": t("Slip {number}", { number: told.slip }) },
    h("header", {},
      h("div", {}, h("p.house", {}, told.link_name), h("h2", {}, t("Jackpot payment slip"))),
      h("div.number", {}, h("p", {}, t("No.")), h("p.figures", {}, told.slip))),
    h("p.mark", { "data-key": "mark" }, mark(told, copy)),
    h("section.sum", { "aria-label": t("Amount") }, h("p.figures", {}, ours(told.amount)), inWords(told).map((text) => h("p.words", {}, text))),
    h("div.hand", {}, cards(told.cards), h("p", {}, handName(told.hand))),
    facts([
      [told.claim ? t("Late claim") : t("Win"), told.win],
      [t("Table"), told.game === null ? told.table : `${told.table} (${gameName(told.game)})`],
      [t("Round and box"), t("round {round}, box {box}", { round: told.round, box: told.box })],
      [t("Paid"), woven("{time}, journal entry {sequence}", { time: time(told.paid_at, { date: true }), sequence: told.sequence })],
      told.reading === null ? null : [t("Calculated"), t("{percent} % of {reading}", { percent: told.percent, reading: ours(told.reading) })],
      [t("Approved by"), told.approved_by.map((one) => h("span.approver", {}, woven("{person}, {time}", { person: one.person, time: time(one.at) })))],
      told.handed_over ? [t("Handed over"), woven("{time} by {people}, reference {reference}", { time: time(told.handed_over.at, { date: true }), people: told.handed_over.persons.join(", "), reference: told.handed_over.reference })] : null,
      told.unclaimed ? [t("Unclaimed since"), time(told.unclaimed.at, { date: true })] : null,
    ].filter(Boolean)),
    h("div.lines", {},
      line(t("Reference of the identity check")),
      told.tax_line ? h("p.tax", {}, told.tax_line) : [line(t("Tax withheld, {currency}", { currency: told.currency })), line(t("Amount handed over, {currency}", { currency: told.currency }))]),
    h("div.signatures", {},
      signature(t("Handed over by")),
      told.people_needed > 1 ? signature(t("Confirmed by")) : null,
      signature(t("Received by"))),
    h("footer", {}, woven("Printed by {person}, {time}. Times are in the time zone {zone}. Link {link}.", { person: me.person, time: time(new Date(houseNow()).toISOString(), { date: true }), zone: Intl.DateTimeFormat().resolvedOptions().timeZone, link: told.link })));
}

const line = (label) => h("p.line", {}, h("span", {}, label), h("span.blank"));
const signature = (label) => h("div.signature", {}, h("p.blank"), h("p", {}, label), h("p.soft", {}, t("Signature, date and time")));

/** Count the print, show the paper as what it is now, and print it. */
export function printSlip(told, paper) {
  const number = told.printed + 1;
  return ask({
    title: number === 1 ? t("Print the original of slip {number}", { number: told.slip }) : t("Print slip {number} again", { number: told.slip }),
    intro: [h("p", {}, number === 1 ? t("The print is counted. Whatever is printed later says that it is a copy.") : t("The paper will say that it is copy {number}.", { number }))],
    act: async (_said, key) => {
      const { copy } = await acting(linkPath("wins", told.win, "slip"), {}, key);
      printing = { win: told.win, copy };
      document.querySelector(".slip").replaceWith(sheet(told, paper));
      addEventListener("afterprint", () => {
        printing = { win: null, copy: null };
        refresh();
      }, { once: true });
      setTimeout(() => print());
      return copy === 1 ? t("Slip {number}: the original was printed.", { number: told.slip }) : t("Slip {number}: copy {copy} was printed.", { number: told.slip, copy });
    },
    confirm: t("Print"),
  });
}
