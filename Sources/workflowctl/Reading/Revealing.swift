internal import EventLog
internal import Inspection
internal import SwedbankPay

/// The plaintexts of a record's sealed values, for `--reveal`.
enum Revealing {
    /// Returns the plaintexts in the order of the seals; `nil` for each that does not open.
    static func plaintexts(of record: StoredRecord, _ keys: SessionKeys) -> [String?] {
        let secrets = RecordReader.secrets(in: record, keys: keys)
        return sealedValues(in: record).map { secrets[$0] }
    }

    /// Returns a line of the log with the additional member `plain`, which has the plaintexts.
    static func line(_ line: [UInt8], _ record: StoredRecord, _ keys: SessionKeys) -> [UInt8] {
        guard var document = try? JSONValue(parsing: line) else { return line }
        document["plain"] = .array(plaintexts(of: record, keys).map { JSONValue($0) })
        return (try? document.canonical()) ?? line
    }

    /// The sealed values in the order of their numbers.
    private static func sealedValues(in record: StoredRecord) -> [Sealed] {
        guard let event = try? RecordReader.event(in: record) else { return [] }
        return EventCodec.encode(event).sealed
    }
}
