// The service as the console calls it: the session's cookie, and the header that says the call is ours.

import { t, translated } from "../catalogue.js";

let csrf = null;
let ahead = 0;

export class Refused extends Error {
  constructor(status, problem) {
    super(problem.detail ?? t("The service gave no reason."));
    this.status = status;
    this.code = problem.code ?? "unknown";
    this.rule = problem.rule ?? null;
    this.field = problem.field ?? null;
  }

  /** Of a reason that the catalogue does not have, at least what kind it is. */
  get #said() {
    const [said, code] = [translated(this.message), this.code.replaceAll("_", " ")];
    return said === this.message && translated(code) !== code ? `${translated(code)}: ${said}` : said;
  }

  get sentence() {
    const said = this.#said;
    const sentence = (said.charAt(0).toUpperCase() + said.slice(1)).replace(/[.。]$/, "");
    return this.rule ? t("{sentence} (rule {rule}).", { sentence, rule: this.rule }) : t("{sentence}.", { sentence });
  }
}

// Units of the pool may be larger than what a JavaScript number holds exactly.
function exact(_key, value, context) {
  return typeof value === "number" && !Number.isSafeInteger(value) && context?.source ? BigInt(context.source) : value;
}

async function answer(response) {
  const said = response.headers.get("date");
  if (said) ahead = Date.parse(said) - Date.now();
  const text = await response.text();
  const told = text && response.headers.get("content-type")?.includes("json") ? JSON.parse(text, exact) : {};
  if (response.ok) return told;
  if (response.status === 401 && told.code !== "login_failed") goToLogin();
  if (told.code === "csrf") location.reload(); // another session now: the page must not speak for its person
  throw new Refused(response.status, told);
}

async function call(path, options) {
  try {
    return await fetch(path, { credentials: "same-origin", cache: "no-store", ...options });
  } catch {
    throw new Refused(0, { code: "unreachable", detail: t("the service cannot be reached; it is not known whether the request was carried out") });
  }
}

/** The header's value. A page acts only for the person whose name it shows. */
async function ours() {
  if (csrf !== null) return csrf;
  const who = await get("/v1/sessions");
  if (who.person !== document.getElementById("main").dataset.person) {
    location.reload();
    throw new Refused(403, { code: "csrf", detail: t("somebody else has logged in with this browser; nothing was done") });
  }
  csrf = who.csrf ?? "";
  return csrf;
}

/** Ask for it early, before anybody else can log in with this browser. */
export const settle = () => ours();

export function goToLogin() {
  location.assign(`/console/login?then=${encodeURIComponent(`${location.pathname.split("/")[2] ?? "overview"}${location.search}`)}`);
}

/** The house's time in milliseconds, to about a second. */
export const houseNow = () => Date.now() + (Math.abs(ahead) > 2000 ? ahead : 0);

export function path(...parts) {
  return `/v1/${parts.map(encodeURIComponent).join("/")}`;
}

export function withQuery(address, query) {
  const wanted = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== "");
  return wanted.length ? `${address}?${new URLSearchParams(wanted)}` : address;
}

export async function get(address, query = {}) {
  return answer(await call(withQuery(address, query), { headers: { Accept: "application/json" } }));
}

/** A file of it, for a spreadsheet. */
export async function download(address, query, name) {
  const response = await call(withQuery(address, query), { headers: { Accept: "text/csv" } });
  if (!response.ok) return answer(response);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await response.blob());
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  return null;
}

export async function post(address, body, { key = null } = {}) {
  const headers = { "Content-Type": "application/json", "X-CSRF-Token": await ours() };
  if (key) headers["Idempotency-Key"] = key;
  return answer(await call(address, { method: "POST", headers, body: JSON.stringify(body) }));
}

export async function remove(address) {
  return answer(await call(address, { method: "DELETE", headers: { "X-CSRF-Token": await ours() } }));
}

export async function logIn(name, password) {
  const headers = { "Content-Type": "application/json" };
  return answer(await call("/v1/sessions", { method: "POST", headers, body: JSON.stringify({ name, password }) }));
}

export async function logOut() {
  await answer(await call("/v1/sessions", { method: "DELETE", headers: { "X-CSRF-Token": await ours() } }));
}

/** One key for one act, however often its request is sent. */
export function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
