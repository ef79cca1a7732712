import EventLog
import Foundation
import SwedbankPay
import Testing

@testable import Adapters
@testable import EventStores

/// A store with distinct records, for tests of checkpoints.
struct CheckpointStore {
    let file: StoreFile
    let store: SQLiteEventStore
    let signer: CheckpointSigner

    /// The time of the first checkpoint of a test.
    static let start = Instant(microseconds: 1_764_000_000_000_000)

    static func with(_ body: (CheckpointStore) async throws -> Void) async throws {
        try await StoreFile.with { file in
            let signer = try #require(CheckpointSigner(privateKey: Array(repeating: 7, count: 32)))
            let store = try await SQLiteEventStore(path: file.path)
            try await body(CheckpointStore(file: file, store: store, signer: signer))
            await store.close()
        }
    }

    static func hash(_ session: Int, _ sequence: SequenceNumber) -> Digest256 {
        MerkleHash.leaf(Array("\(session)/\(sequence)".utf8))
    }

    static func leaf(_ session: Int, _ sequence: SequenceNumber) -> CheckpointLeaf {
        CheckpointLeaf(
            stream: StoredSession(session).id,
            sequence: sequence,
            hash: hash(session, sequence)
        )
    }

    /// Appends records to a session, after an expected version.
    func append(to session: Int, after version: SequenceNumber, count: Int = 1) async throws {
        for place in version..<(version + count) {
            var append = StoredSession(session).append(after: place)
            append.records[0].previous =
                place == 0 ? .zero : Self.hash(session, place)
            append.records[0].hash = Self.hash(session, place + 1)
            try await store.append(append)
        }
    }

    /// Makes a checkpoint, a number of seconds after the first.
    func checkpoint(_ second: Int64 = 0, covering limit: Int = 100) async throws -> CheckpointMaking
    {
        try await store.makeCheckpoint(
            signedBy: signer,
            at: Self.start + .seconds(second),
            covering: limit
        )
    }

    /// The store's leaves.
    func leaves() async throws -> [CheckpointLeaf] {
        try await store.checkpointLeaves(from: 0, limit: 1000).map(\.leaf)
    }
}
