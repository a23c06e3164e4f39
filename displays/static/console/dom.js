// Elements, made of text and attributes only: what comes from outside can never become markup.

import { t } from "../catalogue.js";

const SVG = "http://www.w3.org/2000/svg";

function made(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** h("p.note", {id: "x"}, "text", child) */
export function h(what, attributes, ...children) {
  const [tag, ...classes] = what.split(".");
  const element = document.createElement(tag || "div");
  if (classes.length) element.className = classes.join(" ");
  return made(element, attributes, children);
}

export function svg(tag, attributes, ...children) {
  return made(document.createElementNS(SVG, tag), attributes, children);
}

/** Make the children of `parent` those given, and keep what is the same: focus, scroll and open details stay. */
export function show(parent, ...children) {
  const fresh = document.createDocumentFragment();
  fresh.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  patchChildren(parent, fresh);
  parent.removeAttribute("aria-busy");
}

const keyOf = (node) => (node.nodeType === Node.ELEMENT_NODE ? node.getAttribute("data-key") : null);

function patchChildren(parent, fresh) {
  const keyed = new Map([...parent.childNodes].filter(keyOf).map((node) => [keyOf(node), node]));
  let place = parent.firstChild;
  for (const node of [...fresh.childNodes]) {
    const key = keyOf(node);
    const known = key ? keyed.get(key) : place && !keyOf(place) && place.nodeName === node.nodeName ? place : null;
    if (!known || known.nodeName !== node.nodeName) {
      parent.insertBefore(node, place);
      continue;
    }
    if (known === place) place = place.nextSibling;
    else parent.insertBefore(known, place);
    patch(known, node);
  }
  while (place) {
    const after = place.nextSibling;
    place.remove();
    place = after;
  }
}

function patch(known, fresh) {
  if (known.nodeType !== Node.ELEMENT_NODE) {
    if (known.data !== fresh.data) known.data = fresh.data;
    return;
  }
  for (const { name } of [...known.attributes]) {
    if (!fresh.hasAttribute(name) && !(name === "open" && known.nodeName === "DETAILS")) known.removeAttribute(name);
  }
  for (const { name, value } of [...fresh.attributes]) {
    if (known.getAttribute(name) !== value) known.setAttribute(name, value);
  }
  patchChildren(known, fresh);
}

/** Clicks on `data-act` inside `root`, by name. */
export function acts(root, handlers) {
  root.addEventListener("click", (event) => {
    const button = event.target.closest("[data-act]");
    if (button && root.contains(button) && handlers[button.dataset.act]) handlers[button.dataset.act](button.dataset.id, button);
  });
}

export function button(text, act, id, { kind = "", label = null, disabled = false } = {}) {
  return h(`button${kind ? `.${kind}` : ""}`, { type: "button", "data-act": act, "data-id": id, "data-key": `${act} ${id}`, "aria-label": label, disabled }, text);
}

/** A table whose head names the columns; rows are {key, cells}. */
export function grid(caption, heads, rows, { empty = t("Nothing here."), kind = "" } = {}) {
  if (!rows.length) return h("p.empty", {}, empty);
  return h("div.scroll", { tabindex: "0", role: "region", "aria-label": caption },
    h(`table${kind ? `.${kind}` : ""}`, {},
      h("caption.unseen", {}, caption),
      h("thead", {}, h("tr", {}, heads.map((head) => h("th", { scope: "col", class: head.startsWith("#") ? "number" : null }, head.replace("#", ""))))),
      h("tbody", {}, rows.map(({ key, cells, kind: rowKind }) =>
        h("tr", { "data-key": key, class: rowKind }, cells.map((cell, index) =>
          h(index ? "td" : "th", { scope: index ? null : "row", class: heads[index].startsWith("#") ? "number" : null }, cell)))))));
}

export function chip(text, kind = "") {
  return h(`span.chip${kind ? `.${kind}` : ""}`, {}, text);
}
