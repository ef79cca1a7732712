internal import FoundationEssentials

/// A record as one line of an exported log, without a line ending.
///
/// The form is `{"hash":"…","mac":"…","prev":"…","record":{…},"seals":["<base64>",…]}`; only
/// records that have a MAC have the member `mac`.
public enum LogLine {
    /// The maximum number of seals in a line: a sealed value takes more than 64 bytes of its
    /// record, so that no record of the default size has as many.
    static let maximumSeals = CanonicalLimits.standard.recordBytes / 64
    /// The name of the limit for lines in another form.
    package static let rewrittenLimit = "rewrittenLineBytes"

    /// Writes a record as a line.
    public static func encode(_ record: StoredRecord) -> [UInt8] {
        var writer = CanonicalWriter(capacity: record.canonical.count + 256)
        writer.object { writer in
            writer.member("hash", record.hash)
            if let mac = record.mac { writer.member("mac", mac) }
            writer.member("prev", record.previous)
            writer.name("record")
            writer.verbatim(record.canonical)
            writer.members("seals", record.seals.map { Data($0).base64EncodedString() })
        }
        return writer.bytes
    }

    /// Reads a line.
    ///
    /// A line in another form of the same JSON (with spaces or in another order) is converted to
    /// canonical form. ``LogVerifier`` determines whether its record is the one that was hashed.
    ///
    /// - Throws: ``EventDecodingError`` when it is not a line of a log;
    ///   ``EventDecodingError/limit(name:)`` when it is too long for its form.
    public static func decode(
        _ line: [UInt8],
        limits: CanonicalLimits = .standard
    ) throws(EventDecodingError) -> StoredRecord {
        guard line.count <= limits.lineBytes else { throw .limit(name: "lineBytes") }
        do {
            return try decodeExactly(line, limits: limits)
        } catch .notCanonical(let offset) {
            guard line.count <= limits.rewrittenLineBytes else {
                throw .limit(name: rewrittenLimit)
            }
            let brought = try JSONValue(
                parsing: line,
                limits: limits,
                exactNumbers: true
            ).canonical()
            guard brought != line else { throw .unexpectedForm(offset: offset) }
            do {
                return try decodeExactly(brought, limits: limits)
            } catch .notCanonical(let offset) {
                throw .unexpectedForm(offset: offset)
            }
        }
    }

    private static func decodeExactly(
        _ line: [UInt8],
        limits: CanonicalLimits
    ) throws(EventDecodingError) -> StoredRecord {
        // A seal may be as long as the line allows, unlike the strings within records.
        var lineLimits = limits
        lineLimits.stringBytes = limits.lineBytes
        let (hash, mac, previous, range, seals) = try CanonicalReader.read(
            line,
            limits: lineLimits
        ) {
            reader throws(EventDecodingError)
                -> (Digest256, Digest256?, Digest256, Range<Int>, [String]) in
            var object = try reader.beginObject()
            let hash: Digest256 = try reader.require("hash", in: &object)
            let mac: Digest256? = try reader.find("mac", in: &object)
            let previous: Digest256 = try reader.require("prev", in: &object)
            guard try reader.advance(to: "record", in: &object) else {
                throw .missing(member: "record")
            }
            let start = reader.index
            try reader.skipObjectQuickly()
            let range = start..<reader.index
            let seals = try texts("seals", upTo: maximumSeals, in: &object, of: &reader)
            guard let seals else { throw .missing(member: "seals") }
            try reader.endObject(&object)
            try reader.finish()
            return (hash, mac, previous, range, seals)
        }
        let canonical = Array(line[range])
        let envelope = try RecordEnvelope(of: canonical, limits: limits)
        return StoredRecord(
            stream: envelope.stream,
            sequence: envelope.sequence,
            type: envelope.type,
            at: envelope.at,
            canonical: canonical,
            previous: previous,
            hash: hash,
            mac: mac,
            seals: try seals.map { text throws(EventDecodingError) in
                guard let data = Data(base64Encoded: text) else {
                    throw .unexpectedForm(offset: range.upperBound)
                }
                return [UInt8](data)
            }
        )
    }

    /// Reads a list of at most so many texts, which may be absent.
    private static func texts(
        _ label: StaticString,
        upTo most: Int,
        in object: inout ObjectCursor,
        of reader: inout CanonicalReader
    ) throws(EventDecodingError) -> [String]? {
        guard try reader.advance(to: label, in: &object) else { return nil }
        var texts: [String] = []
        try reader.beginList()
        while try reader.advanceInList(isFirst: texts.isEmpty) {
            guard texts.count < most else { throw .limit(name: label.description) }
            texts.append(try String.read(from: &reader))
        }
        return texts
    }
}
