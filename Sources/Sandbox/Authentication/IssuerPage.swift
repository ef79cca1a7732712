/// The pages of the simulated issuer.
enum IssuerPage {
    /// The hidden page of the 3-D Secure method.
    static let method = PlainPage.html("Device check", "<p>Device data received.</p>")

    /// The page after the challenge.
    static let finished = PlainPage.html("Finished", "<p>You may close this page.</p>")

    /// The page on which the payer decides; each button posts its response to the notification
    /// address.
    static func challenge(_ challenge: Challenge, notificationURL: String) -> String {
        PlainPage.html(
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
        <form id="\(id)" method="post" action="\(HTMLText.escaped(url))">
        <input type="hidden" name="cres" value="\(challenge.response(approved: approved))">
        <input type="hidden" name="threeDSSessionData" value="\(challenge.id)">
        <button type="submit">\(label)</button>
        </form>

        """
    }
}
