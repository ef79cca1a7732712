/// How the simulated Swish ends an attempt.
enum SwishOutcome: Sendable, Equatable {
    case approved
    case refused(ProblemDetail)

    /// The outcome requested by the order's description; `nil` means that Swish never decides.
    ///
    /// - Note: Source: the PSP's Swish test data. `HANG` is the sandbox's own.
    static func asked(by description: String) -> SwishOutcome? {
        switch description {
        case "HANG": nil
        case "RF07": .refused(declined)
        case "TM01": .refused(problem("swishtimeout", 403, "Swish timed out"))
        case "BANKIDCL": .refused(problem("bankidcancelled", 409, "BankID was cancelled"))
        default: .approved
        }
    }

    /// The payer's bank declined.
    static let declined = problem("swishdeclined", 403, "Swish declined")

    /// The payer pressed cancel in the app.
    static let cancelled = problem("usercancelled", 403, "User cancelled")

    private static func problem(_ slug: String, _ status: Int, _ title: String) -> ProblemDetail {
        ProblemDetail(
            slug: slug,
            status: status,
            title: title,
            detail: "The Swish payment was not made."
        )
    }
}
