/// What a store's list of leaves had come to: whoever keeps it can tell later whether anything before it was altered.
public struct Checkpoint: Hashable, Sendable {
    /// When it was made.
    public var at: Instant
    /// The name of the key that signed it: ``CheckpointKey/id``.
    public var key: String
    /// The root of the tree over the leaves.
    public var root: Digest256
    /// How many leaves there are.
    public var size: Int

    /// A checkpoint with these members.
    public init(at: Instant, key: String, root: Digest256, size: Int) {
        self.at = at
        self.key = key
        self.root = root
        self.size = size
    }

    /// What is signed: `{"at":"…","key":"…","root":"…","size":N}` in canonical form.
    public var canonical: [UInt8] {
        var writer = CanonicalWriter(capacity: 192)
        write(to: &writer)
        return writer.bytes
    }
}

extension Checkpoint: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("at", at)
            writer.member("key", key)
            writer.member("root", root)
            writer.member("size", size)
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> Checkpoint {
        var object = try reader.beginObject()
        let at: Instant = try reader.require("at", in: &object)
        let key: String = try reader.require("key", in: &object)
        let root: Digest256 = try reader.require("root", in: &object)
        let size: Int = try reader.require("size", in: &object)
        // A checkpoint of nothing is never made.
        guard size > 0 else { throw .unexpectedForm(offset: reader.index) }
        try reader.endObject(&object)
        return Checkpoint(at: at, key: key, root: root, size: size)
    }
}

/// A checkpoint, its signature, and the key to check it with.
public struct SignedCheckpoint: Hashable, Sendable {
    /// What was signed.
    public var checkpoint: Checkpoint
    /// The public half of the key that signed.
    public var publicKey: CheckpointKey
    /// The 64 bytes of the signature.
    public var signature: [UInt8]

    /// A checkpoint with its signature.
    public init(checkpoint: Checkpoint, publicKey: CheckpointKey, signature: [UInt8]) {
        self.checkpoint = checkpoint
        self.publicKey = publicKey
        self.signature = signature
    }

    /// Whether the signature is the key's, and the key the one that the checkpoint names.
    ///
    /// It says nothing about whose key that is.
    public var isSignedByItsKey: Bool {
        publicKey.id == checkpoint.key
            && publicKey.accepts(signature, over: checkpoint.canonical)
    }
}
