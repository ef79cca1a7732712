public import EventLog

/// An event of a session with its sequence number and metadata.
public typealias RecordedEvent = Recorded<SessionEvent>

extension EventCodec {
    /// Reads a record of a session.
    ///
    /// - Parameters:
    ///   - canonical: The record's bytes.
    ///   - upcasters: How older forms become current ones; `nil` to use those of this build.
    /// - Returns: The event.
    /// - Throws: ``EventDecodingError`` when the bytes are not a record.
    public static func decode(
        _ canonical: [UInt8],
        upcasters: UpcasterRegistry? = nil
    ) throws(EventDecodingError) -> RecordedEvent {
        try decode(canonical, of: SessionEvent.self, upcasters: upcasters)
    }

    /// The name of an event's type in the log, for example `attemptStarted`.
    public static func typeName(of event: SessionEvent) -> String { event.typeName }

    /// The newest version of a type's form that this build knows; `nil` for an unknown type.
    public static func newestVersion(ofType name: String) -> Int? {
        EventType(name: name)?.version
    }
}

extension RecordReader {
    /// The event of a record of a session.
    public static func event(
        in record: StoredRecord
    ) throws(EventDecodingError) -> RecordedEvent {
        try event(in: record, of: SessionEvent.self)
    }
}
