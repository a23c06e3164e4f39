// Questions to the reader: a modal form, what it would do, and the act itself.

import { t } from "../catalogue.js";
import { newKey } from "./api.js";
import { h, show } from "./dom.js";
import { amount, decimalsOf, parseAmount, parseShare, parseWhole } from "./format.js";
import { refresh, state, tell } from "./shell.js";

const PAUSE = 250;

export const REASON = { name: "reason", label: t("Reason"), type: "long", required: true, help: t("Recorded in the journal."), missing: t("A reason is required.") };

/** Text of a field as the wire wants it; undefined if it cannot be read. */
const READ = {
  money: (text, currency) => (text.trim() === "" ? null : parseAmount(text, currency) ?? undefined),
  share: (text) => (text.trim() === "" ? null : parseShare(text) ?? undefined),
  whole: (text) => (text.trim() === "" ? null : parseWhole(text) ?? undefined),
  number: (text) => (text === "" ? null : Number(text)),
};
const WANTED = {
  money: (currency) => t("an amount such as {amount}", { amount: amount(50_000 * 10 ** decimalsOf(currency), currency) }),
  share: () => t("a share such as 12.5 %"),
  whole: () => t("a whole number"),
};

/**
 * Ask and act. `fields(values)` gives the fields for what was said so far; `effect(values)` nodes that tell what
 * would happen; `act(values, key)` carries it out and gives the word that is told. Resolves to whether it was done.
 */
export function ask({ title, intro = [], fields = () => [], effect = null, act, confirm = t("Confirm"), kind = "main", wide = false }) {
  const opener = document.activeElement;
  const key = newKey();
  const parts = frame(title, intro, confirm, kind, wide, effect !== null);
  const values = () => valuesOf(parts.form);
  let turn = 0;
  let pause = null;

  const draw = () => show(parts.fields, fields(values()).map(field));
  const preview = async () => {
    if (!effect) return;
    const mine = ++turn;
    const said = await effect(values()).catch((error) => [h("p.problem", {}, error.sentence ?? String(error))]);
    if (mine === turn) show(parts.effect, h("h3", {}, t("What will happen")), said);
  };
  const changed = () => {
    draw();
    clearTimeout(pause);
    pause = setTimeout(preview, PAUSE);
  };

  return new Promise((resolve) => {
    let done = false;
    parts.form.addEventListener("input", changed);
    parts.form.addEventListener("submit", async (event) => {
      event.preventDefault();
      if (!check(parts)) return;
      parts.submit.disabled = true;
      try {
        const said = await act(values(), key);
        done = true;
        parts.dialog.close();
        if (said) tell(said);
      } catch (error) {
        complain(parts, error);
      } finally {
        parts.submit.disabled = false;
      }
    });
    parts.cancel.addEventListener("click", () => parts.dialog.close());
    parts.dialog.addEventListener("close", () => {
      parts.dialog.remove();
      back(opener);
      refresh();
      resolve(done);
    });
    document.body.append(parts.dialog);
    draw();
    draw();
    preview();
    parts.dialog.showModal();
    (parts.fields.querySelector("input, select, textarea") ?? parts.submit).focus();
  });
}

function frame(title, intro, confirm, kind, wide, withEffect) {
  const parts = {
    fields: h("div.fields"),
    effect: h("section.effect", { "aria-live": "polite", hidden: !withEffect }),
    problem: h("p.problem", { role: "alert" }),
    submit: h(`button.${kind}`, { type: "submit" }, confirm),
    cancel: h("button", { type: "button" }, t("Cancel")),
  };
  const buttons = h("div.buttons", {}, parts.cancel, parts.submit);
  parts.form = h("form", { novalidate: true }, h("h2", { id: "dialog-title" }, title), intro, parts.fields, parts.effect, parts.problem, buttons);
  parts.dialog = h(`dialog${wide ? ".wide" : ""}`, { "aria-labelledby": "dialog-title" }, parts.form);
  return parts;
}

/** Something to read, in the same frame. */
export function tellAll(title, ...content) {
  const opener = document.activeElement;
  const close = h("button.main", { type: "button" }, t("Close"));
  const dialog = h("dialog.wide", { "aria-labelledby": "dialog-title" },
    h("div.form", {}, h("h2", { id: "dialog-title", tabindex: "-1" }, title), content, h("div.buttons", {}, close)));
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => {
    dialog.remove();
    back(opener);
  });
  document.body.append(dialog);
  dialog.showModal();
  dialog.querySelector("h2").focus();
}

/** To where the reader was, also if the page has been drawn anew meanwhile. */
function back(opener) {
  const key = opener?.getAttribute?.("data-key");
  const again = opener?.isConnected ? opener : key ? document.querySelector(`[data-key="${CSS.escape(key)}"]`) : null;
  (again ?? document.getElementById("main")).focus();
}

/** Ids are listed with spaces between them: there is none inside one. */
const idOf = (...parts) => ["field", ...parts].join("-").replace(/\s/g, "-");

function field(one) {
  const id = idOf(one.name);
  const help = one.help || one.warning ? h("p.help", { id: `${id}-help` }, one.help, one.warning ? h("strong.warning", {}, one.warning) : null) : null;
  const shared = { id, name: one.name, "data-type": one.type, "data-currency": one.type === "money" ? (one.currency ?? state.link.currency) : null, "aria-describedby": help ? `${id}-help` : null, "aria-required": one.required ? "true" : null, "data-missing": one.missing };
  if (one.type === "choice" || one.type === "several") return choice(one, help);
  if (one.type === "measure") return measure(one, shared);
  if (one.type === "check") {
    return h("div.field.check", { "data-key": one.name }, h("input", { ...shared, type: "checkbox", checked: one.value }), h("label", { for: id }, one.label), help);
  }
  return h("div.field", { "data-key": one.name }, h("label", { for: id }, one.label, one.required || one.type === "select" ? "" : h("span.optional", {}, " ", t("(optional)"))), control(one, shared), help);
}

function control(one, shared) {
  if (one.type === "select") {
    return h("select", shared, one.options.map(([value, text]) => h("option", { value, "data-key": `option ${value}`, selected: value === one.value }, text)));
  }
  if (one.type === "long") return h("textarea", { ...shared, rows: 2, maxlength: 500 }, one.value ?? "");
  if (one.type === "time") return h("input", { ...shared, type: "datetime-local", step: "0.001", value: one.value });
  const numeric = one.type in WANTED;
  return h("input", { ...shared, type: "text", inputmode: numeric ? "decimal" : null, autocomplete: "off", maxlength: 200, value: one.value, class: numeric ? "figures" : null });
}

/** A number and what it counts, on one line; without a unit there is no number. */
function measure(one, shared) {
  const without = one.unit === one.units[0][0];
  const number = { ...shared, name: `${one.name} number`, "data-type": "whole", "aria-required": without ? null : "true", type: "text", inputmode: "numeric", autocomplete: "off", maxlength: 9, value: one.value, class: "figures", disabled: without };
  const unit = { id: `${shared.id}-unit`, name: `${one.name} unit`, "aria-label": t("{label}, what the number means", { label: one.label }) };
  return h("div.field.measure", { "data-key": one.name }, h("label", { for: shared.id }, one.label),
    h("input", number),
    h("select", unit, one.units.map(([value, text]) => h("option", { value, "data-key": `option ${value}`, selected: value === one.unit }, text))));
}

function choice(one, help) {
  return h("fieldset.field", { "data-key": one.name, "data-required": one.required ? "true" : null }, h("legend", {}, one.label),
    one.options.map(([value, text, more]) => {
      const id = idOf(one.name, value);
      const input = one.type === "several" ? { type: "checkbox", name: `${one.name} ${value}` } : { type: "radio", name: one.name, value, checked: value === one.value };
      return h("div.check", { "data-key": value },
        h("input", { id, ...input }),
        h("label", { for: id }, text, more ? h("span.help", {}, more) : null));
    }), help);
}

function valuesOf(form) {
  const said = {};
  for (const one of form.elements) {
    if (!one.name || (one.type === "radio" && !one.checked)) continue;
    if (one.type === "checkbox") said[one.name] = one.checked;
    else said[one.name] = (READ[one.dataset.type] ?? ((text) => text))(one.value, one.dataset.currency);
  }
  return said;
}

function check({ form, problem }) {
  show(problem);
  for (const one of form.querySelectorAll("[aria-invalid]")) one.removeAttribute("aria-invalid");
  for (const one of form.elements) {
    const missing = one.getAttribute("aria-required") === "true" && one.value.trim() === "";
    const wrong = missing ? one.dataset.missing ?? t("Please fill in “{label}”.", { label: labelOf(form, one) }) : unreadable(form, one);
    if (wrong) return point(problem, one, wrong);
  }
  for (const group of form.querySelectorAll("fieldset[data-required]")) {
    if (!group.querySelector(":checked")) return point(problem, group.querySelector("input"), unchosen(group));
  }
  return true;
}

function unchosen(group) {
  const question = group.querySelector("legend").textContent;
  return group.querySelector("[type=checkbox]") ? t("{question} Choose at least one.", { question }) : t("{question} Choose one.", { question });
}

function unreadable(form, one) {
  const kind = one.dataset?.type;
  return kind in WANTED && READ[kind](one.value, one.dataset.currency) === undefined ? t("“{label}” must be {wanted}.", { label: labelOf(form, one), wanted: WANTED[kind](one.dataset.currency) }) : null;
}

const labelOf = (form, one) => form.querySelector(`label[for="${CSS.escape(one.id)}"]`)?.firstChild.textContent ?? one.name;

function point(problem, one, text) {
  show(problem, text);
  one.setAttribute("aria-invalid", "true");
  one.focus();
  return false;
}

function complain({ form, problem }, error) {
  const named = error.field ? form.querySelector(`[name="${CSS.escape(error.field)}"]`) : null;
  show(problem, error.sentence ?? String(error));
  if (named) point(problem, named, error.sentence);
}
