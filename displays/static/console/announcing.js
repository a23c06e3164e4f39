// News for who does not look: a sound and a notification of the desktop, each only if this browser's user has
// asked for it. What was announced is kept for all tabs of the browser, so that each thing is announced once.

import { t } from "../catalogue.js";
import { h, show, svg } from "./dom.js";

const SWITCHES = "console.announce";
const TOLD = "console.announced";
const KEPT = 2000;
const MOST = 3; // notifications at once; more are told in one
const NOTES = { urgent: [659.3, 830.6, 987.8], usual: [659.3, 523.3] };
const NOTE = 0.16;
const menu = document.getElementById("telling");
let audio = null;
let refusal = null;

// What is kept

function kept(name, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(name)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

function keep(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // a browser that keeps nothing: every page begins anew
  }
}

const wants = (what) => kept(SWITCHES, {})[what] === true;

/** Whether somebody wants to be told, also while the page is not looked at. */
export const listening = () => wants("sound") || wants("desktop");

// Announcing

/** Everything that waits: {id, text, where, name, urgent, address}. What is new is announced. */
export async function announce(waiting) {
  const fresh = await alone(() => {
    const told = kept(TOLD, null);
    const news = waiting.filter((one) => !told?.includes(one.id));
    if (news.length || told === null) keep(TOLD, [...(told ?? []), ...news.map((one) => one.id)].slice(-KEPT));
    return told === null ? [] : news;
  });
  if (!fresh.length) return;
  if (wants("sound")) sound(fresh.some((one) => one.urgent) ? NOTES.urgent : NOTES.usual);
  if (wants("desktop")) notify(fresh);
}

/** One tab at a time, where the browser can see to that. */
const alone = (work) => (navigator.locks ? navigator.locks.request(TOLD, work) : Promise.resolve(work()));

// Sound

/** Made when it may be heard: a browser lets no page sound that nobody has touched. */
function speaker() {
  if (audio === null && "AudioContext" in window) {
    audio = new AudioContext();
    audio.addEventListener("statechange", showMenu);
  }
  return audio;
}

function sound(notes) {
  const out = speaker();
  if (out?.state !== "running") return;
  notes.forEach((pitch, place) => note(out, pitch, out.currentTime + place * NOTE));
  menu.dataset.sounded = String(Number(menu.dataset.sounded ?? 0) + 1);
}

function note(out, pitch, at) {
  const [tone, volume] = [new OscillatorNode(out, { frequency: pitch, type: "triangle" }), new GainNode(out, { gain: 0 })];
  volume.gain.setValueAtTime(0, at);
  volume.gain.linearRampToValueAtTime(0.25, at + 0.01);
  volume.gain.exponentialRampToValueAtTime(0.001, at + 2 * NOTE);
  tone.connect(volume).connect(out.destination);
  tone.start(at);
  tone.stop(at + 2 * NOTE);
}

/** The first touch of a page lets it sound. */
function touched() {
  if (wants("sound")) speaker()?.resume().catch(() => null);
}

// Notifications

const possible = () => "Notification" in window && window.isSecureContext;

async function allowed() {
  if (!possible()) return t("This browser shows notifications only where the console is opened over HTTPS.");
  try {
    const answer = await Notification.requestPermission();
    return answer === "granted" ? null : t("This browser does not allow the console to show notifications.");
  } catch {
    return t("This browser does not allow the console to show notifications.");
  }
}

function notify(fresh) {
  if (!possible() || Notification.permission !== "granted") return;
  if (fresh.length > MOST) notification(t("{count} things are waiting", { count: fresh.length }), t("At several links and pits"), "many", "/console/overview");
  else fresh.forEach((one) => notification(`${one.name}: ${one.text}`, one.where, one.id, one.address));
}

function notification(headline, body, tag, address) {
  try {
    const made = new Notification(headline, { body, tag, icon: "/static/house.svg" });
    made.addEventListener("click", () => {
      window.focus();
      made.close();
      location.assign(address);
    });
  } catch (error) {
    refusal = error instanceof TypeError ? t("This browser shows notifications of installed programs only.") : String(error);
    showMenu();
  }
}

// The switches

function showMenu() {
  const waits = wants("sound") && audio !== null && audio.state !== "running";
  menu.dataset.on = String(listening());
  show(menu,
    h("summary", { "data-key": "summary", title: t("Sound and notifications") }, bell(listening()), h("span.unseen", {}, t("Sound and notifications"))),
    h("div.telling-list", { "data-key": "list" },
      h("p", {}, t("When something new is waiting at any link or pit, this browser can tell you.")),
      choice("sound", t("Play a sound")),
      waits ? h("p.soft", {}, t("The sound begins with the first click or key on this page.")) : null,
      choice("desktop", t("Show a notification of the desktop")),
      refusal ? h("p.problem", { role: "alert" }, refusal) : null));
  for (const input of menu.querySelectorAll("input")) input.checked = wants(input.name);
}

const bell = (on) => svg("svg", { class: "bell", viewBox: "0 0 24 24", "aria-hidden": "true" },
  svg("path", { d: "M12 3a6 6 0 0 0-6 6v4l-2 4h16l-2-4V9a6 6 0 0 0-6-6ZM9.5 19.5a2.5 2.5 0 0 0 5 0" }),
  on ? null : svg("path", { d: "M4 4l16 16" }));
const choice = (name, label) => h("label.telling-choice", { "data-key": name }, h("input", { type: "checkbox", name }), label);

async function turn(name, on) {
  refusal = on && name === "desktop" ? await allowed() : null;
  keep(SWITCHES, { ...kept(SWITCHES, {}), [name]: on && refusal === null });
  if (name === "sound" && on) await speaker()?.resume().then(() => sound(NOTES.usual)).catch(() => null);
  showMenu();
}

menu.addEventListener("change", (event) => turn(event.target.name, event.target.checked));
for (const event of ["pointerdown", "keydown"]) document.addEventListener(event, touched);
addEventListener("storage", (event) => event.key === SWITCHES && showMenu());
if (wants("sound")) speaker();
showMenu();
