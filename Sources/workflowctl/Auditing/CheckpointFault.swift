internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// What contradicts a checkpoint.
struct CheckpointFault: Hashable, Sendable {
    /// The kinds of contradictions.
    enum Kind: String, Hashable, Sendable {
        /// A session that a checkpoint covers is not in the store.
        case sessionRemoved = "session-removed"
        /// A record that a checkpoint covers is not in the store.
        case tailCut = "tail-cut"
        /// A record that a checkpoint covers is another one.
        case historyRewritten = "history-rewritten"
        /// The leaves don't give the root that was signed.
        case wrongRoot = "wrong-root"
        /// Leaves are missing, or stand where no checkpoint covers them.
        case wrongLeaves = "wrong-leaves"
        /// The signature is not of the key that the checkpoint names.
        case wrongSignature = "wrong-signature"
        /// The signature is of a key that is none of those that were given.
        case foreignSignature = "foreign-signature"
        /// A checkpoint that was kept covers more than the store's list has.
        case listCut = "list-cut"
        /// The store's list does not begin with what a kept checkpoint covers.
        case listRewritten = "list-rewritten"
        /// A file's proof does not show what it is to show.
        case wrongProof = "wrong-proof"
        /// A row or a file does not hold what it has to.
        case unreadable = "unreadable"
    }

    /// The kind.
    var kind: Kind
    /// The session, if it is one session's.
    var session: SessionID?
    /// The record, if it is a record's.
    var sequence: Int64?
    /// How many leaves the checkpoint covers that is contradicted, if it is one checkpoint.
    var size: Int?
    /// What is wrong.
    var message: String

    /// The contradiction as the failure of a command.
    func failure(stillTrue: String?) -> Failure {
        Failure(.damaged, code, message, hint: stillTrue)
    }

    /// The code of the error.
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
    /// What is wrong with a leaf; nothing when the store has what it names.
    init?(_ placed: PlacedLeaf) {
        let leaf = placed.leaf
        let record = "record \(leaf.sequence) of session \(leaf.stream)"
        let (kind, message): (Kind, String)
        switch placed.found {
        case .same: return nil
        case .noSession:
            kind = .sessionRemoved
            message =
                "session \(leaf.stream) was removed: a checkpoint covers \(leaf.sequence) of its records"
        case .noRecord:
            kind = .tailCut
            message = "\(record) is missing: a checkpoint covers it"
        case .other:
            kind = .historyRewritten
            message =
                "the log of session \(leaf.stream) was rewritten: \(record) is not the one that "
                + "the checkpoint covers"
        }
        self.init(kind: kind, session: leaf.stream, sequence: leaf.sequence, message: message)
    }

    /// What is wrong with who signed; nothing when the signature holds and the key is one of those given.
    ///
    /// - Parameters:
    ///   - signed: The checkpoint.
    ///   - name: Whose checkpoint it is, for the message.
    ///   - keys: The keys that may have signed; any when there are none.
    init?(_ signed: SignedCheckpoint, of name: String, trusting keys: [CheckpointKey]) {
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
