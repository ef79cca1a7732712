/// The pages of the simulated issuer.
enum IssuerPage {
    /// The hidden page of the 3-D Secure method.
    static let method = page("Device check", "<p>Device data received.</p>")

    /// The page after the challenge.
    static let finished = page("Finished", "<p>You may close this page.</p>")

    /// The page on which the payer decides; each button posts its response to the notification
    /// address.
    static func challenge(_ challenge: Challenge, notificationURL: String) -> String {
        page(
            "Sandbox bank",
            button("approve", "Approve", challenge, approved: true, notificationURL)
                + button("cancel", "Cancel", challenge, approved: false, notificationURL)
        )
    }

    private static func button(
        _ id: String,
        _ label: String,
        _ challenge: Challenge,
        approved: Bool,
        _ url: String
    ) -> String {
        """
        <form id="\(id)" method="post" action="\(url)">
        <input type="hidden" name="cres" value="\(challenge.response(approved: approved))">
        <input type="hidden" name="threeDSSessionData" value="\(challenge.id)">
        <button type="submit">\(label)</button>
        </form>

        """
    }

    private static func page(_ title: String, _ body: String) -> String {
        """
        <!doctype html>
        <html lang="en"><head><meta charset="utf-8"><title>\(title)</title></head>
        <body><h1>\(title)</h1>
        \(body)</body></html>

        """
    }
}
