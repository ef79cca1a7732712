/// An event in its stored form, before its secrets are sealed.
public struct EncodedRecord: Hashable, Sendable {
    /// The canonical bytes (RFC 8785): what is hashed.
    public var canonical: [UInt8]
    /// The sealed values in the order in which they stand in the bytes; the N of each is its index.
    public var sealed: [Sealed]
    /// False when the event holds a number outside ±(2^53 - 1), so that the bytes don't tell it exactly.
    public var isExact: Bool
}

/// Writes events in the log's form and reads them.
///
/// The typed codec does both for our own events; what isn't in exactly its form is parsed by the platform's JSON
/// library and brought into form first.
public enum EventCodec {
    /// The canonical bytes of an event, with its sealed values by their fingerprints.
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
    /// An event whose type, version or named value this build doesn't know becomes ``LoggedEvent/unknown(_:)``
    /// with its data byte for byte.
    ///
    /// - Parameters:
    ///   - canonical: The bytes.
    ///   - events: The events of the log.
    ///   - upcasters: How older forms become current ones; nil for those of the events.
    /// - Throws: ``EventDecodingError`` when the bytes are no record.
    public static func decode<Event: LoggedEvent>(
        _ canonical: [UInt8],
        of events: Event.Type,
        upcasters: UpcasterRegistry? = nil
    ) throws(EventDecodingError) -> Recorded<Event> {
        let upcasters = upcasters ?? Event.upcasters
        do {
            return try decodeExactly(canonical, upcasters: upcasters)
        } catch .notCanonical(let offset) {
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

    /// An event that is kept as it is; its data must be canonical, so that writing it gives the same bytes.
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
