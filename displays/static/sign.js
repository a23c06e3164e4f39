// The jackpot sign: one face for each link, one of them on the screen.

import { t, woven } from "./catalogue.js";
import { Celebration } from "./celebration.js";
import { Feed } from "./feed.js";
import { showName } from "./name.js";
import { Odometer } from "./odometer.js";
import { Receipts } from "./receipts.js";
import { handName, money, timeOfDay } from "./words.js";

const CELEBRATED = 20000;
const FRESH_HIT = 20000; // a sign that is switched on so soon after a payment celebrates it too
const FALL = 0.9;
const MOST_PENDING = 3;

class Face {
  #root;
  #odometer;
  #won;
  #celebration;
  #reading = null;
  #lost = false;
  #celebrating = null;

  constructor(root, changed) {
    this.#root = root;
    this.link = root.dataset.link;
    this.changed = changed;
    this.#odometer = new Odometer(this.#part("amount"));
    this.#won = new Odometer(this.#part("won-amount"));
    this.#celebration = new Celebration(this.#part("rain"));
    const path = `/v1/links/${encodeURIComponent(this.link)}`;
    const feed = new Feed({ stream: `${path}/stream`, polls: { meter: `${path}/meter` } }, (kind, told) =>
      this.#told(kind, told),
    );
    feed.start();
  }

  // Something is happening here that rotation must not hide.
  get urgent() {
    return this.#celebrating !== null;
  }

  get showing() {
    if (this.#reading === null) return null;
    const drums = this.#celebrating === null ? this.#odometer : this.#won; // those that are seen
    return { link: this.link, sequence: this.#reading.sequence, value: drums.shown };
  }

  bring(on) {
    this.#root.toggleAttribute("data-off-screen", !on);
    this.#root.toggleAttribute("inert", !on);
    this.#root.setAttribute("aria-hidden", String(!on));
  }

  #part(name) {
    return this.#root.querySelector(`[data-part="${name}"]`);
  }

  #told(kind, told) {
    if (kind === "meter") this.#read(told);
    if (kind === "lost") this.#lost = true;
    if (kind === "found") this.#lost = false;
    if (kind === "refused" || kind === "meter") this.#part("refused").hidden = kind === "meter";
    this.#render();
  }

  #read(reading) {
    const before = this.#reading;
    this.#reading = reading;
    const hit = reading.last_hit;
    const isNew = hit && (before ? hit.win !== before.last_hit?.win : isFresh(hit, reading));
    if (isNew) this.#celebrate(hit);
    const { value, currency } = reading;
    if (before === null) this.#odometer.set(value, currency);
    else this.#odometer.roll(value, currency, value < before.value ? FALL : undefined);
  }

  #celebrate(hit) {
    clearTimeout(this.#celebrating);
    this.#part("won-at").replaceChildren(...woven("{hand} at {table}", { hand: strong(handName(hit.hand)), table: strong(hit.table) }));
    this.#part("won-label").textContent = money(hit.amount, this.#reading.currency);
    this.#won.set(0, this.#reading.currency);
    this.#won.roll(hit.amount, this.#reading.currency, 0.7);
    this.#celebrating = setTimeout(() => this.#celebrated(), CELEBRATED);
    requestAnimationFrame(() => this.#celebration.start());
    this.changed();
  }

  #celebrated() {
    this.#celebrating = null;
    this.#celebration.stop();
    this.#render();
    this.changed();
  }

  get #state() {
    if (this.#reading === null) return this.#lost ? "stale" : "waiting";
    if (this.#celebrating !== null) return "won";
    return this.#reading.state === "stale" || this.#lost ? "stale" : this.#reading.state;
  }

  #render() {
    const reading = this.#reading;
    const state = this.#state;
    this.#root.dataset.state = state;
    const stale = this.#lost || reading?.state === "stale";
    this.#part("lost").hidden = !stale || !this.#part("refused").hidden;
    if (reading === null) return;
    this.#root.dataset.meter = reading.state;
    showName(this.#part("name"), reading.name);
    this.#part("currency").textContent = reading.currency;
    this.#part("won-currency").textContent = reading.currency;
    this.#part("amount").setAttribute("aria-label", reading.display);
    this.#part("since").textContent = timeOfDay(reading.as_of);
    this.#part("prizes").replaceChildren(...Object.entries(reading.shares).map(prize));
    this.#renderPending(reading);
    this.#say(state, reading);
  }

  #renderPending(reading) {
    const pending = reading.pending.slice(0, MOST_PENDING).map((one) => pendingLine(one, reading.currency));
    this.#part("pending").replaceChildren(...pending);
    this.#part("pending-box").hidden = pending.length === 0;
    const more = reading.pending.length - pending.length;
    this.#part("more").hidden = more === 0;
    this.#part("more").textContent = t("and {count} more", { count: more });
    this.#part("next").textContent = reading.next === null ? "" : money(reading.next, reading.currency);
  }

  // For a screen reader: states, not every bet.
  #say(state, reading) {
    const said = {
      open: "",
      held: t("A major hand is being verified. The jackpot is held."),
      won: this.#celebrating === null ? "" : t("Jackpot won: {amount}", { amount: this.#part("won-label").textContent }),
      off: t("The progressive jackpot is off."),
      closed: t("The progressive jackpot is closed."),
      stale: t("Connection lost. Last value {display}.", { display: reading.display }),
    }[state];
    const status = this.#part("status");
    if (status.textContent !== said) status.textContent = said;
  }
}

function strong(text) {
  return Object.assign(document.createElement("b"), { textContent: text });
}

function isFresh(hit, reading) {
  const age = Date.parse(reading.as_of) - Date.parse(hit.at);
  return age < FRESH_HIT && Math.abs(Date.now() - Date.parse(hit.at)) < FRESH_HIT;
}

function prize([hand, percent]) {
  const [box, name, share] = ["div", "dt", "dd"].map((one) => document.createElement(one));
  name.textContent = handName(hand);
  share.textContent = `${percent}\u2009%`;
  box.append(name, share);
  return box;
}

function pendingLine(one, currency) {
  const line = document.createElement("li");
  const parts = [
    ["pending-hand", handName(one.hand)],
    ["pending-table", one.table],
    ["pending-amount", one.amount === null ? t("to be verified") : money(one.amount, currency)],
  ];
  for (const [className, text] of parts) {
    const part = document.createElement("span");
    part.className = className;
    part.textContent = text;
    part.dataset.at = t("at|before the name of a table");
    line.append(part);
  }
  return line;
}

function rotation(root, faces) {
  let turn = 0;
  const show = () => {
    const urgent = faces.findIndex((face) => face.urgent);
    const on = urgent === -1 ? turn : urgent;
    faces.forEach((face, index) => face.bring(index === on));
    root.dataset.showing = faces[on].link;
    return faces[on];
  };
  if (faces.length > 1) {
    setInterval(() => {
      turn = (turn + 1) % faces.length;
      show();
    }, Number(root.dataset.rotate) * 1000);
  }
  return show;
}

async function stayAwake() {
  try {
    await navigator.wakeLock?.request("screen");
  } catch {
    // a screen that sleeps by its owner's wish
  }
}

const root = document.querySelector("main.sign");
let show = () => null;
const faces = Array.from(root.querySelectorAll(".face"), (one) => new Face(one, () => show()));
show = rotation(root, faces);
show();
new Receipts(root.dataset, () => show().showing);
stayAwake();
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) stayAwake();
});
