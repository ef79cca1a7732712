internal import EventLog
internal import Inspection
internal import SwedbankPay

/// Why a command failed: what happened, the reason, and what to do about it.
///
/// None of its texts quotes an argument that may be a secret.
struct Failure: Error, Hashable, Sendable {
    /// The exit status of the process.
    var status: ExitStatus
    /// A short, stable code, for example `usage.duration`.
    var code: String
    /// What went wrong.
    var message: String
    /// What to do about it.
    var hint: String?
    /// The sessions that an ambiguous name may refer to.
    var candidates: [SessionSummary] = []

    init(_ status: ExitStatus, _ code: String, _ message: String, hint: String? = nil) {
        self.status = status
        self.code = code
        self.message = message
        self.hint = hint
    }

    /// Returns a failure for a malformed argument.
    static func usage(_ code: String, _ message: String, hint: String? = nil) -> Failure {
        Failure(.usage, "usage.\(code)", message, hint: hint)
    }
}

extension Failure: CustomStringConvertible {
    /// The two lines for standard error, with one line for each candidate between them.
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
    /// The description without its leading `error:`.
    var tail: String { String(description.dropFirst("error:".count)) }

    /// The failure as JSON.
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

    /// Returns the failure of an operation that is possible on files only.
    static let onlyForFiles = Failure(
        .configuration,
        "store.only-for-files",
        "this works on stores in SQLite files only, and the store is on a server",
        hint: "'workflowctl store copy sqlite:PATH' makes a file of it"
    )
}
