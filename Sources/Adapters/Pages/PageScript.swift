/// The script of a kind of page: always the same text, so that a policy can name it by its hash.
///
/// Everything that differs from page to page is read from the document as JSON.
struct PageScript: Hashable, Sendable {
    let text: String

    init(_ text: String) { self.text = "\n\(Self.opening)\(text)})();\n" }

    /// What all scripts share: telling the host.
    private static let opening = #"""
        "use strict";
        (() => {
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

        """#

    /// Whether the issuer's server can be reached, asked without reading anything.
    ///
    /// A browser tells no page whether a frame of another origin shows an error page. A refused redirect counts as
    /// an answer.
    private static let probing = #"""
        let redirected = false;
        blocked(["connect-src"], () => { redirected = true; });
        const reachable = async () => {
          try {
            await fetch(data.origin + "/", {
              method: "HEAD", mode: "no-cors", credentials: "omit", cache: "no-store", referrerPolicy: "no-referrer"
            });
            return true;
          } catch (error) {
            await new Promise((resolve) => setTimeout(resolve, 50));
            return redirected;
          }
        };

        """#

    /// Posts a form into a hidden frame and tells how that went.
    static let method = PageScript(
        probing + #"""
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

            """#
    )

    /// Posts a form in place of the page; the button does it where scripts do not run.
    static let challenge = PageScript(
        #"""
        const button = document.getElementById("page-continue");
        blocked(["form-action"], () => { button.hidden = false; tell("failed", "blocked"); leave("failed", "blocked"); });
        if (document.readyState === "complete") { send(); } else { window.addEventListener("load", send); }

        """#
    )

    /// Posts a form into a frame that fills the page, and watches it load.
    static let framedChallenge = PageScript(
        probing + #"""
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

            """#
    )

    /// Loads the PSP's script and starts its menu in the container.
    static let menu = PageScript(
        #"""
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
        """# + loading
    )

    /// Loads the PSP's script, calls `open` when it is there, and `fail` when it isn't in time; the payer may try again.
    ///
    /// What stands before it names `place`, `trouble`, `settled`, `timer`, `open` and `fail`.
    static let loading = #"""
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

        """#

    /// Tells that the payer is through the challenge.
    static let notification = PageScript(
        #"""
        tell(data.event, data.reason || "");
        leave(data.event, data.reason || "");

        """#
    )
}
