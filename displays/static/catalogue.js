// Every word that people see goes through here, so that it can be said in the language of who reads it. What the
// language of the page says stands in /words/LANGUAGE.js, which a page has before any of its modules.

const { language, texts } = globalThis.catalogue ?? { language: "en", texts: {} };
const plurals = new Intl.PluralRules(language);
const PLACE = /\{(\w+)\}/;

/** For dates, numbers and lists. */
export const locale = language === "en" ? "en-GB" : language;
const lists = new Intl.ListFormat(locale, { type: "conjunction" });

/** An English sentence in the reader's language. `{name}` stands for a value; the value `count` says whether it is one
    or several; what follows a `|` only tells two meanings apart. */
export const t = (text, values = {}) => woven(text, values).join("");

/** The same with elements among the values: its parts, to be shown one after the other. */
export function woven(text, values) {
  return saying(text, values.count)
    .split(PLACE)
    .map((part, index) => (index % 2 === 0 ? part : Object.hasOwn(values, part) ? values[part] : `{${part}}`));
}

/** What the service says in English, a code or a whole sentence: in the reader's language where the catalogue has it. */
export const translated = (text) => saying(text);

/** "one, two and three" */
export const listed = (items) => lists.format(items);

function saying(text, count) {
  const found = Object.hasOwn(texts, text) ? texts[text] : text.split("|")[0];
  if (typeof found === "string") return found;
  return found[plurals.select(count)] ?? found.other;
}
