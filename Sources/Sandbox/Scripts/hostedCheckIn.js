(function () {
    "use strict";
    var pageURL = PAGE_URL, pageOrigin = PAGE_ORIGIN;
    var names = {
        identified: "onConsumerIdentified", shipping: "onShippingDetailsAvailable",
        billing: "onBillingDetailsAvailable", error: "onError"
    };

    function find(container) {
        if (container instanceof Element) { return container; }
        if (container && typeof container === "object") {
            container = container.consumer || container.checkin || container.checkout;
        }
        return document.getElementById(container || "");
    }

    function view(settings) {
        settings = settings || {};
        var frame = null;

        function tell(event) {
            var name = names[event.event];
            var details = Object.assign({}, event);
            delete details.event;
            if (name && typeof settings[name] === "function") { settings[name](details); }
        }

        function hear(message) {
            if (!frame || message.source !== frame.contentWindow) { return; }
            if (message.origin !== pageOrigin || !message.data) { return; }
            tell(message.data);
        }

        function close() {
            window.removeEventListener("message", hear);
            if (frame) { frame.remove(); }
            frame = null;
        }

        function open() {
            close();
            var place = find(settings.container);
            if (!place) {
                tell({
                    event: "error", origin: "consumer", messageId: "containermissing",
                    details: "There is no element for the check-in."
                });
                return;
            }
            frame = document.createElement("iframe");
            frame.title = "Check-in";
            frame.id = "payex-consumer";
            frame.width = "100%";
            frame.height = "480";
            frame.setAttribute("frameborder", "0");
            window.addEventListener("message", hear);
            frame.src = pageURL;
            place.appendChild(frame);
        }

        return { open: open, refresh: open, close: close };
    }

    window.payex = window.payex || {};
    window.payex.hostedView = Object.assign(window.payex.hostedView || {}, {
        consumer: view
    });
})();
