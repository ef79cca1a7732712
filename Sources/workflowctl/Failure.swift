internal import EventLog
internal import Inspection
internal import SwedbankPay

/// Why a command failed: what happened, why, and what to do.
///
/// None of its texts quotes an argument that may be a secret.
struct Failure: Error, Hashable, Sendable {
    /// The exit status of the process.
    var status: ExitStatus
    /// A short, stable code, for example `usage.duration`.
    var code: String
    /// A description of the failure.
    var message: String
    /// The hint.
    var hint: String?
    /// The candidates, when a name matches several sessions.
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
    /// The two lines for standard error, with the candidates between them, one per line.
    var description: String {
        (["error: \(message) [\(code)]"] + candidateLines + (hint.map { ["hint: \($0)"] } ?? []))
            .joined(separator: "\n")
    }

    private var candidateLines: [String] {
        let shorts = Set(candidates.map(\.session.short))
        let plain = Style(isColored: false, isUnicode: false)
        // Messages are for people.
        let form = TextForm(
            isTerminal: true,
            columns: nil,
            style: plain,
            offset: LocalTime.offset
        )
        return candidates.map {
            let name = shorts.count == candidates.count ? $0.session.short : "\($0.session)"
            let money = $0.facts?.moneyWords ?? $0.phaseText
            let reference = Screen.safe($0.reference ?? "no reference")
            return "  \(name)  \(reference)  \(money)  \($0.openedAt.text(for: form))"
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

    /// The failure of an option that applies only to files.
    static let onlyForFiles = Failure(
        .configuration,
        "store.only-for-files",
        "this command works only on SQLite stores, and this store is on a server",
        hint: "run 'workflowctl store copy sqlite:PATH' to copy it to a file"
    )
}
