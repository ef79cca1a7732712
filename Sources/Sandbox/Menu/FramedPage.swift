/// A page that one of the PSP's scripts shows in a frame of the shop's page.
struct FramedPage {
    /// The title of the document.
    let title: String
    /// The heading of the page.
    let heading: String
    /// The events for the surrounding page, in order.
    let events: [JSON]
    /// The markup below the heading, in which all text from outside is escaped.
    let content: String
    /// Presses the buttons automatically, if set.
    let payer: AutomaticPayer?

    /// The page as a response, whose policy permits only the page's own script and style.
    var reply: Reply {
        let nonce = OpaqueToken.make()
        return Reply(
            status: 200,
            body: .html(html(nonce)),
            contentSecurityPolicy: "default-src 'none'; script-src 'nonce-\(nonce)'; "
                + "style-src 'nonce-\(nonce)'; form-action 'self'; base-uri 'none'",
            isShared: true
        )
    }

    private func html(_ nonce: String) -> String {
        Self.template.filled([
            "title": .text(title), "nonce": .text(nonce), "style": .markup(Self.style),
            "events": .text(String(decoding: JSON.array(events).bytes, as: UTF8.self)),
            "heading": .text(heading), "content": .markup(content),
            "script": .markup(Self.script + (payer?.script ?? "")),
        ])
    }

    private static let template = PageTemplate(PackageResources.frame_html)
    private static let style = String(decoding: PackageResources.frame_css, as: UTF8.self)

    /// Notifies the surrounding page of events, of the page's height and of clicked links, and
    /// aborts the payer's visit to a bank when that page requests it.
    private static let script = String(decoding: PackageResources.frame_js, as: UTF8.self)
}
