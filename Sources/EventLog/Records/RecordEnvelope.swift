/// The contents of a record other than its data.
package struct RecordEnvelope {
    /// When it was recorded.
    package let at: Instant
    /// The range of the data in the canonical bytes.
    package let data: Range<Int>
    /// The node that recorded it, and the cause.
    package let metadata: EventMetadata
    /// Its sequence number.
    package let sequence: SequenceNumber
    /// The session.
    package let stream: SessionID
    /// The type's name.
    package let type: String
    /// The version of the data's form.
    package let version: Int

    /// Reads a record's envelope and skips the data.
    package init(
        of canonical: [UInt8],
        limits: CanonicalLimits = .standard
    ) throws(EventDecodingError) {
        guard canonical.count <= limits.recordBytes else { throw .limit(name: "recordBytes") }
        self = try CanonicalReader.read(
            canonical,
            limits: limits
        ) { reader throws(EventDecodingError) in
            let envelope = try RecordEnvelope(from: &reader)
            try reader.finish()
            return envelope
        }
    }

    private init(from reader: inout CanonicalReader) throws(EventDecodingError) {
        var object = try reader.beginObject()
        at = try reader.require("at", in: &object)
        guard try reader.advance(to: "data", in: &object) else { throw .missing(member: "data") }
        let start = reader.index
        try reader.skipObjectQuickly()
        data = start..<reader.index
        metadata = try reader.require("meta", in: &object)
        sequence = try reader.require("seq", in: &object)
        stream = try reader.require("stream", in: &object)
        type = try reader.require("type", in: &object)
        version = try reader.require("v", in: &object)
        try reader.endObject(&object)
    }
}
