internal import EventLog

/// The format of records on a virtual disk: transactions of rows, each complete or absent.
///
/// A row has the columns of a database row: sequence number, time, type, canonical bytes, both
/// hashes, seals. A transaction begins with its length and ends with a mark; one truncated by a
/// crash has no mark at its end and is discarded.
enum StoredRows {
    private static let endMark = UInt8(ascii: "E")

    /// Encodes a transaction.
    static func transaction(of records: [StoredRecord]) -> [UInt8] {
        var bytes: [UInt8] = [0, 0, 0, 0]
        bytes.reserveCapacity(records.reduce(16) { $0 + $1.canonical.count + 256 })
        for record in records {
            append(UInt64(bitPattern: record.sequence.rawValue), to: &bytes)
            append(UInt64(bitPattern: record.at.microseconds), to: &bytes)
            append(Array(record.type.utf8), to: &bytes)
            append(record.canonical, to: &bytes)
            bytes += record.previous.bytes
            bytes += record.hash.bytes
            append(record.mac?.bytes ?? [], to: &bytes)
            append(UInt32(record.seals.count), to: &bytes)
            for seal in record.seals { append(seal, to: &bytes) }
        }
        let length = UInt32(bytes.count - 4)
        for place in 0..<4 {
            bytes[place] = UInt8(truncatingIfNeeded: length >> UInt32(8 * place))
        }
        bytes.append(endMark)
        return bytes
    }

    /// The end of the last complete transaction of a file.
    static func end(of file: [UInt8]) -> Int {
        var end = 0
        while end + 4 <= file.count {
            let next = end + 4 + Int(word(in: file, at: end)) + 1
            guard next <= file.count, file[next - 1] == endMark else { break }
            end = next
        }
        return end
    }

    /// Decodes the records of a file from the beginning of a transaction on.
    ///
    /// - Returns: `nil` when the bytes are not valid rows.
    static func records(
        in file: [UInt8],
        from start: Int = 0,
        of stream: SessionID
    ) -> [StoredRecord]? {
        var records: [StoredRecord] = []
        var place = start
        while place < file.count {
            guard place + 4 <= file.count else { return nil }
            let end = place + 4 + Int(word(in: file, at: place))
            guard end < file.count, file[end] == endMark else { return nil }
            var reader = RowReader(bytes: file, place: place + 4, end: end)
            while reader.place < end {
                guard let record = reader.record(of: stream) else { return nil }
                records.append(record)
            }
            place = end + 1
        }
        return records
    }

    private static func append(_ word: UInt64, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
    }

    private static func append(_ word: UInt32, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
    }

    private static func append(_ part: [UInt8], to bytes: inout [UInt8]) {
        append(UInt32(part.count), to: &bytes)
        bytes += part
    }

    fileprivate static func word(in bytes: [UInt8], at place: Int) -> UInt32 {
        UInt32(bytes[place]) | UInt32(bytes[place + 1]) << 8 | UInt32(bytes[place + 2]) << 16
            | UInt32(bytes[place + 3]) << 24
    }
}

/// Decodes rows.
private struct RowReader {
    let bytes: [UInt8]
    var place: Int
    let end: Int

    mutating func record(of stream: SessionID) -> StoredRecord? {
        guard let sequence = long(), let time = long(), let type = part(), let canonical = part(),
            let previous = digest(), let hash = digest(), let mac = part(), let count = word()
        else { return nil }
        var seals: [[UInt8]] = []
        for _ in 0..<count {
            guard let seal = part() else { return nil }
            seals.append(seal)
        }
        return StoredRecord(
            stream: stream,
            sequence: SequenceNumber(rawValue: Int64(bitPattern: sequence)),
            type: String(decoding: type, as: UTF8.self),
            at: Instant(microseconds: Int64(bitPattern: time)),
            canonical: canonical,
            previous: previous,
            hash: hash,
            mac: Digest256(bytes: mac),
            seals: seals
        )
    }

    private mutating func word() -> UInt32? {
        guard place + 4 <= end else { return nil }
        defer { place += 4 }
        return StoredRows.word(in: bytes, at: place)
    }

    private mutating func long() -> UInt64? {
        guard let low = word(), let high = word() else { return nil }
        return UInt64(low) | UInt64(high) << 32
    }

    private mutating func part() -> [UInt8]? {
        guard let count = word(), place + Int(count) <= end else { return nil }
        defer { place += Int(count) }
        return Array(bytes[place..<(place + Int(count))])
    }

    private mutating func digest() -> Digest256? {
        guard let first = long(), let second = long(), let third = long(), let fourth = long()
        else { return nil }
        // The first byte of a digest is the most significant one.
        return Digest256(
            words: (
                first.byteSwapped, second.byteSwapped, third.byteSwapped, fourth.byteSwapped
            )
        )
    }
}
