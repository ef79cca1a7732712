/// The result of opening a record's seals.
public struct UnsealedRecord: Sendable {
    /// The plaintexts of the values that could be opened.
    public var secrets = SecretTable()
    /// The numbers of the values that could not be opened.
    ///
    /// The key is another one, or the seal was moved or altered, or is missing where the record has
    /// others.
    public var failed: [Int] = []
    /// Whether the record has sealed values but no seals at all, as after redaction.
    public var isRedacted = false
}

/// Reads stored records.
public enum RecordReader {
    /// The event of a record.
    public static func event<Event: LoggedEvent>(
        in record: StoredRecord,
        of events: Event.Type
    ) throws(EventDecodingError) -> Recorded<Event> {
        // Nearly always the record is in our own form, which is read in one pass.
        if let event = EventCodec.decodeProving(
            record.canonical,
            of: events,
            presumedType: record.type
        ) {
            return event
        }
        return try EventCodec.decode(record.canonical, of: events)
    }

    /// Opens a record's seals, including those of events that this build does not know.
    ///
    /// A value counts as opened only when its plaintext has the fingerprint that the chain
    /// protects.
    public static func unseal(_ record: StoredRecord, with keys: SessionKeys) -> UnsealedRecord {
        let values = SealedPlaces.values(in: record.canonical)
        var result = UnsealedRecord()
        guard !record.seals.isEmpty else {
            result.isRedacted = !values.isEmpty
            return result
        }
        for (number, sealed) in values.enumerated() {
            guard let plaintext = record.seal(number, keys)?.open(as: sealed) else {
                result.failed.append(number)
                continue
            }
            result.secrets.insert(plaintext, for: sealed)
        }
        return result
    }

    /// The plaintexts of a record as far as they are available; each is decrypted when it is first
    /// read.
    public static func secrets(in record: StoredRecord, keys: SessionKeys) -> SecretTable {
        var secrets = SecretTable()
        collect(from: record, keys: keys, into: &secrets)
        return secrets
    }

    /// Adds a record's seals to a table that opens them on demand.
    package static func collect(
        from record: StoredRecord,
        keys: SessionKeys,
        into secrets: inout SecretTable
    ) {
        guard !record.seals.isEmpty else { return }
        for (number, sealed) in SealedPlaces.values(in: record.canonical).enumerated() {
            guard let seal = record.seal(number, keys) else { return }
            secrets.insert(seal, for: sealed)
        }
    }
}

extension StoredRecord {
    /// The seal with a number; `nil` when there are fewer.
    fileprivate func seal(_ number: Int, _ keys: SessionKeys) -> ClosedSeal? {
        guard number < seals.count else { return nil }
        return ClosedSeal(
            seal: seals[number],
            stream: stream,
            sequence: sequence,
            number: number,
            keys: keys
        )
    }
}
