/// Turns events into records: encodes, chains, authenticates and seals them.
public enum RecordWriter {
    /// Creates the record of an event that follows the end of its stream.
    ///
    /// - Parameters:
    ///   - event: The event, with the sequence number that follows `head`.
    ///   - head: The end of the stream.
    ///   - keys: The session's keys.
    ///   - secrets: The plaintexts of the event's sealed values.
    ///   - random: The source of nonces.
    ///   - limits: The limit on the record's size.
    /// - Returns: The record.
    /// - Throws: ``RecordWritingError`` when the event can't be recorded.
    public static func record<Event: LoggedEvent>(
        _ event: Recorded<Event>,
        after head: StreamHead,
        keys: SessionKeys,
        secrets: SecretTable,
        random: any RandomSource,
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
            mac: keys.mac(of: hash),
            seals: try seals(of: encoded, for: event, type, keys, secrets, random)
        )
    }

    /// Creates the record of an event without its seals, as after redaction.
    ///
    /// - Parameters:
    ///   - event: The event, with the sequence number that follows `head`.
    ///   - head: The end of the stream.
    ///   - keys: The keys that authenticate a record without sealed values; without keys it has no
    ///     MAC.
    /// - Returns: The record.
    /// - Throws: ``RecordWritingError`` when the event can't be recorded.
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
            mac: keys?.mac(of: hash),
            seals: []
        )
    }

    private static func seals<Event>(
        of encoded: EncodedRecord,
        for event: Recorded<Event>,
        _ type: String,
        _ keys: SessionKeys,
        _ secrets: SecretTable,
        _ random: any RandomSource
    ) throws(RecordWritingError) -> [[UInt8]] {
        guard !encoded.sealed.isEmpty else { return [] }
        var seals: [[UInt8]] = []
        seals.reserveCapacity(encoded.sealed.count)
        let record = SealPlace.record(event.stream, event.sequence)
        // One request to the random source for all seals of a record.
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

/// The location of a sealed value, which is authenticated with its ciphertext so that a seal can't
/// be moved.
enum SealPlace {
    /// `stream/seq/N`.
    static func text(_ stream: SessionID, _ sequence: SequenceNumber, _ number: Int) -> String {
        "\(record(stream, sequence))\(number)"
    }

    /// `stream/seq/`, the prefix that all values of a record share.
    static func record(_ stream: SessionID, _ sequence: SequenceNumber) -> String {
        "\(stream)/\(sequence)/"
    }
}
