// Readings as they happen: a stream of events; where that fails, polls; and the truth about the connection.
// The stream is read by hand, since an EventSource tells nobody that it has gone quiet.

const QUIET = 5000; // the service says something every two seconds
const LOST = 4000; // two of its words missed, and still within the five seconds after which a value is stale
const BEHIND = 3000; // one replica may be behind another for two seconds; what stays lower was taken back
const PAUSES = [200, 400, 800, 1500];
const STREAM_AGAIN = 10000;

export class Feed {
  #paths;
  #told;
  #heardAt = performance.now();
  #lost = false;
  #seen = "";
  #newest = null;
  #lower = null;
  #stopped = false;

  // `told(kind, message)` gets every event but readings that are older than the last; `told("lost")` and `told("found")` what becomes of the connection;
  // `told("refused", status)` that this page may not read.
  constructor({ stream, polls }, told) {
    this.#paths = { stream, polls };
    this.#told = told;
  }

  start() {
    setInterval(() => this.#watch(), 250);
    this.#keep();
  }

  async #keep() {
    let failures = 0;
    while (!this.#stopped) {
      const heardBefore = this.#heardAt;
      await this.#stream();
      failures = this.#heardAt > heardBefore ? 0 : failures + 1;
      if (failures > 1) await this.#pollFor(STREAM_AGAIN);
      await pause(PAUSES[Math.min(failures, PAUSES.length - 1)]);
    }
  }

  async #stream() {
    const quiet = new Quiet();
    try {
      const headers = this.#seen ? { "Last-Event-ID": this.#seen } : {};
      const answer = await fetch(this.#paths.stream, { headers, cache: "no-store", signal: quiet.signal });
      if (!this.#admitted(answer)) return;
      let text = "";
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      for (;;) {
        const { value, done } = await reader.read();
        if (done) return;
        quiet.noise();
        this.#heard();
        text += value;
        const events = text.split("\n\n");
        text = events.pop();
        events.forEach((event) => this.#event(event));
      }
    } catch {
      // lost; what follows tries again
    } finally {
      quiet.end();
    }
  }

  #event(text) {
    const fields = {};
    for (const line of text.split("\n")) {
      const [, name, value] = line.match(/^(\w+): ?(.*)$/) ?? [];
      if (name) fields[name] = value;
    }
    if (fields.id) this.#seen = fields.id;
    if (fields.event && fields.data) this.#tell(fields.event, JSON.parse(fields.data));
  }

  // While there is no stream: once a second, until it is worth trying again.
  async #pollFor(time) {
    const until = performance.now() + time;
    while (performance.now() < until) {
      for (const [kind, path] of Object.entries(this.#paths.polls)) await this.#poll(kind, path);
      if (this.#lost) return; // not the stream's fault: try everything again
      await pause(1000);
    }
  }

  async #poll(kind, path) {
    try {
      const answer = await fetch(path, { cache: "no-cache", signal: AbortSignal.timeout(2000) });
      if (!this.#admitted(answer)) return;
      const reading = await answer.json();
      this.#heard();
      this.#tell(kind, reading);
    } catch {
      // lost; the watch will say so
    }
  }

  #tell(kind, message) {
    if (kind !== "meter") this.#told(kind, message);
    else if (isNews(this.#newest, message)) this.#show(message);
    else this.#lower = { reading: message, since: this.#lower?.since ?? performance.now() };
  }

  #show(reading) {
    this.#newest = reading;
    this.#lower = null;
    this.#told("meter", reading);
  }

  #admitted(answer) {
    if (answer.status === 401 || answer.status === 403) this.#told("refused", answer.status);
    return answer.ok;
  }

  #heard() {
    this.#heardAt = performance.now();
    if (this.#lost) {
      this.#lost = false;
      this.#told("found");
    }
  }

  #watch() {
    if (this.#lower !== null && performance.now() - this.#lower.since > BEHIND) this.#show(this.#lower.reading);
    if (!this.#lost && performance.now() - this.#heardAt > LOST) {
      this.#lost = true;
      this.#told("lost");
    }
  }
}

// Ends a request that nothing is heard of.
class Quiet {
  #control = new AbortController();
  #timer = null;

  constructor() {
    this.noise();
  }

  get signal() {
    return this.#control.signal;
  }

  noise() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#control.abort(), QUIET);
  }

  end() {
    clearTimeout(this.#timer);
    this.#control.abort();
  }
}

// Whether a reading is newer than the one that is shown. Another epoch is another book.
function isNews(known, reading) {
  if (known === null || known.epoch !== reading.epoch) return true;
  return reading.sequence >= known.sequence;
}

function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
