internal import EventLog
internal import Logging

/// Writes the messages of a logger as JSON objects, one per line.
struct JSONLogHandler: LogHandler {
    /// The label of the logger.
    let label: String
    /// The destination.
    let sink: Sink
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?

    init(label: String, sink: Sink, logLevel: Logger.Level) {
        self.label = label
        self.sink = sink
        self.logLevel = logLevel
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Writes a message; its own metadata take precedence over the provider's, and those over the
    /// handler's.
    func log(event: LogEvent) {
        var merged = metadata
        merged.merge(metadataProvider?.get() ?? [:]) { $1 }
        merged.merge(event.metadata ?? [:]) { $1 }
        if let error = event.error {
            merged["error.message"] = "\(error)"
            merged["error.type"] = "\(String(reflecting: type(of: error)))"
        }
        sink.write(
            JSONMessage(
                level: event.level,
                message: "\(event.message)",
                logger: label,
                metadata: Self.members(of: merged)
            )
        )
    }

    /// Returns metadata in the order of their names.
    private static func members(of metadata: Logger.Metadata) -> [JSONValue.Member] {
        metadata.sorted { $0.key < $1.key }.map { .init($0.key, value(of: $0.value)) }
    }

    private static func value(of value: Logger.MetadataValue) -> JSONValue {
        switch value {
        case .string(let text): .string(text)
        case .stringConvertible(let value): .string("\(value)")
        case .dictionary(let metadata): .object(members(of: metadata))
        case .array(let values): .array(values.map { Self.value(of: $0) })
        }
    }
}
