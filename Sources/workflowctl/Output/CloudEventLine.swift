internal import Workflow

/// A record as an event for other systems: CloudEvents 1.0 in JSON, structured mode, on one line.
///
/// The record is the event's data, byte for byte as it was hashed; its place in the chain is in two extension
/// attributes, so that a taker can check the chain. Seals are not in it: whoever takes the event has no keys.
enum CloudEventLine {
    /// What all event types begin with: a name below the domain that is reserved for private use, so that it is nobody
    /// else's.
    static let typePrefix = "internal.payment-workflow."
    /// Where all events come from; the record's own metadata says which node wrote it.
    static let source = "urn:payment-workflow:log"
    /// The schema of the data.
    static let dataSchema = "urn:payment-workflow:schema:record"

    /// Writes a record as a line, without the line's end.
    ///
    /// Members are in the order of the canonical form, as in the log's own lines. The identity is `stream/seq`: the
    /// same record exported twice is the same event.
    static func encode(_ record: StoredRecord) -> [UInt8] {
        var line: [UInt8] = []
        line.reserveCapacity(record.canonical.count + 640)
        append("{\"chainhash\":", record.hash.hexadecimal, to: &line)
        append(",\"chainprevious\":", record.previous.hexadecimal, to: &line)
        line += ",\"data\":".utf8
        line += record.canonical
        append(",\"datacontenttype\":", "application/json", to: &line)
        append(",\"dataschema\":", dataSchema, to: &line)
        append(",\"id\":", "\(record.stream)/\(record.sequence)", to: &line)
        append(",\"source\":", source, to: &line)
        append(",\"specversion\":", "1.0", to: &line)
        append(",\"subject\":", "\(record.stream)", to: &line)
        append(",\"time\":", "\(record.at)", to: &line)
        append(",\"type\":", typePrefix + record.type, to: &line)
        line += "}".utf8
        return line
    }

    private static func append(_ name: String, _ text: String, to line: inout [UInt8]) {
        line += name.utf8
        line += JSONDocument.text(.string(text)).utf8
    }
}
