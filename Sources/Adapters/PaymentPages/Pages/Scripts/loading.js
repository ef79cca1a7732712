const start = () => {
  settled = false;
  trouble.hidden = true;
  place.replaceChildren();
  const script = document.createElement("script");
  const over = (act) => () => { if (settled) { return; } clearTimeout(timer); act(); };
  script.onload = over(open);
  script.onerror = over(() => fail("script-load"));
  timer = setTimeout(over(() => { script.remove(); fail("timeout"); }), data.limit);
  script.src = data.script;
  document.head.append(script);
};
blocked(["frame-src"], () => { if (settled) { tell("blocked", "frame"); } else { fail("blocked"); } });
document.getElementById("page-retry").addEventListener("click", start);
start();
