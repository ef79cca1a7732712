/// An event in its stored form, before its secrets are sealed.
public struct EncodedRecord: Hashable, Sendable {
    /// The canonical bytes (RFC 8785), which are hashed.
    public var canonical: [UInt8]
    /// The sealed values in the order in which they appear in the bytes; each one's number is its
    /// index.
    public var sealed: [Sealed]
    /// False when the event holds a number outside ±(2^53 - 1), which the bytes can't express
    /// exactly.
    public var isExact: Bool
}

/// Writes events in the log's form and reads them.
///
/// The typed codec does both for our own events. Anything that is not exactly in its form is first
/// parsed as any JSON and converted.
public enum EventCodec {
    /// The canonical bytes of an event; sealed values are represented by their fingerprints.
    public static func encode<Event: LoggedEvent>(_ event: Recorded<Event>) -> EncodedRecord {
        var writer = CanonicalWriter()
        let unknown = event.event.unknownEvent
        let type = unknown == nil ? event.event.eventType : nil
        writer.object { writer in
            writer.member("at", event.at)
            writer.name("data")
            if let unknown {
                writer.verbatim(unknown.data, sealed: SealedPlaces.values(in: unknown.data))
            } else {
                event.event.writeData(to: &writer)
            }
            writer.member("meta", event.metadata)
            writer.member("seq", event.sequence)
            writer.member("stream", event.stream)
            writer.member("type", unknown?.type ?? type?.name ?? "")
            writer.member("v", unknown?.version ?? type?.version ?? 1)
        }
        return EncodedRecord(
            canonical: writer.bytes,
            sealed: writer.sealed,
            isExact: writer.isExact
        )
    }

    /// Reads a record.
    ///
    /// An event whose type, version or a named value is unknown to this build becomes
    /// ``LoggedEvent/unknown(_:)`` with its data kept byte for byte.
    ///
    /// - Parameters:
    ///   - canonical: The record's bytes.
    ///   - events: The events of the log.
    ///   - upcasters: How older forms become current ones; `nil` to use the event type's upcasters.
    /// - Returns: The event.
    /// - Throws: ``EventDecodingError`` when the bytes are not a record;
    ///   ``EventDecodingError/limit(name:)`` when they are not in canonical form and longer than
    ///   ``CanonicalLimits/rewrittenLineBytes``.
    public static func decode<Event: LoggedEvent>(
        _ canonical: [UInt8],
        of events: Event.Type,
        upcasters: UpcasterRegistry? = nil
    ) throws(EventDecodingError) -> Recorded<Event> {
        let upcasters = upcasters ?? Event.upcasters
        do {
            return try decodeExactly(canonical, upcasters: upcasters)
        } catch .notCanonical(let offset) {
            guard canonical.count <= CanonicalLimits.standard.rewrittenLineBytes else {
                throw .limit(name: LogLine.rewrittenLimit)
            }
            let brought = try JSONValue(parsing: canonical, exactNumbers: true).canonical()
            guard brought != canonical else { throw .unexpectedForm(offset: offset) }
            do {
                return try decodeExactly(brought, upcasters: upcasters)
            } catch .notCanonical(let offset) {
                throw .unexpectedForm(offset: offset)
            }
        }
    }

    private static func decodeExactly<Event: LoggedEvent>(
        _ canonical: [UInt8],
        upcasters: UpcasterRegistry
    ) throws(EventDecodingError) -> Recorded<Event> {
        let envelope = try RecordEnvelope(of: canonical)
        return Recorded(
            stream: envelope.stream,
            sequence: envelope.sequence,
            at: envelope.at,
            event: try event(in: envelope, of: canonical, upcasters: upcasters),
            metadata: envelope.metadata
        )
    }

    private static func event<Event: LoggedEvent>(
        in envelope: RecordEnvelope,
        of canonical: [UInt8],
        upcasters: UpcasterRegistry
    ) throws(EventDecodingError) -> Event {
        guard let type = Event.EventType(name: envelope.type), envelope.version <= type.version
        else {
            return try unknown(envelope, of: canonical)
        }
        do {
            guard envelope.version == type.version else {
                let current = try upcasters.upcast(
                    try OlderRecord(envelope, of: canonical),
                    of: envelope.type,
                    from: envelope.version,
                    to: type.version
                )
                return try read(type, from: current, at: 0)
            }
            return try read(type, from: canonical, at: envelope.data.lowerBound)
        } catch .unknownValue {
            return try unknown(envelope, of: canonical)
        }
    }

    private static func read<Event: LoggedEvent>(
        _ type: Event.EventType,
        from bytes: [UInt8],
        at start: Int
    ) throws(EventDecodingError) -> Event {
        try CanonicalReader.read(bytes, from: start) { reader throws(EventDecodingError) in
            try Event.read(type, from: &reader)
        }
    }

    /// Creates an unknown event whose data is kept as it is; the data must be canonical, so that
    /// writing it produces the same bytes.
    private static func unknown<Event: LoggedEvent>(
        _ envelope: RecordEnvelope,
        of canonical: [UInt8]
    ) throws(EventDecodingError) -> Event {
        let data = Array(canonical[envelope.data])
        guard CanonicalCheck.isCanonical(data) else {
            throw .notCanonical(offset: envelope.data.lowerBound)
        }
        return .unknown(
            UnknownEvent(type: envelope.type, version: envelope.version, data: data)
        )
    }
}
