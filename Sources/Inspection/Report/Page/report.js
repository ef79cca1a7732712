"use strict";
(() => {
const element = (id) => document.getElementById(id);
const data = JSON.parse(element("report-data").textContent);
const last = data.views.length - 1;
const slider = element("place");
const values = (place) => new Map(data.views[place].map((number) => data.rows[number]));
const row = (path, value, kind) => {
  const line = document.createElement("tr");
  if (kind) { line.className = kind; }
  const head = document.createElement("th");
  head.scope = "row";
  head.textContent = path;
  const cell = document.createElement("td");
  cell.textContent = (kind === "gone" ? "removed: " : "") + value;
  if (kind) {
    const mark = document.createElement("span");
    mark.className = "mark";
    mark.textContent = kind === "gone" ? "− " : "+ ";
    head.prepend(mark);
  }
  line.append(head, cell);
  return line;
};
const show = (wanted, scrolls) => {
  const place = Math.min(last, Math.max(0, wanted));
  slider.value = String(place);
  const now = values(place);
  const before = place > 0 ? values(place - 1) : new Map();
  const lines = [];
  for (const [path, value] of now) {
    lines.push(row(path, value, place > 0 && before.get(path) !== value ? "changed" : ""));
  }
  for (const [path, value] of before) {
    if (!now.has(path)) { lines.push(row(path, value, "gone")); }
  }
  element("state").replaceChildren(...lines);
  const words = place === 0 ? "Before the first event." : "After event " + place + " of " + last + ": "
    + data.words[place - 1];
  element("chosen").textContent = words;
  slider.setAttribute("aria-valuetext", words);
  element("raw").hidden = place === 0;
  element("raw").href = "#e" + place;
  for (const item of document.querySelectorAll("#timeline li[id]")) {
    const isChosen = item.id === "t" + place;
    item.classList.toggle("chosen", isChosen);
    if (isChosen) { item.setAttribute("aria-current", "step"); } else { item.removeAttribute("aria-current"); }
    if (isChosen && scrolls) {
      const fold = item.closest("details");
      if (fold) { fold.open = true; }
      item.scrollIntoView({ block: "nearest" });
    }
  }
  for (const step of document.querySelectorAll(".d-step")) {
    const within = place >= Number(step.dataset.first) && place <= Number(step.dataset.last);
    step.classList.toggle("d-now", within);
  }
  document.documentElement.dataset.place = String(place);
};
const current = () => Number(slider.value);
slider.addEventListener("input", () => show(current(), true));
element("first").addEventListener("click", () => show(0, true));
element("back").addEventListener("click", () => show(current() - 1, true));
element("forward").addEventListener("click", () => show(current() + 1, true));
element("end").addEventListener("click", () => show(last, true));
for (const link of document.querySelectorAll("#timeline a")) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    show(Number(link.dataset.place), false);
  });
}
const open = () => {
  const target = location.hash.length > 1 ? element(location.hash.slice(1)) : null;
  if (target && target.tagName === "DETAILS") {
    target.open = true;
    target.scrollIntoView();
  }
};
window.addEventListener("hashchange", open);
const root = document.documentElement;
let closed = [];
window.addEventListener("beforeprint", () => {
  if (root.dataset.print !== "all") { return; }
  closed = [...document.querySelectorAll("details:not([open])")];
  for (const item of closed) { item.open = true; }
});
window.addEventListener("afterprint", () => {
  for (const item of closed) { item.open = false; }
  closed = [];
  delete root.dataset.print;
});
element("print-all").hidden = false;
element("print-all").addEventListener("click", () => {
  root.dataset.print = "all";
  window.print();
});
element("controls").hidden = false;
show(last, false);
open();
})();
