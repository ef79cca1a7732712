const place = document.getElementById("check-in");
const trouble = document.getElementById("page-trouble");
let settled = false;
let ended = false;
let timer = 0;
const fail = (reason) => {
  if (!trouble.hidden || ended) { return; }
  clearTimeout(timer);
  settled = true;
  trouble.hidden = false;
  tell("failed", reason);
};
const identified = (what) => {
  const profile = what && typeof what === "object" ? cut(what.consumerProfileRef, 4096) : "";
  if (!profile) { fail("script-error"); return; }
  if (ended) { return; }
  ended = true;
  tell("identified", "", undefined, { consumerProfileRef: profile });
  const field = document.getElementById("page-profile");
  if (field) { field.value = profile; send(); }
};
const open = () => {
  const view = window.payex && window.payex.hostedView;
  if (!view || typeof view.consumer !== "function") { fail("script-unusable"); return; }
  try {
    view.consumer({
      integration: "App",
      container: "check-in",
      onConsumerIdentified: identified,
      onShippingDetailsAvailable: () => tell("details", "shipping"),
      onError: () => fail("script-error"),
    }).open();
  } catch (error) {
    fail("script-error");
    return;
  }
  if (!settled) { settled = true; tell("shown", ""); }
};
