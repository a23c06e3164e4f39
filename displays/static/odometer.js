// A row of digit drums that rolls from one amount to the next as clockwork does: a drum turns while the one to
// its right passes from 9 to 0. It approaches what it is told and never passes it, so while amounts only rise
// it only rises too.

import { decimalsOf } from "./currency.js";

const STILL = window.matchMedia("(prefers-reduced-motion: reduce)");
const PACE = 0.35; // seconds in which two thirds of the way are gone
const SLOWEST = 40; // minor units a second
const BLANK = 7; // drums without digits, until something is known

// Held, so that the digits stay when the connection goes.
const PICTURES = ["/static/digits.svg", "/static/comma.svg"].map((src) => Object.assign(new Image(), { src }));

export class Odometer {
  #root;
  #drums = [];
  #shown = null;
  #target = null;
  #frame = null;
  #last = 0;
  #pace = PACE;
  #decimals = 2;

  constructor(root, { onSettled = () => {} } = {}) {
    this.#root = root;
    this.onSettled = onSettled;
    this.pictures = PICTURES;
    this.#build(BLANK);
  }

  get shown() {
    return this.#shown === null ? null : Math.floor(this.#shown);
  }

  get settled() {
    return this.#shown === this.#target;
  }

  // Be there at once, without rolling.
  set(minor, currency) {
    this.#ofCurrency(currency);
    this.#shown = this.#target = minor;
    this.#render();
    this.onSettled();
  }

  roll(minor, currency, pace = PACE) {
    if (this.#shown === null || STILL.matches || document.hidden) {
      this.set(minor, currency);
      return;
    }
    this.#ofCurrency(currency);
    this.#target = minor;
    this.#pace = pace;
    if (this.#frame === null && !this.settled) {
      this.#last = performance.now();
      this.#frame = requestAnimationFrame((now) => this.#step(now));
    }
  }

  #step(now) {
    const passed = Math.max(0, (now - this.#last) / 1000);
    this.#last = now;
    const left = this.#target - this.#shown;
    const step = Math.max(Math.abs(left) * (1 - Math.exp(-passed / this.#pace)), passed * SLOWEST);
    this.#shown = step >= Math.abs(left) ? this.#target : this.#shown + Math.sign(left) * step;
    this.#render();
    if (this.settled) {
      this.#frame = null;
      this.onSettled();
    } else {
      this.#frame = requestAnimationFrame((next) => this.#step(next));
    }
  }

  #ofCurrency(currency) {
    const decimals = decimalsOf(currency);
    if (decimals !== this.#decimals) this.#drums = [];
    this.#decimals = decimals;
  }

  #render() {
    const digits = Math.max(this.#decimals + 1, String(Math.floor(Math.max(this.#shown, this.#target))).length);
    if (digits !== this.#drums.length) this.#build(digits);
    let carry = 0; // how far the drum to the right has come on its way from 9 to 0
    let value = this.#shown;
    for (const [place, drum] of this.#drums.entries()) {
      const whole = Math.floor(value) % 10;
      const turned = place === 0 ? value - Math.floor(value) : carry;
      drum.strip.style.transform = `translateY(${(-(whole + turned) * 100) / 11}%)`;
      carry = whole === 9 ? turned : 0;
      value = Math.floor(value / 10);
    }
    this.#root.dataset.shown = String(this.shown);
  }

  #build(digits) {
    this.#drums = [];
    const cells = [];
    for (let place = 0; place < digits; place += 1) {
      const over = place - this.#decimals; // how far left of the decimals
      if (over === 0 && place > 0) cells.unshift(element("span", "mark point"));
      if (over > 0 && over % 3 === 0) cells.unshift(element("span", "mark comma"));
      const drum = element("span", "drum");
      const strip = element("span", "strip");
      drum.append(strip);
      cells.unshift(drum);
      this.#drums.push({ strip });
    }
    this.#root.replaceChildren(...cells);
    this.#root.style.setProperty("--drums", String(digits));
    this.#root.style.setProperty("--marks", String(cells.length - digits));
  }
}

function element(name, className) {
  const made = document.createElement(name);
  made.className = className;
  return made;
}
