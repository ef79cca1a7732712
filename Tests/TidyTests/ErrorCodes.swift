import Foundation

/// The error codes in the sources, and their descriptions.
enum ErrorCodes {
    /// The prefixes of codes.
    static let families = [
        "answer", "backend", "bisect", "browser", "checkpoint", "configuration", "cursor", "demo",
        "diagram", "engine", "file", "fork", "http",
        "import", "log", "loop", "order", "outbox", "page", "payments", "problems",
        "query", "request", "retention", "return", "sandbox", "service",
        "scenario",
        "schema", "server", "session", "settlement", "store", "tokens", "usage", "vault", "wallet",
        "webhook",
    ]

    /// Texts that resemble codes: the names of a file and of a setting, and those of limits that a
    /// rejection carries.
    static let names: Set<String> = [
        "payments.db", "log.ndjson", "retention.period",
        "order.urls", "session.abort-under-way", "session.actions",
        "session.attempts", "session.callbacks", "session.events",
    ]

    /// The sources whose errors users see; the sandbox has the PSP's own problem types.
    static var sources: [TextFile] {
        [
            "EventLog", "Workflow", "SwedbankPay", "Inspection", "Adapters", "Payments",
            "MerchantBackend", "Service", "Console", "Settlement",
            "workflowctl",
        ].flatMap {
            Repository.files(below: "Sources/\($0)", endingIn: ".swift")
        }.filter { !$0.name.hasPrefix("Embedded") }
    }

    /// Returns the codes in a source; of one that ends in a value, the part before it.
    static func codes(in source: String) -> Set<String> {
        var codes: Set<String> = []
        let lines = Lines(of: source)
        for (_, line) in lines.containing(families.map { "\"\($0)." }) {
            for match in line.matches(of: /"([a-z]+\.[a-z][a-z-]*)(?:"|\\\()/) {
                let code = String(match.1).trimmingSuffix("-")
                guard families.contains(String(code.prefix { $0 != "." })) else { continue }
                codes.insert(code)
            }
        }
        guard !lines.containing(["usage("]).isEmpty else { return codes.subtracting(names) }
        for match in source.matches(of: /[. ]usage\(\s*"([a-z][a-z-]*)"/) {
            codes.insert("usage.\(match.1)")
        }
        return codes.subtracting(names)
    }

    /// A group of descriptions in `Documentation/errors.json`.
    private struct Group: Decodable {
        var errors: [Description]
    }

    /// The description of a code.
    struct Description: Decodable {
        var code: String
        var meaning: String
        var cause: String
        var remedy: String
    }

    /// The descriptions of all codes.
    static func described() throws -> [Description] {
        let text = try Repository.file("Documentation/errors.json").text
        return try JSONDecoder().decode([Group].self, from: Data(text.utf8)).flatMap(\.errors)
    }
}

extension String {
    /// Returns the text without a suffix.
    func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
