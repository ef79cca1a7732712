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
    /// The two lines that go to standard error.
    var description: String {
        "error: \(message) [\(code)]" + (hint.map { "\nhint: \($0)" } ?? "")
    }
}

extension Failure {
    /// What was asked for is done to files alone.
    static let onlyForFiles = Failure(
        .configuration,
        "store.only-for-files",
        "this works on stores in SQLite files only, and the store is on a server",
        hint: "'workflowctl store copy sqlite:PATH' makes a file of it"
    )
}
