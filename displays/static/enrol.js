// A code from the console becomes this browser's cookie.

import { t, translated } from "./catalogue.js";

const form = document.querySelector("#enrol");
const refusal = document.querySelector("#refusal");
const outcome = document.querySelector("#outcome");

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  refusal.textContent = outcome.textContent = "";
  try {
    const answer = await fetch("/v1/signs", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ code: form.elements.code.value }),
    });
    const told = await answer.json();
    if (answer.ok) outcome.textContent = t("This screen is now {sign}. Open the address of its sign.", { sign: told.sign });
    else refusal.textContent = translated(told.detail);
  } catch {
    refusal.textContent = t("The service cannot be reached.");
  }
});
