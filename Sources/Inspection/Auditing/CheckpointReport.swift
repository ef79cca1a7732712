package import EventLog

/// The result of comparing a store with its checkpoints.
package struct CheckpointReport: Sendable {
    /// The number of the store's checkpoints that hold.
    package var checkpoints = 0
    /// The number of leaves compared with the store.
    package var leaves = 0
    /// The number of leaves that the store contradicts.
    package var contradicted = 0
    /// The number of checkpoints compared that were kept elsewhere.
    package var kept = 0
    /// The newest checkpoint up to which everything is valid.
    package var newest: SignedCheckpoint?
    /// The keys that signed, in the order of their first signature, with the number of signatures.
    package var signers: [(key: CheckpointKey, count: Int)] = []
    /// The contradictions in order, at most ``maximumFaults``, and only the first of each session.
    package private(set) var faults: [CheckpointFault] = []
    private var sessions: Set<SessionID> = []
    /// The last record of the first contradicted session that an earlier leaf confirms.
    package var soundSequence: SequenceNumber?

    /// The maximum number of contradictions kept.
    package static let maximumFaults = 10_000

    /// Creates a report without findings.
    package init() {}

    /// The first contradiction.
    package var first: CheckpointFault? { faults.first }

    /// Records a contradiction.
    package mutating func add(_ fault: CheckpointFault?) {
        guard let fault, faults.count < Self.maximumFaults else { return }
        if let session = fault.session, !sessions.insert(session).inserted { return }
        faults.append(fault)
    }

    /// Records a signer.
    package mutating func addSigner(_ key: CheckpointKey) {
        if let index = signers.firstIndex(where: { $0.key == key }) {
            signers[index].count += 1
        } else {
            signers.append((key, 1))
        }
    }

    /// A description of what is still trustworthy; `nil` when everything is.
    package var stillTrue: String? {
        guard let first else { return nil }
        var words: [String] = []
        if let session = first.session {
            let records = soundSequence ?? 0
            words.append(
                records > 0
                    ? "records 1 to \(records) of session \(session), which an earlier checkpoint confirms"
                    : "nothing of session \(session), because no checkpoint covers it"
            )
            words.append(
                "\(leaves - contradicted) of \(leaves) log ends, which the checkpoints confirm"
            )
        } else if let newest {
            words.append(
                "everything that the checkpoint of size \(newest.checkpoint.size), from "
                    + "\(newest.checkpoint.at), and earlier checkpoints cover"
            )
        } else {
            words.append("no records, because no checkpoint of the store is valid")
        }
        return words.joined(separator: "; ")
    }

    /// The report as JSON.
    package var json: JSONValue {
        [
            "sound": .bool(first == nil),
            "checkpoints": .integer(Int64(checkpoints)),
            "leaves": .integer(Int64(leaves)),
            "contradicted": .integer(Int64(contradicted)),
            "kept": .integer(Int64(kept)),
            "newest": newest?.json ?? .null,
            "keys": .array(
                signers.map { signer in
                    [
                        "key": .string(signer.key.id),
                        "publicKey": .string("\(signer.key)"),
                        "checkpoints": .integer(Int64(signer.count)),
                    ]
                }
            ),
            "fault": first?.json ?? .null,
            "trustworthy": JSONValue(stillTrue),
        ]
    }
}

extension SignedCheckpoint {
    /// The checkpoint as JSON, as written to a file.
    package var json: JSONValue {
        [
            "checkpoint": [
                "at": .string("\(checkpoint.at)"),
                "key": .string(checkpoint.key),
                "root": .string("\(checkpoint.root)"),
                "size": .integer(Int64(checkpoint.size)),
            ],
            "publicKey": .string("\(publicKey)"),
            "signature": .string(Hexadecimal.text(signature)),
        ]
    }
}
