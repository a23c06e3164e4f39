// The House's order of wins that nobody can tell apart: by buttons, by keys, or by dragging.

import { t } from "../catalogue.js";
import { h, show } from "./dom.js";
import { ask, REASON } from "./dialog.js";
import { acting, effectOf } from "./effect.js";
import { cards, handName } from "./format.js";
import { dealtWhen } from "./rests.js";
import { linkPath } from "./shell.js";

export function decideOrder(cluster) {
  const list = h("ol.arrange", { "aria-label": t("The order of payment") });
  const said = h("p.unseen", { "aria-live": "polite" });
  let order = [...cluster];

  const draw = (focus = null) => {
    show(list, order.map((win, index) => item(win, index, order.length)));
    if (focus) [...list.querySelectorAll(`[data-key="${CSS.escape(focus.win)}"] [data-move]`)].find((one) => one.dataset.move === focus.move && !one.disabled)?.focus();
    list.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const move = (from, to) => {
    const [win] = order.splice(from, 1);
    order.splice(to, 0, win);
    show(said, t("{id} is now number {place} of {all}.", { id: win.id, place: to + 1, all: order.length }));
    return win.id;
  };
  list.addEventListener("click", (event) => {
    const button = event.target.closest("[data-move]");
    if (!button) return;
    const from = order.findIndex((win) => win.id === button.dataset.win);
    const win = move(from, from + (button.dataset.move === "earlier" ? -1 : 1));
    draw({ win, move: button.dataset.move });
  });
  draggable(list, (from, to) => {
    move(from, to);
    draw();
  });
  draw();

  const body = (reason) => ({ wins: order.map((win) => win.id), reason });
  return ask({
    title: t("Decide the order"),
    intro: [h("p", {}, t("The times do not show which of these hands was dealt first. The House determines the order conclusively (rule 4.5.2).")), list, said],
    fields: () => [{ ...REASON, help: t("What shows the order: camera, dealer or shoe. Recorded in the journal.") }],
    effect: (values) => effectOf("order", null, body(values.reason ?? "")),
    act: async (values, key) => {
      await acting(linkPath("order"), body(values.reason), key);
      return t("The order is decided.");
    },
    confirm: t("Decide this order"),
    wide: true,
  });
}

function item(win, index, count) {
  const mover = (move, label, text, disabled) =>
    h("button", { type: "button", "data-move": move, "data-win": win.id, disabled, "aria-label": label }, text);
  return h("li", { "data-key": win.id },
    h("span.handle", { "aria-hidden": "true" }, "⠿"),
    h("div.what", {}, h("strong", {}, t("{hand}, {table}, box {box}", { hand: handName(win.hand), table: win.table, box: win.box })),
      dealtWhen(win).map((text) => h("span.under", {}, text))),
    cards(win.cards),
    h("div.row", {}, mover("earlier", t("{id} earlier", { id: win.id }), "▲", index === 0), mover("later", t("{id} later", { id: win.id }), "▼", index === count - 1)));
}

/** By pointer, so that a finger on a tablet works as a mouse does. */
function draggable(list, moved) {
  let held = null;
  const items = () => [...list.children];
  list.addEventListener("pointerdown", (event) => {
    if (!event.target.closest(".handle")) return;
    held = event.target.closest("li");
    held.classList.add("held");
    list.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  list.addEventListener("pointermove", (event) => {
    if (!held) return;
    const over = items().find((one) => {
      const { top, bottom } = one.getBoundingClientRect();
      return event.clientY >= top && event.clientY <= bottom;
    });
    if (over && over !== held) moved(items().indexOf(held), items().indexOf(over));
  });
  for (const end of ["pointerup", "pointercancel"]) {
    list.addEventListener(end, () => {
      held?.classList.remove("held");
      held = null;
    });
  }
}
