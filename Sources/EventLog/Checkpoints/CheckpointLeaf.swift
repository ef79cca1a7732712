/// The end of a session's log when a checkpoint was made: one leaf of the tree.
public struct CheckpointLeaf: Hashable, Sendable {
    /// The session.
    public var stream: SessionID
    /// The sequence number of its last record.
    public var sequence: SequenceNumber
    /// The hash of that record, which covers all records before it.
    public var hash: Digest256

    /// Creates a leaf for the end of a session's log.
    public init(stream: SessionID, sequence: SequenceNumber, hash: Digest256) {
        self.stream = stream
        self.sequence = sequence
        self.hash = hash
    }

    /// The bytes of the leaf: `{"hash":"…","seq":N,"stream":"…"}` in canonical form.
    public var canonical: [UInt8] {
        var writer = CanonicalWriter(capacity: 160)
        write(to: &writer)
        return writer.bytes
    }

    /// The leaf's hash in the tree.
    public var treeHash: Digest256 { MerkleHash.leaf(canonical) }
}

extension CheckpointLeaf: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("hash", hash)
            writer.member("seq", sequence)
            writer.member("stream", stream)
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> CheckpointLeaf {
        var object = try reader.beginObject()
        let hash: Digest256 = try reader.require("hash", in: &object)
        let sequence: SequenceNumber = try reader.require("seq", in: &object)
        let stream: SessionID = try reader.require("stream", in: &object)
        try reader.endObject(&object)
        return CheckpointLeaf(stream: stream, sequence: sequence, hash: hash)
    }
}
