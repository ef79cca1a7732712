// Stands for the payer's app and its web view: here they are the terminal.

import Glibc
import Payments

/// The `view-paymentsession` link of a payment order, for example of one that `workflowctl sandbox`
/// printed.
let sessionURL = CommandLine.arguments.dropFirst().first ?? ""

/// Opens another app; here the user opens the link by hand.
func open(_ url: String) async -> Bool {
    say("open \(url)")
    return true
}

/// Shows the issuer's page, and returns the result that the issuer posts.
func show(_ form: Payment.BrowserForm) async -> String {
    say(
        "post to \(form.url): "
            + form.fields.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    )
    return readLine() ?? ""
}

/// Prints a line at once, even into a pipe.
func say(_ words: String) {
    print(words)
    fflush(nil)
}
