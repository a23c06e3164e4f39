// An enrolled sign tells what it shows, at most once a second, and now and then that it still does.

const PACE = 1100;
const REMINDER = 30000;

export class Receipts {
  #sign;
  #csrf;
  #last = { key: "", at: -REMINDER };

  // `showing()` is what is on the screen now: a link, the reading's sequence, the minor units on the drums.
  constructor({ sign, csrf }, showing) {
    this.#sign = sign;
    this.#csrf = csrf;
    if (sign) setInterval(() => this.#tell(showing()), PACE);
  }

  async #tell(shown) {
    if (shown === null) return;
    const { link, sequence, value } = shown;
    const key = `${link} ${sequence} ${value}`;
    const now = performance.now();
    if (key === this.#last.key && now - this.#last.at < REMINDER) return;
    const body = { sign: this.#sign, sequence, value, shown_at: new Date().toISOString() };
    try {
      const answer = await fetch(`/v1/links/${encodeURIComponent(link)}/receipts`, {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-CSRF-Token": this.#csrf },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(3000),
      });
      if (answer.ok) this.#last = { key, at: now };
    } catch {
      // told again with the next reading
    }
  }
}
