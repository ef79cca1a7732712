/// The root of a store's list of leaves at one time, which later shows whether anything before it
/// was altered.
public struct Checkpoint: Hashable, Sendable {
    /// When the checkpoint was made.
    public var at: Instant
    /// The identifier of the key that signed it: ``CheckpointKey/id``.
    public var key: String
    /// The root of the tree over the leaves.
    public var root: Digest256
    /// The number of leaves.
    public var size: Int

    /// A checkpoint with these members.
    public init(at: Instant, key: String, root: Digest256, size: Int) {
        self.at = at
        self.key = key
        self.root = root
        self.size = size
    }

    /// The bytes that are signed: `{"at":"…","key":"…","root":"…","size":N}` in canonical form.
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
        // A checkpoint over an empty list is never made.
        guard size > 0 else { throw .unexpectedForm(offset: reader.index) }
        try reader.endObject(&object)
        return Checkpoint(at: at, key: key, root: root, size: size)
    }
}

/// A checkpoint, its signature and the key to verify it with.
public struct SignedCheckpoint: Hashable, Sendable {
    /// The checkpoint that was signed.
    public var checkpoint: Checkpoint
    /// The public half of the key that signed.
    public var publicKey: CheckpointKey
    /// The 64 bytes of the signature.
    public var signature: [UInt8]

    /// Creates a checkpoint with its signature.
    public init(checkpoint: Checkpoint, publicKey: CheckpointKey, signature: [UInt8]) {
        self.checkpoint = checkpoint
        self.publicKey = publicKey
        self.signature = signature
    }

    /// Whether the signature was made by the key, and the key is the one that the checkpoint names.
    ///
    /// It says nothing about who owns that key.
    public var isSignedByItsKey: Bool {
        publicKey.id == checkpoint.key
            && publicKey.accepts(signature, over: checkpoint.canonical)
    }
}
