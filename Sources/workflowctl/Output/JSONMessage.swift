internal import EventLog
internal import Inspection
internal import Logging
internal import SwedbankPay

/// A message on standard error as a JSON object: when, how severe, what, from whom.
struct JSONMessage: Hashable, Sendable {
    /// The severity, as loggers name it.
    var level: Logger.Level
    /// The message.
    var message: String
    /// The label of the logger; for messages of commands, the name of the program.
    var logger = "workflowctl"
    /// Named values that belong to the message.
    var metadata: [JSONValue.Member] = []

    /// The levels of the words with which messages of commands begin.
    private static let beginnings: [(words: String, level: Logger.Level)] = [
        ("error: ", .error), ("warning: ", .warning), ("note: ", .notice),
    ]

    /// Returns the object on one line.
    func line(at time: Instant) -> String {
        let object: JSONValue = [
            "time": .string("\(time)"), "level": .string(level.rawValue),
            "message": .string(message), "logger": .string(logger), "metadata": .object(metadata),
        ]
        return JSONDocument.text(object) + "\n"
    }
}

extension JSONMessage {
    /// Creates the message of a command for one line of its text.
    init(line: Substring) {
        let found = Self.beginnings.first { line.hasPrefix($0.words) }
        self.init(
            level: found?.level ?? .info,
            message: String(line.dropFirst(found?.words.count ?? 0))
        )
    }

    /// Creates the message of a failure, with its code, exit status and hint.
    init(_ failure: Failure) {
        var metadata: [JSONValue.Member] = [
            .init("code", .string(failure.code)),
            .init("status", .integer(Int64(failure.status.rawValue))),
        ]
        if let hint = failure.hint { metadata.append(.init("hint", .string(hint))) }
        if !failure.candidates.isEmpty {
            metadata.append(.init("candidates", .array(failure.candidates.map(\.json))))
        }
        self.init(level: .error, message: failure.message, metadata: metadata)
    }
}
