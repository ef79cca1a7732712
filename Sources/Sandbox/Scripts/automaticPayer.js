(function () {
    "use strict";
    var milliseconds = DELAY_MILLISECONDS;
    var texts = {
        cardNumber: "4925000000000004", expiryDate: "12/30", cvc: "123", msisdn: "+46739000001"
    };
    setTimeout(function () {
        Object.keys(texts).forEach(function (name) {
            var field = document.getElementById(name);
            if (field && !field.value) { field.value = texts[name]; }
        });
        var button = document.getElementById("identify")
            || document.getElementById("approve") || document.getElementById("pay")
            || document.querySelector("[id^=method-]");
        if (button) { button.click(); }
    }, milliseconds);
})();
