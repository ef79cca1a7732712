package import EventLog

/// A contradiction between a checkpoint and a store or file.
package struct CheckpointFault: Hashable, Sendable {
    /// The kinds of contradictions.
    package enum Kind: String, Hashable, Sendable {
        /// A session that a checkpoint covers is not in the store.
        case sessionRemoved = "session-removed"
        /// A record that a checkpoint covers is not in the store.
        case tailCut = "tail-cut"
        /// A record that a checkpoint covers was replaced.
        case historyRewritten = "history-rewritten"
        /// The leaves do not give the signed root.
        case wrongRoot = "wrong-root"
        /// Leaves are missing, or no checkpoint covers them.
        case wrongLeaves = "wrong-leaves"
        /// The signature does not match the key that the checkpoint names.
        case wrongSignature = "wrong-signature"
        /// The signature was made with a key other than those given.
        case foreignSignature = "foreign-signature"
        /// A kept checkpoint covers more leaves than the store's list contains.
        case listCut = "list-cut"
        /// The store's list does not begin with the leaves that a kept checkpoint covers.
        case listRewritten = "list-rewritten"
        /// A file's proof does not prove what it should.
        case wrongProof = "wrong-proof"
        /// A row or a file is malformed.
        case unreadable = "unreadable"
    }

    /// The kind of contradiction.
    package var kind: Kind
    /// The session, if the contradiction concerns one.
    package var session: SessionID?
    /// The sequence number of the record, if the contradiction concerns one.
    package var sequence: SequenceNumber?
    /// The number of leaves that the contradicted checkpoint covers, if it is one checkpoint.
    package var size: Int?
    /// A description of the contradiction.
    package var message: String

    /// Creates a contradiction.
    package init(
        kind: Kind,
        session: SessionID? = nil,
        sequence: SequenceNumber? = nil,
        size: Int? = nil,
        message: String
    ) {
        self.kind = kind
        self.session = session
        self.sequence = sequence
        self.size = size
        self.message = message
    }

    /// The error code.
    package var code: String {
        switch kind {
        case .sessionRemoved: "checkpoint.session-removed"
        case .tailCut: "checkpoint.tail-cut"
        case .historyRewritten: "checkpoint.history-rewritten"
        case .wrongRoot: "checkpoint.wrong-root"
        case .wrongLeaves: "checkpoint.wrong-leaves"
        case .wrongSignature: "checkpoint.wrong-signature"
        case .foreignSignature: "checkpoint.foreign-signature"
        case .listCut: "checkpoint.list-cut"
        case .listRewritten: "checkpoint.list-rewritten"
        case .wrongProof: "checkpoint.wrong-proof"
        case .unreadable: "checkpoint.unreadable"
        }
    }

    /// The contradiction as JSON.
    package var json: JSONValue {
        [
            "kind": .string(kind.rawValue),
            "session": JSONValue(session?.description),
            "seq": JSONValue(sequence), "size": JSONValue(size.map(Int64.init)),
            "message": .string(message),
        ]
    }
}

extension CheckpointFault {
    /// Creates the contradiction of a signature; `nil` when it is valid and its key is trusted.
    ///
    /// - Parameters:
    ///   - signed: The checkpoint.
    ///   - name: The name of the checkpoint, for the message.
    ///   - keys: The keys that may have signed; any key may when this is empty.
    package init?(_ signed: SignedCheckpoint, of name: String, trusting keys: [CheckpointKey]) {
        let size = signed.checkpoint.size
        guard signed.isSignedByItsKey else {
            self.init(
                kind: .wrongSignature,
                size: size,
                message: "the signature of \(name) is invalid: the checkpoint was altered"
            )
            return
        }
        guard !keys.isEmpty, !keys.contains(signed.publicKey) else { return nil }
        self.init(
            kind: .foreignSignature,
            size: size,
            message: "\(name) was signed by key \(signed.checkpoint.key), which is not one of "
                + "the keys that you trust"
        )
    }
}
