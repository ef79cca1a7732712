/// A record as an event for other systems: CloudEvents 1.0 in JSON, one line of a batch.
///
/// The record is the event's data, byte for byte as it was hashed. Two extension attributes hold
/// its links in the hash chain, so that a receiver can verify the chain. Seals are omitted, because
/// receivers have no keys.
package enum CloudEventLine {
    /// The prefix of all event types, below the domain that is reserved for private use, so that it
    /// can't collide with another owner's.
    package static let typePrefix = "internal.payment-workflow."
    /// The source of all events; the record's own metadata says which node wrote it.
    package static let source = "urn:payment-workflow:log"
    /// The schema of the data.
    package static let dataSchema = "urn:payment-workflow:schema:record"

    /// The start of a batch: `application/cloudevents-batch+json`, one event per line.
    package static let batchBegin = Array("[\n".utf8)
    /// The separator between two events.
    package static let separator = Array(",\n".utf8)

    /// The end of a batch.
    package static func batchEnd(isEmpty: Bool) -> [UInt8] {
        Array((isEmpty ? "]\n" : "\n]\n").utf8)
    }

    /// Writes a record as a line, without a line ending.
    ///
    /// Members are in canonical order, as in the log's own lines. The event's `id` is `stream/seq`,
    /// so the same record exported twice is the same event.
    package static func encode(_ record: StoredRecord) -> [UInt8] {
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

    /// Reads the record from a line of a batch, with or without its trailing comma; the record has
    /// no seals.
    ///
    /// - Throws: ``EventDecodingError`` when the line is not exactly what ``encode(_:)`` writes;
    ///   attributes that contradict the data are not ignored.
    package static func decode(_ line: [UInt8]) throws(EventDecodingError) -> StoredRecord {
        let event = line.last == UInt8(ascii: ",") ? Array(line.dropLast()) : line
        let (head, previous) = (
            Array("{\"chainhash\":\"".utf8), Array("\",\"chainprevious\":\"".utf8)
        )
        let data = Array("\",\"data\":".utf8)
        let start = head.count + 64 + previous.count + 64 + data.count
        // Use the last occurrence: anything within the data comes before it.
        guard event.starts(with: head), event.count > start,
            let end = event.lastRange(of: Array(",\"datacontenttype\":\"".utf8))?.lowerBound,
            end > start
        else { throw .unexpectedForm(offset: 0) }
        let digits = head.count + 64 + previous.count
        var own = Array("{\"hash\":\"".utf8)
        own += event[head.count..<head.count + 64]
        own += "\",\"prev\":\"".utf8
        own += event[digits..<digits + 64]
        own += "\",\"record\":".utf8
        own += event[start..<end]
        own += ",\"seals\":[]}".utf8
        let record = try LogLine.decode(own)
        guard encode(record) == event else { throw .unexpectedForm(offset: end) }
        return record
    }

    private static func append(_ name: String, _ text: String, to line: inout [UInt8]) {
        line += name.utf8
        var writer = CanonicalWriter()
        writer.string(text)
        line += writer.bytes
    }
}

extension [UInt8] {
    /// The range of the last occurrence of some bytes.
    fileprivate func lastRange(of wanted: [UInt8]) -> Range<Int>? {
        guard count >= wanted.count else { return nil }
        for start in stride(from: count - wanted.count, through: 0, by: -1)
        where self[start] == wanted[0] && self[start..<start + wanted.count].elementsEqual(wanted) {
            return start..<start + wanted.count
        }
        return nil
    }
}
