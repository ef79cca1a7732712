// What pages do beyond what they do without scripts. Text is only ever set as text; the one policy
// for markup takes nothing but pages of this console.
"use strict";

const policy = globalThis.trustedTypes
  ? trustedTypes.createPolicy("fragment", { createHTML: (text) => text })
  : { createHTML: (text) => text };

/** Fetches a page of the console; null when it cannot be shown, so that the browser goes there. */
const page = async (address, signal) => {
  const url = new URL(address, location.href);
  if (url.origin !== location.origin || !url.pathname.startsWith("/console/")) { return null; }
  const response = await fetch(url, { credentials: "same-origin", signal });
  if (!response.ok || response.redirected) { return null; }
  return new DOMParser().parseFromString(policy.createHTML(await response.text()), "text/html");
};

/** Copies the text of an element. */
customElements.define("copy-text", class extends HTMLElement {
  connectedCallback() {
    if (!navigator.clipboard) { return; }
    this.hidden = false;
    const done = this.querySelector("[role=status]");
    this.querySelector("button").addEventListener("click", async () => {
      await navigator.clipboard.writeText(document.getElementById(this.getAttribute("for")).textContent.trim());
      done.textContent = done.dataset.done;
    });
  }
});

/** Shows the state after the event that a slider points to, without leaving the page. */
customElements.define("time-slider", class extends HTMLElement {
  connectedCallback() {
    const form = this.querySelector("form");
    const number = form.querySelector("input");
    const range = document.createElement("input");
    range.type = "range";
    for (const name of ["min", "max", "value"]) { range[name] = number[name]; }
    range.setAttribute("aria-label", form.querySelector("label").textContent);
    range.addEventListener("input", () => this.show(range.value, false));
    range.addEventListener("change", () => this.show(range.value, true));
    form.append(range);
  }

  async show(at, isFinal) {
    this.running?.abort();
    this.running = new AbortController();
    const address = new URL(this.querySelector("form").action);
    address.searchParams.set("at", at);
    try {
      const shown = await page(address, this.running.signal);
      if (!shown) { location.assign(address); return; }
      document.getElementById("replayed").replaceWith(document.adoptNode(shown.getElementById("replayed")));
      this.querySelector("input[type=number]").value = at;
      if (isFinal) { history.replaceState(null, "", address); this.links(shown); }
    } catch (error) {
      if (error.name !== "AbortError") { location.assign(address); }
    }
  }

  /** The ways to the events before and after are those of the state that is shown. */
  links(shown) {
    const [ours, theirs] = [this, shown.querySelector("time-slider")].map((it) => [...it.querySelectorAll(".button")]);
    ours.forEach((link, index) => link.replaceWith(document.adoptNode(theirs[index])));
  }
});

/** Checks the chain of hashes in this browser: SHA-256 of the hash before and the bytes of a record. */
customElements.define("proof-check", class extends HTMLElement {
  connectedCallback() {
    if (!globalThis.crypto?.subtle) { return; }
    this.hidden = false;
    const result = this.querySelector("[role=status]");
    this.querySelector("button").addEventListener("click", async () => {
      const isGood = await this.isWhole().catch(() => null);
      const { good, bad, unsure } = result.dataset;
      result.textContent = isGood === null ? unsure : isGood ? good : bad;
    });
  }

  async isWhole() {
    const response = await fetch(this.dataset.log, { credentials: "same-origin" });
    if (!response.ok) { throw new Error("the log was not sent"); }
    const lines = (await response.text()).split("\n").filter((line) => line !== "");
    const shown = document.querySelector(".hash").textContent;
    let [last, isShown] = ["0".repeat(64), false];
    for (const line of lines) {
      // The record stands in its line as it was hashed.
      const record = line.slice(line.indexOf("\"record\":") + 9, line.lastIndexOf(",\"seals\":"));
      const before = Uint8Array.from(last.match(/../g), (digits) => parseInt(digits, 16));
      const bytes = new TextEncoder().encode(record);
      const all = new Uint8Array(before.length + bytes.length);
      all.set(before);
      all.set(bytes, before.length);
      const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", all));
      last = [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("");
      if (JSON.parse(line).hash !== last) { return false; }
      // The log may have grown since the page was made.
      isShown ||= last === shown;
    }
    return isShown;
  }
});

/** Follows an open payment. A hidden tab follows nothing; a page that is no longer current says so. */
customElements.define("live-state", class extends HTMLElement {
  connectedCallback() {
    this.seen = Number(this.dataset.seq);
    this.hidden = false;
    this.follow = () => (document.hidden ? this.close() : this.open());
    document.addEventListener("visibilitychange", this.follow);
    this.follow();
  }

  disconnectedCallback() {
    document.removeEventListener("visibilitychange", this.follow);
    this.close();
  }

  say(words) { if (this.textContent !== words) { this.textContent = words; } }

  open() {
    if (this.source) { return; }
    this.source = new EventSource(`${this.dataset.stream}?after=${this.seen}`);
    this.source.onopen = () => { if (!this.isBehind) { this.say(this.dataset.live); } };
    this.source.onerror = () => { if (!this.isBehind) { this.say(this.dataset.stale); } };
    this.source.addEventListener("session", (event) => {
      this.seen = Math.max(this.seen, JSON.parse(event.data).seq);
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.renew(), 300);
    });
  }

  close() {
    this.source?.close();
    this.source = null;
  }

  async renew() {
    const main = document.getElementById("main");
    const shown = await page(location.href).catch(() => null);
    // Whoever is in the middle of something is told, not interrupted.
    if (!shown || (main.contains(document.activeElement) && document.activeElement !== main)) {
      const link = document.createElement("a");
      link.href = location.href;
      link.textContent = this.dataset.changed;
      this.isBehind = true;
      this.replaceChildren(link);
      return;
    }
    main.replaceChildren(...document.adoptNode(shown.getElementById("main")).childNodes);
  }
});
