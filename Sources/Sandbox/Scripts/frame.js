(function () {
    "use strict";
    function tell(event) { window.parent.postMessage(event, "*"); }
    JSON.parse(document.body.dataset.events).forEach(tell);
    tell({ event: "resized", height: document.documentElement.scrollHeight });
    document.querySelectorAll("[data-told]").forEach(function (link) {
        link.addEventListener("click", function () {
            tell(JSON.parse(link.dataset.told));
        });
    });
    window.addEventListener("message", function (message) {
        var form = document.getElementById("form-abandon");
        if (message.source !== window.parent || message.data !== "cancel") { return; }
        if (form) { form.submit(); }
    });
})();
