// Amounts as text and back: whole minor units of a currency, with as many decimals as it has. Never floats.

const UNITS_PER_MINOR_UNIT = 1_000_000n;
const USUAL = 2;
const UNUSUAL = JSON.parse(document.querySelector('meta[name="decimals"]').content);

/** How many decimals a currency has. */
export function decimalsOf(currency) {
  if (!currency) throw new TypeError("an amount is of a currency");
  return UNUSUAL[currency] ?? USUAL;
}

const grouped = (digits) => digits.replace(/\B(?=(\d{3})+$)/g, ",");

/** "50,123.45" of a number or BigInt of minor units. */
export function figures(minor, currency, minus = "-") {
  const decimals = decimalsOf(currency);
  const whole = BigInt(minor);
  const digits = (whole < 0n ? -whole : whole).toString().padStart(decimals + 1, "0");
  const end = digits.length - decimals;
  return `${whole < 0n ? minus : ""}${grouped(digits.slice(0, end))}${decimals ? `.${digits.slice(end)}` : ""}`;
}

/** Minor units of "50,000.00" in SGD, of "50,000" in KRW, of "50,000.000" in KWD; null if it is no amount of it. */
export function parsed(text, currency) {
  const decimals = decimalsOf(currency);
  const found = /^\s*([-−+]?)\s*(\d[\d, ]*)(?:\.(\d+))?\s*$/.exec(text);
  if (!found || (found[3] ?? "").length > decimals) return null;
  const minor = Number(found[2].replace(/[, ]/g, "") + (found[3] ?? "").padEnd(decimals, "0"));
  return Number.isSafeInteger(minor) ? (found[1] === "-" || found[1] === "−" ? -minor : minor) : null;
}

/** The whole minor units in what the pool counts in, floored as the displayed value is. */
export function minorOf(units) {
  const whole = BigInt(units);
  const minor = whole / UNITS_PER_MINOR_UNIT;
  return whole < 0n && whole % UNITS_PER_MINOR_UNIT ? minor - 1n : minor;
}
