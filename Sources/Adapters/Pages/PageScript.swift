/// The script of a kind of page: always the same text, so that a policy can name it by its hash.
///
/// Everything that differs from page to page is read from the document as JSON. The parts are the files of `Scripts`; they hold
/// no comments, since all that they hold is sent.
struct PageScript: Hashable, Sendable {
    let text: String

    /// A script of these parts, behind what all scripts share: telling the host.
    private init(_ parts: [UInt8]...) {
        let parts = [PackageResources.opening_js] + parts
        text =
            "\n\"use strict\";\n(() => {\n" + String(decoding: parts.joined(), as: UTF8.self)
            + "})();\n"
    }

    /// Whether the issuer's server can be reached, asked without reading anything.
    ///
    /// A browser tells no page whether a frame of another origin shows an error page. A refused redirect counts as
    /// an answer.
    private static let probing = PackageResources.probing_js

    /// Posts a form into a hidden frame and tells how that went.
    static let method = PageScript(probing, PackageResources.method_js)

    /// Posts a form in place of the page; the button does it where scripts do not run.
    static let challenge = PageScript(PackageResources.challenge_js)

    /// Posts a form into a frame that fills the page, and watches it load.
    static let framedChallenge = PageScript(probing, PackageResources.framedChallenge_js)

    /// Loads the PSP's script and starts its menu in the container.
    static let menu = loading(PackageResources.menu_js)

    /// Loads the PSP's check-in and tells who was identified.
    static let checkIn = loading(PackageResources.checkIn_js)

    /// Loads the PSP's script, calls `open` when it is there, and `fail` when it isn't in time; the payer may try again.
    ///
    /// - Parameter part: What names `place`, `trouble`, `settled`, `timer`, `open` and `fail`; its last line end is not sent, so
    ///   that the scripts keep their hashes.
    private static func loading(_ part: [UInt8]) -> PageScript {
        PageScript(part.dropLast(), PackageResources.loading_js)
    }

    /// Tells that the payer is through the challenge.
    static let notification = PageScript(PackageResources.notification_js)
}
