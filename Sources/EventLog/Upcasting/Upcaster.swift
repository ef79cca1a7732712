/// A record in an older form, as passed to upcasters.
public struct OlderRecord: Sendable {
    /// The session.
    public let stream: SessionID
    /// Its sequence number.
    public let sequence: SequenceNumber
    /// When it was recorded.
    public let at: Instant
    /// The node and the build that recorded it, and the cause.
    public let metadata: EventMetadata
    /// The sealed values that the data had when it was recorded, in the order of their numbers.
    public let sealed: [Sealed]
    /// The event's data after the steps so far; a sealed value appears in it as
    /// `{"$sealed":N,"fp":"…"}`.
    public fileprivate(set) var data: JSONValue

    /// Creates the record from its envelope and bytes.
    init(_ envelope: RecordEnvelope, of canonical: [UInt8]) throws(EventDecodingError) {
        let data = Array(canonical[envelope.data])
        (stream, sequence, at) = (envelope.stream, envelope.sequence, envelope.at)
        metadata = envelope.metadata
        sealed = SealedPlaces.values(in: data)
        self.data = try CanonicalReader.read(data) { reader throws(EventDecodingError) in
            try JSONValue.read(from: &reader)
        }
    }
}

/// One step from an older form of an event type's data to the next: a pure function of the record.
public struct Upcaster: Sendable {
    /// The name of the event type.
    public let type: String
    /// The version that it accepts; it produces the next one.
    public let version: Int
    /// Returns the data in the next version.
    public let transform: @Sendable (OlderRecord) throws(EventDecodingError) -> JSONValue

    /// Creates a step from a version of a type to the next version.
    public init(
        type: String,
        from version: Int,
        transform: @escaping @Sendable (OlderRecord) throws(EventDecodingError) -> JSONValue
    ) {
        (self.type, self.version) = (type, version)
        self.transform = transform
    }
}

/// All steps from older forms to the current ones.
public struct UpcasterRegistry: Sendable {
    private var steps: [String: [Int: Upcaster]] = [:]

    /// Creates a registry of these steps; of two with the same type and version the last one is
    /// used.
    public init(_ upcasters: [Upcaster]) {
        for upcaster in upcasters {
            steps[upcaster.type, default: [:]][upcaster.version] = upcaster
        }
    }

    /// The step from a version of a type; `nil` when there is none.
    func step(of type: String, from version: Int) -> Upcaster? { steps[type]?[version] }

    /// Converts a record's data from an older version to a newer one, step by step.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - type: The name of the event type.
    ///   - version: The version of the stored form.
    ///   - current: The version to produce.
    /// - Returns: The canonical bytes of the data in that version.
    /// - Throws: ``EventDecodingError/noUpcaster(type:version:)`` when a step is missing, or the
    ///   error that a step throws.
    func upcast(
        _ record: OlderRecord,
        of type: String,
        from version: Int,
        to current: Int
    ) throws(EventDecodingError) -> [UInt8] {
        guard version >= 0 else { throw .noUpcaster(type: type, version: version) }
        var record = record
        for version in version..<current {
            guard let upcaster = step(of: type, from: version) else {
                throw .noUpcaster(type: type, version: version)
            }
            record.data = try upcaster.transform(record)
        }
        return try record.data.canonical()
    }
}
