extension EventCodec {
    /// Reads a record of a known type in one pass that also proves that its bytes are canonical.
    ///
    /// The reader requests members in canonical order, accepts values only in their one canonical
    /// form, and skips everything else with the checks of ``CanonicalCheck``. Whatever it reads to
    /// the end is therefore canonical, and the event equals the result of ``decode(_:upcasters:)``.
    /// The type follows the data in the record, so it is presumed first and checked when the reader
    /// reaches it.
    ///
    /// - Parameters:
    ///   - canonical: The record's bytes.
    ///   - events: The events of the log.
    ///   - name: The name of the type that the record is presumed to have.
    ///   - limits: The limits on size and nesting.
    /// - Returns: The event, or `nil` when one pass can't prove it, for whatever reason; then use
    ///   ``decode(_:upcasters:)`` and ``CanonicalCheck``.
    static func decodeProving<Event: LoggedEvent>(
        _ canonical: [UInt8],
        of events: Event.Type,
        presumedType name: String,
        limits: CanonicalLimits = .standard
    ) -> Recorded<Event>? {
        canonical.withUnsafeBufferPointer {
            decodeProving($0, of: events, presumedType: name, limits: limits)
        }
    }

    /// Reads a record from borrowed bytes in one pass, as the function above does.
    static func decodeProving<Event: LoggedEvent>(
        _ canonical: UnsafeBufferPointer<UInt8>,
        of events: Event.Type,
        presumedType name: String,
        limits: CanonicalLimits = .standard
    ) -> Recorded<Event>? {
        guard canonical.count <= limits.recordBytes, let type = Event.EventType(name: name) else {
            return nil
        }
        return try? CanonicalReader.read(canonical, limits: limits) {
            reader throws(EventDecodingError) in
            try record(of: type, from: &reader)
        }
    }

    private static func record<Event: LoggedEvent>(
        of type: Event.EventType,
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> Recorded<Event> {
        var object = try reader.beginObject()
        let at: Instant = try reader.require("at", in: &object)
        guard try reader.advance(to: "data", in: &object) else { throw .missing(member: "data") }
        let event = try Event.read(type, from: &reader)
        let metadata: EventMetadata = try reader.require("meta", in: &object)
        let sequence: SequenceNumber = try reader.require("seq", in: &object)
        let stream: SessionID = try reader.require("stream", in: &object)
        let name: String = try reader.require("type", in: &object)
        let version: Int = try reader.require("v", in: &object)
        try reader.endObject(&object)
        try reader.finish()
        guard name == type.name, version == type.version else {
            throw .unexpectedForm(offset: reader.index)
        }
        return Recorded(
            stream: stream,
            sequence: sequence,
            at: at,
            event: event,
            metadata: metadata
        )
    }
}
