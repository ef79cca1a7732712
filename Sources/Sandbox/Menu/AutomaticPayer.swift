/// A payer who proceeds automatically in the hosted pages, for demonstrations.
struct AutomaticPayer: Sendable {
    let delay: Duration

    /// Fills empty fields with a test card, and presses the button to continue.
    var script: String {
        let parts = delay.components
        let milliseconds = parts.seconds * 1000 + parts.attoseconds / 1_000_000_000_000_000
        return """

            setTimeout(function () {
                var fill = {
                    cardNumber: "4925000000000004", expiryDate: "12/30", cvc: "123",
                    msisdn: "+46739000001"
                };
                Object.keys(fill).forEach(function (name) {
                    var field = document.getElementById(name);
                    if (field && !field.value) { field.value = fill[name]; }
                });
                var button = document.getElementById("identify")
                    || document.getElementById("approve") || document.getElementById("pay")
                    || document.querySelector("[id^=method-]");
                if (button) { button.click(); }
            }, \(milliseconds));
            """
    }
}
