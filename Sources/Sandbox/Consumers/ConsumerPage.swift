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
    let nonce = OpaqueToken.make()

    var reply: Reply {
        Reply(
            status: 200,
            body: .html(html),
            contentSecurityPolicy: "default-src 'none'; script-src 'nonce-\(nonce)'; "
                + "style-src 'nonce-\(nonce)'; form-action 'self'; base-uri 'none'",
            isShared: true
        )
    }

    private var html: String {
        let told = String(decoding: JSON.array(events).bytes, as: UTF8.self)
        let alert = notice.map { "<p role=\"alert\">\(HTMLText.escaped($0))</p>\n" } ?? ""
        return """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><title>Check-in</title>
            <meta name="viewport" content="width=device-width">
            <style nonce="\(nonce)">
            body { font: 16px sans-serif; max-width: 28em; margin: 1em auto; padding: 0 1em }
            button, input { font: inherit; padding: .6em; margin: .2em 0; box-sizing: border-box }
            form button { width: 100% } label { display: block }
            </style></head>
            <body data-events="\(HTMLText.escaped(told))"><h1>Check-in</h1>
            \(alert)\(events.isEmpty ? form : "<p id=\"identified\">You are checked in.</p>\n")\
            <script nonce="\(nonce)">
            JSON.parse(document.body.dataset.events).forEach(function (event) {
                window.parent.postMessage(event, "*");
            });
            \(payer?.script ?? "")
            </script></body></html>

            """
    }

    private var form: String {
        let person = Person.usual(for: session)
        return """
            <form id="form-identify" method="post" action="\(url)/identify">
            \(input("email", "Email", person.email))\(input("msisdn", "Phone", person.msisdn))\
            \(input("countryCode", "Country", person.countryCode))\
            <button id="identify" type="submit">Continue</button></form>
            <form id="form-fail" method="post" action="\(url)/fail">
            <button id="fail" type="submit">Break the check-in</button></form>

            """
    }

    private func input(_ name: String, _ label: String, _ value: String) -> String {
        "<label>\(label) <input id=\"\(name)\" name=\"\(name)\" "
            + "value=\"\(HTMLText.escaped(value))\" autocomplete=\"off\"></label>\n"
    }
}

/// The script of `view-consumer-identification`.
///
/// - Note: Source: the hosted view scripts that the mobile SDKs' pages load:
///   `payex.hostedView.consumer`, its container, functions and events.
enum ConsumerScript {
    /// The script that shows a check-in.
    static func text(pageURL: String, origin: String) -> String {
        code
            .replacing("PAGE_URL", with: JSON.script(pageURL))
            .replacing("PAGE_ORIGIN", with: JSON.script(origin))
    }

    private static let code = String(decoding: PackageResources.hostedCheckIn_js, as: UTF8.self)
}
