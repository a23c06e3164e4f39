// Every word that people see goes through here, so that it can be said in the language of who reads it.

/** An English sentence in the reader's language; `{name}` stands for a value. */
export function t(text, values = {}) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}
