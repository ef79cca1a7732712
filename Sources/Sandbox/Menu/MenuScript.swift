/// The script of `view-payment` and `view-checkout`.
///
/// - Note: Source: the hosted view scripts that the mobile SDKs' pages load: `payex.hostedView`,
///   its containers, functions and events.
enum MenuScript {
    /// The script that shows a menu.
    ///
    /// The menu itself is a page of the PSP in a frame. It sends messages about the payment's
    /// progress to the script, and the script notifies the page that loaded it, through the page's
    /// own functions and by navigating to the next address.
    static func text(menuURL: String, origin: String) -> String {
        code
            .rewriting("MENU_URL", as: JSON.script(menuURL))
            .rewriting("MENU_ORIGIN", as: JSON.script(origin))
    }

    private static let code = String(decoding: PackageResources.hostedMenu_js, as: UTF8.self)
}

extension PaymentOrder {
    /// The script of the order's menu.
    var menuScript: String { MenuScript.text(menuURL: menuURL, origin: baseURL) }
}
