/// Makes events records: encodes, chains, authenticates and seals them.
public enum RecordWriter {
    /// The record of an event that follows the end of its stream.
    ///
    /// - Parameters:
    ///   - event: The event, at the place after `head`.
    ///   - head: The end of the stream.
    ///   - keys: The session's keys.
    ///   - secrets: The plaintexts of the event's sealed values.
    ///   - random: Where nonces come from.
    ///   - limits: The bound on the record's size.
    public static func record<Event: LoggedEvent>(
        _ event: Recorded<Event>,
        after head: StreamHead,
        keys: SessionKeys,
        secrets: SecretTable,
        random: some RandomSource,
        limits: CanonicalLimits = .standard
    ) throws(RecordWritingError) -> StoredRecord {
        guard event.sequence == head.sequence + 1 else {
            throw .outOfSequence(expected: head.sequence + 1, found: event.sequence)
        }
        let type = event.event.typeName
        if let unknown = event.event.unknownEvent {
            guard unknown.data.first == UInt8(ascii: "{"),
                CanonicalCheck.isCanonical(unknown.data, limits: limits)
            else { throw .notCanonical(type: type) }
        }
        let encoded = EventCodec.encode(event)
        guard encoded.isExact else { throw .inexactNumber(type: type) }
        guard encoded.canonical.count <= limits.recordBytes else {
            throw .limit(name: "recordBytes")
        }
        let hash = HashChain.hash(head.hash, encoded.canonical)
        return StoredRecord(
            stream: event.stream,
            sequence: event.sequence,
            type: type,
            at: event.at,
            canonical: encoded.canonical,
            previous: head.hash,
            hash: hash,
            mac: keys.mac(of: hash, at: event.sequence),
            seals: try seals(of: encoded, for: event, type, keys, secrets, random)
        )
    }

    /// The record of an event without its seals, as it is after redaction, and without a MAC where there are no keys.
    ///
    /// - Parameters:
    ///   - event: The event, at the place after `head`.
    ///   - head: The end of the stream.
    ///   - keys: What the record is authenticated with, where it has nothing sealed.
    package static func unsealedRecord<Event: LoggedEvent>(
        _ event: Recorded<Event>,
        after head: StreamHead,
        keys: SessionKeys? = nil
    ) throws(RecordWritingError) -> StoredRecord {
        guard event.sequence == head.sequence + 1 else {
            throw .outOfSequence(expected: head.sequence + 1, found: event.sequence)
        }
        let type = event.event.typeName
        let encoded = EventCodec.encode(event)
        guard encoded.isExact else { throw .inexactNumber(type: type) }
        let hash = HashChain.hash(head.hash, encoded.canonical)
        return StoredRecord(
            stream: event.stream,
            sequence: event.sequence,
            type: type,
            at: event.at,
            canonical: encoded.canonical,
            previous: head.hash,
            hash: hash,
            mac: keys?.mac(of: hash, at: event.sequence),
            seals: []
        )
    }

    private static func seals<Event>(
        of encoded: EncodedRecord,
        for event: Recorded<Event>,
        _ type: String,
        _ keys: SessionKeys,
        _ secrets: SecretTable,
        _ random: some RandomSource
    ) throws(RecordWritingError) -> [[UInt8]] {
        guard !encoded.sealed.isEmpty else { return [] }
        var seals: [[UInt8]] = []
        seals.reserveCapacity(encoded.sealed.count)
        let record = SealPlace.record(event.stream, event.sequence)
        // The random source is asked once for all seals of a record.
        var nonces = random.bytes(SessionKeys.nonceBytes * encoded.sealed.count)[...]
        for (number, sealed) in encoded.sealed.enumerated() {
            guard let plaintext = secrets[sealed] else {
                throw .missingPlaintext(type: type, number: number)
            }
            let place = "\(record)\(number)"
            let nonce = nonces.prefix(SessionKeys.nonceBytes)
            nonces = nonces.dropFirst(SessionKeys.nonceBytes)
            guard let seal = keys.seal(plaintext, at: place, nonce: nonce) else {
                throw .sealingFailed
            }
            seals.append(seal)
        }
        return seals
    }
}

/// Where a sealed value belongs; bound to its ciphertext, so that it can't be moved.
enum SealPlace {
    /// `stream/seq/N`.
    static func text(_ stream: SessionID, _ sequence: Int64, _ number: Int) -> String {
        "\(record(stream, sequence))\(number)"
    }

    /// `stream/seq/`, which all values of a record have in common.
    static func record(_ stream: SessionID, _ sequence: Int64) -> String {
        "\(stream)/\(sequence)/"
    }
}
