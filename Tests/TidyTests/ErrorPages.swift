/// The error codes in the sources, and their pages.
enum ErrorPages {
    /// The directory of the pages, each of which is named after its code.
    static let folder = "Documentation/errors"

    /// The prefixes of codes.
    static let families = [
        "answer", "backend", "bisect", "browser", "checkpoint", "configuration", "demo", "diagram",
        "engine", "file", "fork", "http",
        "import", "log", "loop", "order", "outbox", "page", "payments", "problems", "return",
        "sandbox",
        "scenario",
        "schema", "server", "session", "store", "tokens", "usage", "vault", "wallet",
    ]

    /// Texts that look like codes: the name of a file, and the limits in a rejection.
    static let names: Set<String> = [
        "payments.db",
        "order.refused-transactions", "order.urls", "session.abort-under-way", "session.actions",
        "session.attempts", "session.callbacks", "session.events",
    ]

    /// The sources whose errors users see; the sandbox has the PSP's own problem types.
    static var sources: [TextFile] {
        [
            "EventLog", "Workflow", "SwedbankPay", "Inspection", "Adapters", "Payments",
            "MerchantBackend",
            "workflowctl",
        ].flatMap {
            Repository.files(below: "Sources/\($0)", endingIn: ".swift")
        }.filter { !$0.name.hasPrefix("Embedded") }
    }

    /// Returns the codes in a source; of one that ends in a value, the constant part.
    static func codes(in source: String) -> Set<String> {
        let families = families.joined(separator: "|")
        var codes: Set<String> = []
        for match in source.matches(of: /"([a-z]+\.[a-z][a-z-]*)(?:"|\\\()/) {
            let code = String(match.1).trimmingSuffix("-")
            guard families.split(separator: "|").contains(code.prefix { $0 != "." }) else {
                continue
            }
            codes.insert(code)
        }
        for match in source.matches(of: /[. ]usage\(\s*"([a-z][a-z-]*)"/) {
            codes.insert("usage.\(match.1)")
        }
        return codes.subtracting(names)
    }

    /// The codes that have a page.
    static var pages: [TextFile] {
        Repository.files(below: folder, endingIn: ".md").filter { $0.name != "README.md" }
    }
}

extension String {
    /// Returns the text without an optional suffix.
    func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
