internal import Adapters
internal import HTTPTypes
internal import Workflow

extension PaymentBackend {
    /// Leads a payer who came back into a browser on Android into the app.
    ///
    /// - Note: Source: merchant backend, Android helper.
    func androidReturn(_ call: BackendCall) -> BackendResponse {
        guard let address = paymentURL(call), let query = ReturnQuery(call.query),
            let package = query.only("package"),
            configuration.returnPages.androidPackages.contains(package)
        else { return Self.noReturn }
        let intent =
            "intent:" + address.rest
            + "#Intent;scheme=\(address.scheme);action=\(Self.intentAction);"
            + "package=\(package);end;"
        return .page(
            PlainPage(
                title: "Back to the app",
                text: "If the app does not open by itself:",
                link: (intent, "Back to the app"),
                goesOn: true
            )
        )
    }

    /// Leads a payer who came back into a browser on iOS into the app.
    ///
    /// First over a page on another host, whose button the system takes for a universal link; if that ends here
    /// again, by the app's own scheme.
    ///
    /// - Note: Source: merchant backend, iOS helper; 302 rather than the documented 301.
    func iosReturn(_ call: BackendCall) -> BackendResponse {
        guard let address = paymentURL(call), let query = ReturnQuery(call.query),
            let scheme = query.only("scheme"),
            configuration.returnPages.appleSchemes.contains(scheme),
            let trampoline = configuration.returnPages.trampolineURL,
            let language = query.language, query.app != nil || !query.has("app")
        else { return Self.noReturn }
        if query.isFallback { return .redirect(to: scheme + ":" + address.rest) }
        let target = address.scheme + ":" + address.rest + "&fallback=true"
        let app = query.app.map { "&app=" + PercentEncoding.encoded($0) } ?? ""
        return .redirect(
            to: trampoline + "?target=" + PercentEncoding.encoded(target)
                + "&language=" + PercentEncoding.encoded(language) + app
        )
    }

    /// The page with a button that leads into the app: only ever to a payment URL of ours.
    func trampoline(_ call: BackendCall) -> BackendResponse {
        guard let query = ReturnQuery(call.query), let target = query.only("target"),
            let parts = AddressParts(target), parts.fragment == nil,
            target.hasPrefix(configuration.publicURL + "sdk-callback/ios-universal-link?"),
            let aim = ReturnQuery(parts.query), let scheme = aim.only("scheme"),
            configuration.returnPages.appleSchemes.contains(scheme),
            let language = query.language, query.app != nil || !query.has("app")
        else { return Self.noReturn }
        let words = TrampolineWords(language: language)
        let app = query.app ?? words.app
        return .page(
            PlainPage(
                language: language,
                title: words.title,
                text: words.text,
                link: (target, app)
            )
        )
    }

    private static let intentAction = "com.swedbankpay.mobilesdk.VIEW_PAYMENTORDER"

    /// The page for an address that leads into no app of ours.
    private static var noReturn: BackendResponse {
        .page(
            PlainPage(
                title: "Payment",
                text: "This link leads nowhere. Go back to the app by hand."
            ),
            status: .badRequest
        )
    }

    /// The address that was asked for, in its public form: the host comes from the configuration, not from the
    /// request.
    ///
    /// - Returns: The scheme, and what follows its colon; nothing when it is no address by RFC 3986.
    private func paymentURL(_ call: BackendCall) -> (scheme: String, rest: String)? {
        guard let query = call.query, call.path.hasPrefix(configuration.rootPath) else {
            return nil
        }
        let below = call.path.dropFirst(configuration.rootPath.count)
        let text = configuration.publicURL + below + "?" + query
        guard let parts = AddressParts(text), parts.fragment == nil,
            let colon = text.firstIndex(of: ":")
        else { return nil }
        return (parts.scheme, String(text[text.index(after: colon)...]))
    }
}

/// The words of the page with the button.
///
/// - Note: Source: merchant backend, iOS helper: Norwegian, English and Swedish.
struct TrampolineWords {
    let title: String
    let text: String
    let app: String

    init(language: String) {
        switch language.prefix(2).lowercased() {
        case "sv": (title, text, app) = ("Betalning", "Tillbaka till appen:", "Öppna appen")
        case "nb", "nn", "no": (title, text, app) = ("Betaling", "Tilbake til appen:", "Åpne appen")
        default: (title, text, app) = ("Payment", "Back to the app:", "Open the app")
        }
    }
}
