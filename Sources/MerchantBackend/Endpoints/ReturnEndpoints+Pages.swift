internal import Adapters
internal import HTTPTypes
internal import Logging
internal import SwedbankPay

extension ReturnEndpoints {
    /// Leads a payer who returned into a browser on Android into the app.
    ///
    /// - Note: Source: merchant backend, Android helper.
    func androidReturn(_ request: BackendRequest) -> BackendResponse {
        do throws(ReturnURLError) {
            let intent = try returning(request.query, to: .androidIntent)
                .intentURL(allowing: pages.packages)
            return .page(
                PlainPage(
                    title: "Back to the app",
                    text: "If the app does not open automatically:",
                    link: (intent, "Back to the app"),
                    goesOn: true
                )
            )
        } catch {
            return noReturn(error)
        }
    }

    /// Leads a payer who returned into a browser on iOS into the app.
    ///
    /// The first redirect leads to a page on another host, whose button the system treats as a
    /// universal link. If that link ends up here again, the redirect uses the app's own scheme.
    ///
    /// - Note: Source: merchant backend, iOS helper; 302 rather than the documented 301.
    func iosReturn(_ request: BackendRequest) -> BackendResponse {
        do throws(ReturnURLError) {
            return .redirect(to: try link(request.query).address)
        } catch {
            return noReturn(error)
        }
    }

    /// The page with a button that leads into the app, and only ever to one of our payment URLs.
    func trampoline(_ request: BackendRequest) -> BackendResponse {
        do throws(ReturnURLError) {
            let items = try ReturnItems(of: try button().address + "?" + (request.query ?? ""))
            let target = try items.value(of: "target")
            let place = place.root.address(of: .universalLink) + "?"
            guard target.hasPrefix(place) else { throw .notAllowed("target") }
            _ = try link(String(target.dropFirst(place.count)))
            let language = try items.language().rawValue
            let words = TrampolineWords(language: language)
            return .page(
                PlainPage(
                    language: language,
                    title: words.title,
                    text: words.text,
                    link: (target, try items.appName() ?? words.app)
                )
            )
        } catch {
            return noReturn(error)
        }
    }

    private func returning(
        _ query: String?,
        to page: ReturnPage
    ) throws(ReturnURLError) -> ReturnRequest {
        try ReturnRequest(root: place.root, page: page, query: query ?? "")
    }

    private func link(_ query: String?) throws(ReturnURLError) -> UniversalLink {
        try returning(query, to: .universalLink).universalLink(
            allowing: pages.schemes,
            trampoline: button()
        )
    }

    private func button() throws(ReturnURLError) -> Trampoline {
        guard let trampoline = pages.trampoline else {
            throw .missing("the trampoline")
        }
        return trampoline
    }

    /// The page for an address that does not lead into one of our apps.
    private func noReturn(_ error: ReturnURLError) -> BackendResponse {
        logger.debug("no way back", metadata: ["code": "\(error.code)"])
        return .page(
            PlainPage(
                title: "Payment",
                text: "This link is not valid. Please return to the app."
            ),
            status: .badRequest
        )
    }
}

/// The texts of the page with the button.
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
