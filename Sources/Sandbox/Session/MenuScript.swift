/// The script behind `view-payment` and `view-checkout`.
///
/// The sandbox has no menu to show; the script says so in the page that loads it.
enum MenuScript {
    /// The script.
    static let text =
        """
        window.payex = window.payex || {};
        window.payex.hostedView = {
            checkout: function (settings) {
                return {
                    open: function () {
                        var place = document.getElementById(settings.container.checkout);
                        if (place) { place.textContent = "Sandbox payment menu"; }
                    },
                    close: function () {},
                    refresh: function () {}
                };
            }
        };

        """
}
