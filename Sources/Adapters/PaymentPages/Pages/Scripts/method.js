const frame = document.getElementById("page-frame");
let ended = false;
let left = false;
let ending = "";
let why = "";
const go = () => {
  if (left) { return; }
  left = true;
  leave(ending, why);
};
const end = (event, reason) => {
  if (ended) { return; }
  ended = true;
  clearTimeout(timer);
  ending = event;
  why = reason;
  tell(event, reason);
  if (event === "done") { setTimeout(go, data.retention); } else { go(); }
};
const timer = setTimeout(() => end("timedOut", ""), data.limit);
blocked(["frame-src", "form-action"], () => end("failed", "blocked"));
frame.addEventListener("load", async () => {
  let blank = false;
  try { blank = frame.contentWindow.location.href === "about:blank"; } catch (error) { blank = false; }
  if (blank) { return; }
  if (ended) { go(); return; }
  const answered = await reachable();
  if (answered) { end("done", ""); } else { end("failed", "unreachable"); }
});
if (navigator.onLine === false) { end("failed", "offline"); } else { send(); }
