extension CheckpointDocument {
    /// The file's content: one canonical JSON object, without a line ending.
    public func encode() -> [UInt8] {
        var writer = CanonicalWriter()
        write(to: &writer)
        return writer.bytes
    }

    /// Reads a file in any form of JSON.
    ///
    /// Unknown members are rejected; otherwise a claim whose name was altered would be silently
    /// ignored.
    ///
    /// - Throws: ``EventDecodingError`` when the file is not a checkpoint. Whether its claims hold
    ///   is reported by ``fault``.
    public init(
        parsing bytes: [UInt8],
        limits: CanonicalLimits = .standard
    ) throws(EventDecodingError) {
        let canonical = try JSONValue(
            parsing: bytes,
            limits: limits,
            exactNumbers: true
        ).canonical()
        self = try CanonicalReader.read(
            canonical,
            limits: limits
        ) { reader throws(EventDecodingError) in
            let document = try CheckpointDocument.read(from: &reader)
            try reader.finish()
            return document
        }
        guard encode() == canonical else { throw .unexpectedForm(offset: 0) }
    }
}

extension CheckpointDocument: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("checkpoint", signed.checkpoint)
            writer.member("consistency", consistency)
            writer.member("inclusion", inclusion)
            if let leaves { writer.members("leaves", leaves) }
            writer.member("publicKey", signed.publicKey.description)
            writer.member("signature", Hexadecimal.text(signed.signature))
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> CheckpointDocument {
        var object = try reader.beginObject()
        let checkpoint: Checkpoint = try reader.require("checkpoint", in: &object)
        let consistency: Consistency? = try reader.find("consistency", in: &object)
        let inclusion: Inclusion? = try reader.find("inclusion", in: &object)
        let leaves: [CheckpointLeaf]? = try reader.findList("leaves", in: &object)
        let key: String = try reader.require("publicKey", in: &object)
        let signature: String = try reader.require("signature", in: &object)
        guard let publicKey = Hexadecimal.bytes(key).flatMap(CheckpointKey.init),
            let signature = Hexadecimal.bytes(signature)
        else { throw .unexpectedForm(offset: reader.index) }
        try reader.endObject(&object)
        let signed = SignedCheckpoint(
            checkpoint: checkpoint,
            publicKey: publicKey,
            signature: signature
        )
        return CheckpointDocument(
            signed,
            consistency: consistency,
            inclusion: inclusion,
            leaves: leaves
        )
    }
}

extension CheckpointDocument.Consistency: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.members("path", path)
            writer.member("root", root)
            writer.member("size", size)
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> CheckpointDocument.Consistency {
        var object = try reader.beginObject()
        let path: [Digest256] = try reader.requireList("path", in: &object)
        let root: Digest256 = try reader.require("root", in: &object)
        let size: Int = try reader.require("size", in: &object)
        try reader.endObject(&object)
        return CheckpointDocument.Consistency(size: size, root: root, path: path)
    }
}

extension CheckpointDocument.Inclusion: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("index", index)
            writer.member("leaf", leaf)
            writer.members("path", path)
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> CheckpointDocument.Inclusion {
        var object = try reader.beginObject()
        let index: Int = try reader.require("index", in: &object)
        let leaf: CheckpointLeaf = try reader.require("leaf", in: &object)
        let path: [Digest256] = try reader.requireList("path", in: &object)
        try reader.endObject(&object)
        return CheckpointDocument.Inclusion(index: index, leaf: leaf, path: path)
    }
}
