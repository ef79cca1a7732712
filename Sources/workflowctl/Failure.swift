internal import EventLog
internal import Inspection
internal import SwedbankPay

/// Why a command could not do what it was asked: what, why, and what to do.
///
/// None of its texts quotes an argument that may hold a secret.
struct Failure: Error, Hashable, Sendable {
    /// How the process ends.
    var status: ExitStatus
    /// Stable and short, for example `usage.duration`.
    var code: String
    /// What went wrong.
    var message: String
    /// What to do about it.
    var hint: String?
    /// The sessions one of which is meant, where a name fits several.
    var candidates: [SessionSummary] = []

    init(_ status: ExitStatus, _ code: String, _ message: String, hint: String? = nil) {
        self.status = status
        self.code = code
        self.message = message
        self.hint = hint
    }

    /// A malformed argument.
    static func usage(_ code: String, _ message: String, hint: String? = nil) -> Failure {
        Failure(.usage, "usage.\(code)", message, hint: hint)
    }
}

extension Failure: CustomStringConvertible {
    /// The two lines that go to standard error, with the candidates between them, one a line.
    var description: String {
        (["error: \(message) [\(code)]"] + candidateLines + (hint.map { ["hint: \($0)"] } ?? []))
            .joined(separator: "\n")
    }

    private var candidateLines: [String] {
        let shorts = Set(candidates.map(\.session.short))
        return candidates.map {
            let name = shorts.count == candidates.count ? $0.session.short : "\($0.session)"
            let end = $0.outcome.map { " (\($0))" } ?? ""
            let reference = Screen.safe($0.reference ?? "no reference")
            return "  \(name)  \(reference)  \($0.phaseText)\(end)  \($0.openedAt)"
        }
    }
}

extension Failure {
    /// The description without its first word.
    var tail: String { String(description.dropFirst("error:".count)) }

    /// The same for programs.
    var json: JSONValue {
        [
            "error": .object([
                .init("code", .string(code)),
                .init("status", .integer(Int64(status.rawValue))),
                .init("message", .string(message)),
                .init("hint", JSONValue(hint)),
                .init("candidates", .array(candidates.map(\.json))),
            ])
        ]
    }

    /// What was asked for is done to files alone.
    static let onlyForFiles = Failure(
        .configuration,
        "store.only-for-files",
        "this command works only on SQLite stores, and this store is on a server",
        hint: "run 'workflowctl store copy sqlite:PATH' to copy it to a file"
    )
}
