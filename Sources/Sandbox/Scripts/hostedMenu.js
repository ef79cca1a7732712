(function () {
    "use strict";
    var menuURL = MENU_URL, menuOrigin = MENU_ORIGIN;
    var names = {
        loaded: "onCheckoutLoaded", selected: "onInstrumentSelected",
        attemptStarted: "onPaymentAttemptStarted", attemptFailed: "onPaymentAttemptFailed",
        paid: "onPaid", canceled: "onAborted", leave: "onOutOfViewRedirect",
        attemptAborted: "onPaymentAttemptAborted", outOfViewOpen: "onOutOfViewOpen",
        terms: "onTermsOfServiceRequested",
        error: "onError", resized: "onCheckoutResized"
    };
    var resumeMilliseconds = 120000;

    function find(container) {
        if (container instanceof Element) { return container; }
        if (container && typeof container === "object") {
            container = container.checkout || container.menu || container.paymentMenu;
        }
        return document.getElementById(container || "");
    }

    function view(settings) {
        settings = settings || {};
        var frame = null, closedAt = 0;

        function tell(event) {
            var name = names[event.event];
            if (!name) { return; }
            var details = Object.assign({}, event);
            delete details.event;
            if (typeof settings.onEventNotification === "function") {
                settings.onEventNotification(
                    Object.assign({ sourceEvent: name }, details));
            }
            if (typeof settings[name] === "function") { settings[name](details); }
            else if (event.openUrl) { window.open(event.openUrl, "_blank", "noopener"); }
            if (event.height && frame) { frame.height = String(event.height); }
            if (event.redirectUrl) { window.location.href = event.redirectUrl; }
        }

        function hear(message) {
            if (!frame || message.source !== frame.contentWindow) { return; }
            if (message.origin !== menuOrigin || !message.data) { return; }
            tell(message.data);
        }

        function close() {
            window.removeEventListener("message", hear);
            if (frame) { frame.remove(); closedAt = Date.now(); }
            frame = null;
        }

        function cancel() {
            if (frame) { frame.contentWindow.postMessage("cancel", menuOrigin); }
        }

        function refresh() { if (frame) { open(); } }

        function resume() {
            if (frame) { return; }
            if (closedAt && Date.now() - closedAt <= resumeMilliseconds) { return open(); }
            tell({
                event: "error", origin: "paymentmenu", messageId: "resumetoolate",
                details: "The menu was not closed within the last two minutes."
            });
        }

        function open() {
            close();
            var place = find(settings.container);
            if (!place) {
                tell({
                    event: "error", origin: "paymentmenu",
                    messageId: "containermissing",
                    details: "There is no element for the menu."
                });
                return;
            }
            frame = document.createElement("iframe");
            frame.title = "Payment menu";
            frame.id = "payex-payment-menu";
            frame.width = "100%";
            frame.height = "640";
            frame.setAttribute("frameborder", "0");
            window.addEventListener("message", hear);
            frame.src = menuURL
                + (settings.culture ? "?culture=" + encodeURIComponent(settings.culture) : "");
            place.appendChild(frame);
        }

        return {
            open: open, refresh: refresh, update: refresh, resume: resume, close: close,
            cancel: cancel
        };
    }

    window.payex = window.payex || {};
    window.payex.hostedView = Object.assign(window.payex.hostedView || {}, {
        menu: view, checkout: view, paymentMenu: view
    });
})();
