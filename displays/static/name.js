// A link's name, and what its size depends on (display.css): its letters, and those of its longest word.

const WIDE = /[\u2e80-\ud7ff\uf900-\uffef]/;

export function showName(element, name) {
  element.textContent = name;
  element.style.setProperty("--letters", String(lettersOf(name)));
  element.style.setProperty("--longest", String(Math.max(1, ...name.split(/[\s-]+/).map(lettersOf))));
}

function lettersOf(text) {
  return Math.max(1, Array.from(text).reduce((sum, one) => sum + (WIDE.test(one) ? 1.7 : 1), 0));
}
