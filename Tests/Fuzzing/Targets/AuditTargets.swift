@testable import Adapters
@testable import EventLog
@testable import EventStores
@testable import SwedbankPay
@testable import workflowctl

extension FuzzTarget {
    /// The file with the position at which an interrupted verification continues.
    static let resumeFile = FuzzTarget(
        name: "resume-file",
        maximumLength: 4096,
        seeds: {
            [
                Resumption.bytes(of: Marks.begun), Resumption.bytes(of: Marks.far),
                Resumption.bytes(of: Marks.onServer),
            ]
        },
        growths: [
            .repeating("[1,2],", after: #"{"form":1,"suspects":["#, before: "[1,2]]}"),
            .repeating("[", after: #"{"form":1,"suspects":"#),
        ],
        check: { bytes throws(Broken) in
            guard let mark = Resumption.mark(in: bytes) else {
                guard let mark = Resumption.serverMark(in: bytes) else { return false }
                let text = Resumption.bytes(of: mark)
                try hold(Resumption.serverMark(in: text) == mark, "a server's is, too")
                return true
            }
            let text = Resumption.bytes(of: mark)
            try hold(Resumption.mark(in: text) == mark, "a mark is read back as it was")
            try hold(mark.position.done <= mark.position.end, "it is not beyond the end")
            let numbers = [
                mark.result.sessions, mark.result.damaged, mark.result.tally.records,
                mark.result.tally.seals, mark.result.seals.opened,
            ]
            try hold(numbers.allSatisfy { $0 >= 0 }, "no count is below zero")
            try hold(
                mark.result.faults.count <= StoreAudit.maximumFaults,
                "the bound on faults is kept"
            )
            return true
        }
    )

    /// A kept checkpoint, with or without proofs.
    static let checkpoint = FuzzTarget(
        name: "checkpoint",
        maximumLength: 8192,
        seeds: { Proofs.documents.map { $0.encode() } },
        growths: [
            .repeating("[", after: #"{"leaves":"#),
            .repeating("\"\(Digest256.zero)\",", after: #"{"consistency":{"path":["#),
        ],
        check: { bytes throws(Broken) in
            let document: CheckpointDocument
            do throws(EventDecodingError) {
                document = try CheckpointDocument(parsing: bytes)
            } catch {
                try Canary.isAbsent(from: "\(error)")
                return false
            }
            let again = try? CheckpointDocument(parsing: document.encode())
            try hold(again == document, "a checkpoint is read back as it was")
            let fault = document.fault
            try hold(again?.fault == fault, "it is judged alike")
            guard fault == nil else { return true }
            // The seeds' keys are not secret, but no changed input is signed by them.
            try hold(
                Proofs.documents.contains { $0.signed == document.signed },
                "what holds was signed"
            )
            for known in Proofs.documents where known.signed == document.signed {
                try hold(
                    document.leaves.map { $0 == Proofs.leaves(document.signed.checkpoint.size) }
                        ?? true,
                    "leaves that hold are the ones that were signed"
                )
                try hold(
                    document.inclusion.map { inclusion in
                        Proofs.leaves(known.signed.checkpoint.size).contains(inclusion.leaf)
                    } ?? true,
                    "a session that is shown to be covered is covered"
                )
            }
            return true
        }
    )
}

/// Marks to start with.
enum Marks {
    static let begun = StoreAuditMark(
        position: StoreAuditPosition(first: nil, last: nil, done: 0, end: 0, digest: .zero),
        suspects: [],
        result: StoreAuditResult()
    )

    static let onServer: SessionAuditMark = {
        let session = SessionID(high: 0x0192_f0c1_7c1e_7d3a, low: 0x9b1e_0a1b_2c3d_4e5f)
        let place = SessionAuditMark.Place(session: session, hash: .zero)
        var result = StoreAuditResult()
        result.sessions = 12
        result.tally.records = 300
        return SessionAuditMark(first: place, last: place, suspects: [session], result: result)
    }()

    static let far: StoreAuditMark = {
        let place = StoreAuditPosition.Place(position: 8192, hash: .zero)
        var result = StoreAuditResult()
        result.sessions = 270
        result.tally.records = 8192
        result.tally.unknown[.init(type: "later", version: 2)] = 3
        if let session = SessionID("0192f0c1-7c1e-7d3a-9b1e-0a1b2c3d4e5f") {
            result.add(StoreFault(session: session, sequence: 7, kind: .wrongSeal))
            result.add(StoreFault(session: session, sequence: nil, kind: .wrongKey))
            result.add(StoreFault(session: session, sequence: 9, kind: .projection(["address_fp"])))
        }
        return StoreAuditMark(
            position: StoreAuditPosition(
                first: place,
                last: place,
                done: 8192,
                end: 100_000,
                digest: .zero
            ),
            suspects: [.init(key: 3, position: 17), .init(key: 270, position: 8190)],
            result: result
        )
    }()
}

/// Checkpoints of growing lists, with everything that a file can contain.
enum Proofs {
    static let sizes = [1, 2, 3, 6, 7, 11]

    /// Returns the first leaves of the list.
    static func leaves(_ count: Int) -> [CheckpointLeaf] {
        (0..<count).compactMap { number in
            SessionID(String(format: number)).map {
                CheckpointLeaf(
                    stream: $0,
                    sequence: SequenceNumber(number + 1),
                    hash: MerkleHash.leaf([UInt8(number)])
                )
            }
        }
    }

    static let documents: [CheckpointDocument] = {
        guard let signer = CheckpointSigner(privateKey: [UInt8](repeating: 7, count: 32)) else {
            return []
        }
        return sizes.flatMap { size -> [CheckpointDocument] in
            let leaves = leaves(size)
            let tree = MerkleTree(leaves: leaves.map(\.treeHash))
            let instant = Instant(microseconds: 1_790_000_000_000_000)
            // Ed25519 is deterministic, but some libraries randomise it, so each is signed once.
            guard let signed = signer.sign(root: tree.root, size: size, at: instant) else {
                return []
            }
            let earlier = (1..<size).compactMap { first in
                tree.consistency(from: first).flatMap { path in
                    tree.root(of: first).map {
                        CheckpointDocument.Consistency(size: first, root: $0, path: path)
                    }
                }
            }
            let inclusions = (0..<size).compactMap { place in
                tree.inclusion(of: place).map {
                    CheckpointDocument.Inclusion(index: place, leaf: leaves[place], path: $0)
                }
            }
            return [
                CheckpointDocument(signed), CheckpointDocument(signed, leaves: leaves),
                CheckpointDocument(
                    signed,
                    consistency: earlier.last,
                    inclusion: inclusions.first,
                    leaves: nil
                ),
            ]
        }
    }()
}

extension String {
    /// Returns the text of a session's identifier that ends with a number.
    fileprivate init(format number: Int) {
        let digits = "\(number)"
        self =
            "0192f0c1-7c1e-7d3a-9b1e-" + String(repeating: "0", count: 12 - digits.count) + digits
    }
}
