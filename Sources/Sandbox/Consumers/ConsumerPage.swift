/// The form with which a payer checks in, in a frame of the merchant's page.
///
/// Its buttons are `identify` and `fail`.
struct ConsumerPage {
    let url: String
    let session: ConsumerBook.Session
    /// Presses the button automatically, if set.
    var payer: AutomaticPayer?
    /// The events for the surrounding page, in order.
    var events: [JSON] = []
    /// The error message of the last try.
    var notice: String?

    var reply: Reply {
        FramedPage(
            title: "Check-in",
            heading: "Check-in",
            events: events,
            content: content,
            payer: payer
        ).reply
    }

    private var content: String {
        guard events.isEmpty else { return "<p id=\"identified\">You are checked in.</p>\n" }
        let alert = notice.map { "<p role=\"alert\">\(HTMLText.escaped($0))</p>\n" } ?? ""
        let person = Person.usual(for: session)
        return alert
            + Self.form.filled([
                "url": .text(url), "email": .text(person.email), "msisdn": .text(person.msisdn),
                "countryCode": .text(person.countryCode),
            ])
    }

    private static let form = PageTemplate(PackageResources.checkInForm_html)
}

/// The script of `view-consumer-identification`.
///
/// - Note: Source: the hosted view scripts that the mobile SDKs' pages load:
///   `payex.hostedView.consumer`, its container, functions and events.
enum ConsumerScript {
    /// The script that shows a check-in.
    static func text(pageURL: String, origin: String) -> String {
        code
            .rewriting("PAGE_URL", as: JSON.script(pageURL))
            .rewriting("PAGE_ORIGIN", as: JSON.script(origin))
    }

    private static let code = String(decoding: PackageResources.hostedCheckIn_js, as: UTF8.self)
}
