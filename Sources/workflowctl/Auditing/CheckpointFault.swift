internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// A contradiction between a store and a checkpoint.
struct CheckpointFault: Hashable, Sendable {
    /// The kinds of contradictions.
    enum Kind: String, Hashable, Sendable {
        /// A session that a checkpoint covers is not in the store.
        case sessionRemoved = "session-removed"
        /// A record that a checkpoint covers is not in the store.
        case tailCut = "tail-cut"
        /// The store has a different record than the one that a checkpoint covers.
        case historyRewritten = "history-rewritten"
        /// The leaves do not produce the signed root.
        case wrongRoot = "wrong-root"
        /// Leaves are missing, or exist beyond what checkpoints cover.
        case wrongLeaves = "wrong-leaves"
        /// The signature was not made with the key that the checkpoint names.
        case wrongSignature = "wrong-signature"
        /// The signature was made with a key that is not trusted.
        case foreignSignature = "foreign-signature"
        /// A kept checkpoint covers more leaves than the store has.
        case listCut = "list-cut"
        /// The store's leaves are not a continuation of those that a kept checkpoint covers.
        case listRewritten = "list-rewritten"
        /// The inclusion proof in a file is not valid.
        case wrongProof = "wrong-proof"
        /// A row or a file is malformed.
        case unreadable = "unreadable"
    }

    /// The kind.
    var kind: Kind
    /// The session, when the contradiction concerns one.
    var session: SessionID?
    /// The sequence number of the record, when the contradiction concerns one.
    var sequence: Int64?
    /// The size of the contradicted checkpoint, when there is one.
    var size: Int?
    /// A description for people.
    var message: String

    /// The contradiction as a command's failure.
    func failure(stillTrue: String?) -> Failure {
        Failure(.damaged, code, message, hint: stillTrue)
    }

    /// The error code.
    var code: String {
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
    var json: JSONValue {
        [
            "kind": .string(kind.rawValue),
            "session": JSONValue(session?.description),
            "seq": JSONValue(sequence), "size": JSONValue(size.map(Int64.init)),
            "message": .string(message),
        ]
    }
}

extension CheckpointFault {
    /// Creates the contradiction between a leaf and the store; `nil` when they agree.
    init?(_ placed: PlacedLeaf) {
        let leaf = placed.leaf
        let record = "record \(leaf.sequence) of session \(leaf.stream)"
        let (kind, message): (Kind, String)
        switch placed.found {
        case .same: return nil
        case .noSession:
            kind = .sessionRemoved
            message =
                "session \(leaf.stream) was removed: a checkpoint covers \(leaf.sequence) "
                + "records of it"
        case .noRecord:
            kind = .tailCut
            message = "\(record) is missing: a checkpoint covers it"
        case .other:
            kind = .historyRewritten
            message =
                "the log of session \(leaf.stream) was rewritten: \(record) is another one "
                + "than the checkpoint covers"
        }
        self.init(kind: kind, session: leaf.stream, sequence: leaf.sequence, message: message)
    }

    /// Creates the fault of a signature; `nil` when it is valid and its key is trusted.
    ///
    /// - Parameters:
    ///   - signed: The checkpoint.
    ///   - name: The checkpoint's name, for the message.
    ///   - keys: The keys that may have signed; an empty list allows any key.
    init?(_ signed: SignedCheckpoint, of name: String, trusting keys: [CheckpointKey]) {
        let size = signed.checkpoint.size
        guard signed.isSignedByItsKey else {
            self.init(
                kind: .wrongSignature,
                size: size,
                message: "the signature of \(name) does not hold: the checkpoint was altered"
            )
            return
        }
        guard !keys.isEmpty, !keys.contains(signed.publicKey) else { return nil }
        self.init(
            kind: .foreignSignature,
            size: size,
            message: "\(name) was signed by somebody else: by key \(signed.checkpoint.key), which "
                + "is none of the keys that you trust"
        )
    }
}
