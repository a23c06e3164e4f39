// Every word that people see goes through here, so that it can be said in the language of who reads it. What the
// language of the page says stands in /words/LANGUAGE.js, which a page has before any of its modules.

const { language, texts } = globalThis.catalogue ?? { language: "en", texts: {} };
const plurals = new Intl.PluralRules(language);
const PLACE = /\{(\w+)\}/;
const LONGEST = 600;

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

/** "one, two and three" */
export const listed = (items) => lists.format(items);

function saying(text, count) {
  const found = Object.hasOwn(texts, text) ? texts[text] : text.split("|")[0];
  if (typeof found === "string") return found;
  return found[plurals.select(count)] ?? found.other;
}

// What the service itself says: codes, and sentences in English. The catalogue has each with its values numbered.

const known = new Map();
let sentences = null;

/** In the reader's language as far as the catalogue has it; else as the service said it. */
export function translated(text) {
  if (language === "en" || !text || text.length > LONGEST) return text;
  if (!known.has(text)) known.set(text, ofService(text));
  return known.get(text);
}

function ofService(text) {
  const code = text.charAt(0).toLowerCase() + text.slice(1);
  for (const whole of [text, code]) if (Object.hasOwn(texts, whole)) return saying(whole);
  return filled(text) ?? inParts(text) ?? text;
}

/** As the sentence whose fixed words it has; the longest of them decides. */
function filled(text) {
  sentences ??= Object.keys(texts).filter((key) => key.includes("{0}")).map(sentence).sort((one, other) => other.fixed - one.fixed);
  for (const { key, pattern } of sentences) {
    const found = pattern.exec(text);
    if (found) return t(key, found.slice(1).map(translated));
  }
  return null;
}

function sentence(key) {
  const fixed = key.split(/\{\d\}/);
  const escaped = fixed.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return { key, fixed: fixed.join("").length, pattern: new RegExp(`^${escaped.join("(.*?)")}$`, "s") };
}

function inParts(text) {
  const parts = text.split(/(?<=[.:]) /);
  if (parts.length === 1) return null;
  return parts.map(translated).join(language.startsWith("zh") ? "" : " ");
}
