/// The PSP's page that shows the menu or the check-in to a payer redirected by the shop.
enum CheckoutPage {
    /// Returns the page, whose script returns to the shop when the payer has finished.
    ///
    /// - Parameters:
    ///   - script: The address of the hosted script.
    ///   - function: The function of that script, an identifier.
    /// - Returns: The page.
    static func html(script: String, _ function: String) -> String {
        template.filled([
            "hostedScript": .text(script),
            "script": .markup(code.rewriting("FUNCTION_NAME", as: function)),
        ])
    }

    private static let template = PageTemplate(PackageResources.checkout_html)
    private static let code = String(decoding: PackageResources.openView_js, as: UTF8.self)
}
