const place = document.getElementById("payment-menu");
const trouble = document.getElementById("page-trouble");
let settled = false;
let timer = 0;
const fail = (reason, failure) => {
  if (!trouble.hidden) { return; }
  clearTimeout(timer);
  settled = true;
  trouble.hidden = false;
  tell("failed", reason, failure);
  leave("failed", reason);
};
const described = (what) => {
  let given = what;
  if (typeof given === "string") { try { given = JSON.parse(given); } catch (error) { given = { details: what }; } }
  if (typeof given !== "object" || given === null) { given = {}; }
  return { origin: cut(given.origin, 128), messageId: cut(given.messageId, 128), details: cut(given.details, 1024) };
};
const paid = (what) => {
  tell("paid", "");
  const given = what && typeof what === "object" ? what.redirectUrl : "";
  const cancelled = data.cancelURL && given === data.cancelURL;
  window.location.assign(cancelled ? data.cancelURL : data.completeURL);
};
const open = () => {
  const view = window.payex && window.payex.hostedView;
  if (!view || typeof view[data.function] !== "function") { fail("script-unusable"); return; }
  const settings = {
    integration: data.integration,
    container: data.function === "checkout" ? { checkout: "payment-menu" } : "payment-menu",
    onPaid: paid,
    onError: (what) => fail("script-error", described(what)),
    onOutOfViewOpen: () => tell("left", "open"),
    onOutOfViewRedirect: () => tell("left", "redirect"),
  };
  if (data.overridesTerms) { settings.onTermsOfServiceRequested = () => tell("terms", ""); }
  if (data.culture) { settings.culture = data.culture; }
  if (data.style) { settings.style = data.style; }
  try {
    view[data.function](settings).open();
  } catch (error) {
    fail("script-error", described({ origin: "open", details: error && error.message }));
    return;
  }
  if (!settled) { settled = true; tell("shown", ""); }
};
