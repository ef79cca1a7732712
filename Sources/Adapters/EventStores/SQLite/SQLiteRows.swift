package import EventLog

/// Converts records and summaries from and to rows.
package enum SQLiteRows {
    /// The columns of `events` for a record, in the order in which ``record(in:of:from:)`` reads
    /// them.
    package static let recordColumns = "seq, type, at, record, prev, hash, seals, mac"

    /// The columns of `sessions`, and the session's wrapped key, that ``listed(in:of:)`` reads.
    package static func listedColumns(_ columns: SessionColumns) -> String {
        columns.readWritten
            + ", typeof(address_fp) = 'blob' AND length(address_fp) = 32, "
            + "(\(usableKey) AND session = sessions.key)"
    }

    /// The number of columns that ``summary(in:of:)`` reads.
    package static let summaryCount = Int32(SessionColumns.common.count + 2)

    /// The number of columns in ``listedColumns``.
    package static let listedCount = summaryCount + 2

    /// Selects data keys that were not destroyed: a destroyed one is overwritten with zeros, and
    /// its row is deleted once no trace of it is left elsewhere in the file.
    package static let usableKey =
        "SELECT wrapped FROM session_keys WHERE wrapped <> zeroblob(length(wrapped))"

    /// The record in the current row.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - stream: The session of the record.
    ///   - first: The column where the record begins.
    ///   - connection: The row's connection, which restores compressed records.
    /// - Returns: The record.
    /// - Throws: ``EventStoreError/corrupt(stream:sequence:reason:)`` when a column does not have
    ///   the required form.
    package static func record(
        in row: SQLiteStatement,
        of stream: SessionID,
        from first: Int32 = 0,
        on connection: SQLiteConnection
    ) throws(EventStoreError) -> StoredRecord {
        let sequence = row.sequence(first)
        guard let type = row.text(first + 1),
            let previous = row.withBytes(first + 4, Digest256.init(stored:)),
            let hash = row.withBytes(first + 5, Digest256.init(stored:)),
            let seals = row.withBytes(first + 6, seals(from:)),
            row.isNull(first + 7) || row.withBytes(first + 7, Digest256.init(stored:)) != nil
        else {
            throw .corrupt(
                stream: stream,
                sequence: sequence,
                reason: "the row does not hold a record"
            )
        }
        let outcome: RecordDecompressor.Outcome
        do throws(SQLiteFailure) {
            outcome = try connection.decompressed(row, first + 3)
        } catch {
            throw error.storeError
        }
        guard case .record(let canonical) = outcome else {
            throw .corrupt(stream: stream, sequence: sequence, reason: outcome.fault ?? "")
        }
        return StoredRecord(
            stream: stream,
            sequence: sequence,
            type: type,
            at: Instant(microseconds: row.integer(first + 2)),
            canonical: canonical,
            previous: previous,
            hash: hash,
            mac: row.isNull(first + 7) ? nil : row.withBytes(first + 7, Digest256.init(stored:)),
            seals: seals
        )
    }

    /// The session's identity in a column of the current row.
    package static func session(
        in row: SQLiteStatement,
        at column: Int32 = 0
    ) throws(EventStoreError) -> SessionID {
        guard let session = row.text(column).flatMap({ SessionID($0) }) else {
            throw .corrupt(
                stream: nil,
                sequence: nil,
                reason: "a row of sessions has no identity"
            )
        }
        return session
    }

    /// The summary in the current row, of ``SessionColumns/readWritten`` or
    /// ``SessionColumns/readListed``.
    package static func summary(
        in row: SQLiteStatement,
        of model: ReadModel
    ) throws(EventStoreError) -> SessionSummary {
        let session = try session(in: row)
        guard let phase = row.text(1) else {
            throw .corrupt(
                stream: session,
                sequence: nil,
                reason: "its row of sessions has no phase"
            )
        }
        return SessionSummary(
            session: session,
            phase: phase,
            outcome: row.text(2),
            isSettled: row.integer(3) != 0,
            lastSequence: row.sequence(4),
            openedAt: Instant(microseconds: row.integer(5)),
            lastAt: Instant(microseconds: row.integer(6)),
            reference: row.text(7),
            label: row.text(8),
            problem: row.text(9),
            dueAt: row.optionalInteger(10).map(Instant.init(microseconds:)),
            addressFingerprint: row.isNull(11)
                ? nil : row.withBytes(11, Digest256.init(stored:)),
            headMAC: row.isNull(12) ? nil : row.withBytes(12, Digest256.init(stored:)),
            origin: row.integer(13) == 0 ? .own : .imported,
            facts: row.isNull(summaryCount - 1)
                ? nil
                : SessionFacts(
                    encoded: row.bytes(summaryCount - 1),
                    of: model
                )
        )
    }

    /// Binds facts as one value.
    package static func bind(
        _ facts: SessionFacts?,
        of model: ReadModel,
        to row: SQLiteStatement,
        at index: Int32
    ) {
        guard let facts else { return row.bindNull(at: index) }
        facts.encoded(version: model.version).withUnsafeBytes {
            row.bind(textBytes: $0, at: index)
        }
    }

    /// The summary in the current row, with the session's wrapped key.
    package static func listed(
        in row: SQLiteStatement,
        of model: ReadModel
    ) throws(EventStoreError) -> ListedSession {
        ListedSession(
            row: try summary(in: row, of: model),
            key: row.isNull(summaryCount + 1) ? .none : .wrapped(row.bytes(summaryCount + 1)),
            hasFingerprintForm: row.isNull(11) || row.integer(summaryCount) != 0
        )
    }

    /// Encodes seals as one value: each as four bytes of length, most significant first, and its
    /// bytes.
    package static func bytes(of seals: [[UInt8]]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(seals.reduce(0) { $0 + 4 + $1.count })
        for seal in seals {
            let count = UInt32(clamping: seal.count)
            for shift in [24, 16, 8, 0] as [UInt32] {
                result.append(UInt8(truncatingIfNeeded: count >> shift))
            }
            result += seal
        }
        return result
    }

    /// The number of seals that ``seals(from:)`` reads.
    ///
    /// - Returns: `nil` when the bytes have another form.
    package static func sealCount(in bytes: UnsafeRawBufferPointer) -> Int? {
        var (place, count) = (0, 0)
        while place < bytes.count {
            guard bytes.count - place >= 4 else { return nil }
            let length = UInt32(
                bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)
            )
            place += 4
            guard bytes.count - place >= Int(length) else { return nil }
            place += Int(length)
            count += 1
        }
        return count
    }

    /// Decodes what ``bytes(of:)`` encodes.
    ///
    /// - Returns: `nil` when the bytes have another form.
    package static func seals(from bytes: UnsafeRawBufferPointer) -> [[UInt8]]? {
        var seals: [[UInt8]] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            guard rest.count >= 4 else { return nil }
            let count = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(4)
            guard rest.count >= count else { return nil }
            seals.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return seals
    }
}

extension Digest256 {
    /// Reads a digest from the 32 bytes of a column; `nil` for any other length.
    package init?(stored bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 32 else { return nil }
        func word(_ index: Int) -> UInt64 {
            UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
        }
        self.init(words: (word(0), word(1), word(2), word(3)))
    }

    /// Lends the 32 bytes, most significant first, without allocating an array.
    package func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let ordered = (
            words.0.bigEndian, words.1.bigEndian, words.2.bigEndian, words.3.bigEndian
        )
        return try Swift.withUnsafeBytes(of: ordered, body)
    }
}
