/// The codes of errors in the sources, and their pages.
enum ErrorPages {
    /// Where the pages are: one a code, named after it.
    static let folder = "Documentation/errors"

    /// The first parts of codes.
    static let families = [
        "answer", "backend", "bisect", "browser", "checkpoint", "configuration", "demo", "diagram",
        "engine", "file", "fork", "http",
        "import", "log", "loop", "order", "outbox", "page", "payments", "problems", "return",
        "sandbox",
        "scenario",
        "schema", "server", "session", "store", "tokens", "usage", "vault", "wallet",
    ]

    /// Texts that look like codes: the name of a file, and those of bounds that a rejection
    /// carries.
    static let names: Set<String> = [
        "payments.db",
        "order.refused-transactions", "order.urls", "session.abort-under-way", "session.actions",
        "session.attempts", "session.callbacks", "session.events",
    ]

    /// The sources whose errors users meet; the sandbox has the PSP's own problem types.
    static var sources: [TextFile] {
        [
            "EventLog", "Workflow", "SwedbankPay", "Inspection", "Adapters", "Payments",
            "MerchantBackend",
            "workflowctl",
        ].flatMap {
            Repository.files(below: "Sources/\($0)", endingIn: ".swift")
        }.filter { !$0.name.hasPrefix("Embedded") }
    }

    /// The codes in a source; of one that ends in a value, what stands before it.
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
    /// The text without a suffix that it may have.
    func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
