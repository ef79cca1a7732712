internal import Workflow

/// What came of checking logs.
struct Verification: Sendable {
    /// Something that is wrong.
    struct Fault: Hashable, Sendable {
        /// The session, if it is one session's.
        var session: SessionID?
        /// The first bad record, if it is a record's.
        var sequence: Int64?
        /// The kind in one word.
        var kind: String
        /// What is wrong, without the data.
        var message: String

        /// The fault as the failure of a command.
        var failure: Failure {
            Failure(
                .damaged,
                "log." + kind,
                message,
                hint: "what stands before is sound; compare with a copy of the log"
            )
        }
    }

    /// How many logs were checked.
    private(set) var sessions = 0
    /// How many records were found sound.
    private(set) var records: Int64 = 0
    /// The first thing that is wrong.
    private(set) var first: Fault?

    /// Checks a log.
    mutating func add(_ log: [StoredRecord], of session: SessionID) {
        sessions += 1
        let (head, damage) = LogVerifier.verify(log, stream: session)
        records += head.sequence
        if let damage {
            add(
                Fault(
                    session: damage.stream ?? session,
                    sequence: damage.sequence,
                    kind: damage.kind.word,
                    message: damage.description
                )
            )
        }
    }

    /// Notes a fault; the first one counts.
    mutating func add(_ fault: Fault) {
        if first == nil { first = fault }
    }

    /// The result as JSON.
    var json: JSONValue {
        var fault = JSONValue.null
        if let first {
            fault = .object([
                .init("session", JSONValue(first.session?.description)),
                .init("seq", JSONValue(first.sequence)), .init("kind", .string(first.kind)),
                .init("message", .string(first.message)),
            ])
        }
        return .object([
            .init("sound", .bool(first == nil)), .init("sessions", .integer(Int64(sessions))),
            .init("records", .integer(records)), .init("fault", fault),
        ])
    }
}
