const frame = document.getElementById("page-frame");
const trouble = document.getElementById("page-trouble");
let shown = false;
let timer = 0;
const fail = (reason) => {
  if (shown || !trouble.hidden) { return; }
  clearTimeout(timer);
  frame.hidden = true;
  trouble.hidden = false;
  tell("failed", reason);
  leave("failed", reason);
};
const start = () => {
  trouble.hidden = true;
  frame.hidden = false;
  timer = setTimeout(() => fail("timeout"), data.limit);
  if (navigator.onLine === false) { fail("offline"); } else { send(); }
};
blocked(["frame-src", "form-action"], () => fail("blocked"));
frame.addEventListener("load", async () => {
  let blank = false;
  try { blank = frame.contentWindow.location.href === "about:blank"; } catch (error) { blank = false; }
  if (blank || shown) { return; }
  if (!(await reachable())) { fail("unreachable"); return; }
  if (frame.hidden || shown) { return; }
  clearTimeout(timer);
  shown = true;
  tell("shown", "");
});
document.getElementById("page-retry").addEventListener("click", start);
start();
