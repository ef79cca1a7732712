extension EventCodec {
    /// Reads a record of a type that this build knows in one pass, which proves at the same time that its bytes are canonical.
    ///
    /// The reader asks for members in canonical order, takes values in their one canonical form only, and what it was not
    /// asked for it steps over with the checks of ``CanonicalCheck``. So what it has read to its end is canonical, and the
    /// event is the one that ``decode(_:upcasters:)`` gives. The type stands behind the data, so it is presumed, and the
    /// presumption is checked when the reader gets there.
    ///
    /// - Parameters:
    ///   - canonical: The bytes.
    ///   - events: The events of the log.
    ///   - name: The name of the type that the record is presumed to have.
    /// - Returns: Nil when that can't be proved in one pass, whatever the reason: then ``decode(_:upcasters:)`` and
    ///   ``CanonicalCheck`` have to tell.
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

    /// The same of bytes that are lent.
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
        let sequence: Int64 = try reader.require("seq", in: &object)
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
