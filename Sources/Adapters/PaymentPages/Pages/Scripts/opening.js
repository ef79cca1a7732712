const data = JSON.parse(document.getElementById("page-data").textContent);
const cut = (text, length) => String(text === undefined || text === null ? "" : text).slice(0, length);
const attempt = (act) => { try { act(); } catch (error) { /* a host without that way */ } };
const tell = (event, reason, failure, more) => {
  const message = Object.assign({ source: "payment-page", page: data.page, event: event }, more);
  if (reason) { message.reason = cut(reason, 64); }
  if (failure) { message.failure = failure; }
  const mark = document.documentElement.dataset;
  mark.event = event;
  mark.reason = message.reason || "";
  const name = data.messageHandler;
  const handlers = window.webkit && window.webkit.messageHandlers;
  if (name && handlers && handlers[name]) {
    attempt(() => handlers[name].postMessage(message));
  } else if (name && window[name] && typeof window[name].postMessage === "function") {
    attempt(() => window[name].postMessage(JSON.stringify(message)));
  }
  if (data.parentOrigin) {
    if (window.parent !== window) { attempt(() => window.parent.postMessage(message, data.parentOrigin)); }
    if (window.opener) { attempt(() => window.opener.postMessage(message, data.parentOrigin)); }
  }
};
const leave = (event, reason) => {
  if (!data.resultURL) { return false; }
  const hash = data.resultURL.indexOf("#");
  const url = hash < 0 ? data.resultURL : data.resultURL.slice(0, hash);
  const why = reason ? "&reason=" + encodeURIComponent(cut(reason, 64)) : "";
  window.location.assign(url + (url.includes("?") ? "&" : "?") + "event=" + event + why);
  return true;
};
const blocked = (directives, act) => document.addEventListener("securitypolicyviolation", (violation) => {
  const directive = violation.effectiveDirective;
  document.documentElement.dataset.blocked = directive;
  if (directives.includes(directive)) { act(directive); }
});
const send = () => HTMLFormElement.prototype.submit.call(document.getElementById("page-task"));
