import { logIn } from "./api.js";
import "./language.js";

const form = document.getElementById("login");
const problem = document.getElementById("problem");
const FIRST = "overview";
const PAGE = /^[a-z]+(\?[\w.~%=&+-]*)?$/;

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = form.querySelector("button");
  button.disabled = true;
  problem.textContent = "";
  try {
    await logIn(form.elements.name.value, form.elements.password.value);
    const then = new URLSearchParams(location.search).get("then") ?? FIRST;
    location.assign(`/console/${PAGE.test(then) ? then : FIRST}`);
  } catch (error) {
    problem.textContent = error.sentence ?? String(error);
    form.elements.password.select();
  } finally {
    button.disabled = false;
  }
});
