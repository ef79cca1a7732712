internal import Inspection
internal import Logging

/// The form of messages on standard error: those of loggers and of the program itself.
enum LogFormat: String, CaseIterable, Sendable {
    /// Lines of text.
    case text
    /// One JSON object per line, for collectors of logs.
    case json

    /// The environment variable that chooses the form.
    static let variable = "WORKFLOWCTL_LOG_FORMAT"

    /// Reads the form from the environment; text, if the variable is not set.
    ///
    /// - Throws: A usage failure for an unknown form.
    static func read(_ environment: [String: String]) throws(Failure) -> LogFormat {
        guard let name = environment[variable].nonEmpty else { return .text }
        guard let format = LogFormat(rawValue: name) else {
            throw .usage(
                "log-format",
                "unknown log format in \(variable)",
                hint: "set it to " + allCases.map(\.rawValue).joined(separator: " or ")
                    + ", or unset it"
            )
        }
        return format
    }

    /// Returns the least severe level of loggers' messages that are written.
    ///
    /// People see the messages of the command, and those of loggers only if they ask for them; a
    /// collector of logs gets warnings as well.
    func level(isVerbose: Bool) -> Logger.Level {
        if isVerbose { return .info }
        return self == .text ? .critical : .warning
    }

    /// Returns the handler of a logger that writes to a sink in this form.
    func handler(label: String, level: Logger.Level, sink: Sink) -> any LogHandler {
        switch self {
        case .text:
            var handler = StreamLogHandler(label: label, stream: DiagnosticsStream(sink: sink))
            handler.logLevel = level
            return handler
        case .json: return JSONLogHandler(label: label, sink: sink, logLevel: level)
        }
    }
}

/// Standard error for loggers, one message per line.
private struct DiagnosticsStream: TextOutputStream, Sendable {
    let sink: Sink

    func write(_ message: String) {
        sink.write(Screen.safe(message.hasSuffix("\n") ? message.dropLast() : message[...]) + "\n")
    }
}
