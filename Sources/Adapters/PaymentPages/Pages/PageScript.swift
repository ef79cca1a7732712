/// The script of a kind of page: always the same text, so that a policy can permit it by its hash.
///
/// Everything that differs between pages is read from the document as JSON. The parts are the files
/// of `Scripts`; they have no comments, since every byte of them is sent.
struct PageScript: Hashable, Sendable {
    let text: String

    /// Concatenates the parts after the shared code that notifies the host.
    private init(_ parts: [UInt8]...) {
        let parts = [PackageResources.opening_js] + parts
        text =
            "\n\"use strict\";\n(() => {\n" + String(decoding: parts.joined(), as: UTF8.self)
            + "})();\n"
    }

    /// Checks whether the issuer's server can be reached, without reading a response.
    ///
    /// A browser does not reveal to a page whether a frame of another origin shows an error page. A
    /// refused redirect counts as a response.
    private static let probing = PackageResources.probing_js

    /// Posts a form into a hidden frame and reports the result.
    static let method = PageScript(probing, PackageResources.method_js)

    /// Posts a form in place of the page; where scripts do not run, the button does.
    static let challenge = PageScript(PackageResources.challenge_js)

    /// Posts a form into a frame that fills the page, and watches it load.
    static let framedChallenge = PageScript(probing, PackageResources.framedChallenge_js)

    /// Loads the PSP's script and starts its menu in the container.
    static let menu = loading(PackageResources.menu_js)

    /// Loads the PSP's check-in and reports who was identified.
    static let checkIn = loading(PackageResources.checkIn_js)

    /// Loads the PSP's script and calls `open` when it has loaded, or `fail` when it has not in
    /// time; the payer may try again.
    ///
    /// - Parameter part: The code that defines `place`, `trouble`, `settled`, `timer`, `open` and
    ///   `fail`; its last line end is not sent, so that the scripts keep their hashes.
    /// - Returns: The script.
    private static func loading(_ part: [UInt8]) -> PageScript {
        PageScript(part.dropLast(), PackageResources.loading_js)
    }

    /// Reports that the payer has finished the challenge.
    static let notification = PageScript(PackageResources.notification_js)
}
