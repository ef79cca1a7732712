/// What the seals of a record gave.
public struct UnsealedRecord: Sendable {
    /// The plaintexts of the values that opened.
    public var secrets = SecretTable()
    /// The numbers of the values that did not open: another key, a moved or altered seal, or none where the
    /// record has others.
    public var failed: [Int] = []
    /// Whether the record has sealed values and no seals at all, as after redaction.
    public var isRedacted = false
}

/// Reads records that are stored.
public enum RecordReader {
    /// The event of a record.
    public static func event<Event: LoggedEvent>(
        in record: StoredRecord,
        of events: Event.Type
    ) throws(EventDecodingError) -> Recorded<Event> {
        // Nearly always it is in our own form, which is read in one pass.
        if let event = EventCodec.decodeProving(
            record.canonical,
            of: events,
            presumedType: record.type
        ) {
            return event
        }
        return try EventCodec.decode(record.canonical, of: events)
    }

    /// Opens a record's seals, also those of events that this build does not know.
    ///
    /// A value counts as opened only when its plaintext has the fingerprint that the chain protects.
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

    /// The plaintexts of a record, as far as they can be had; each is opened when it is asked for.
    public static func secrets(in record: StoredRecord, keys: SessionKeys) -> SecretTable {
        var secrets = SecretTable()
        collect(from: record, keys: keys, into: &secrets)
        return secrets
    }

    /// Takes a record's seals into a table that will open them when they are asked for.
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
    /// The seal of a number; nothing when there are fewer.
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
