import EventLog
import SwedbankPay
import Testing
import Workflow

@testable import Adapters
@testable import EventStores

/// How a store makes checkpoints.
@Suite struct CheckpointMakingTests {
    private typealias Leaf = CheckpointStore

    @Test func `a checkpoint covers the sessions that have grown, in order, and no others`()
        async throws
    {
        try await CheckpointStore.with { kit in
            #expect(try await kit.checkpoint() == .unchanged(nil))
            try await kit.append(to: 2, after: 0, count: 3)
            try await kit.append(to: 1, after: 0)
            guard case .made(let first, added: 2, unchecked: _) = try await kit.checkpoint() else {
                Issue.record("no checkpoint was made")
                return
            }
            #expect(try await kit.leaves() == [Leaf.leaf(1, 1), Leaf.leaf(2, 3)])
            #expect(first.isSignedByItsKey && first.checkpoint.size == 2)
            #expect(try await kit.checkpoint(1) == .unchanged(first))
            try await kit.append(to: 3, after: 0)
            try await kit.append(to: 1, after: 1, count: 2)
            guard case .made(let second, added: 2, unchecked: _) = try await kit.checkpoint(2)
            else {
                Issue.record("no checkpoint was made")
                return
            }
            let leaves = [Leaf.leaf(1, 1), Leaf.leaf(2, 3), Leaf.leaf(1, 3), Leaf.leaf(3, 1)]
            #expect(try await kit.leaves() == leaves)
            let tree = MerkleTree(leaves: leaves.map(\.treeHash))
            #expect(tree.root == second.checkpoint.root)
            #expect(tree.root(of: 2) == first.checkpoint.root)
            #expect(
                try await kit.store.checkpoints(from: 0, limit: 9).map(\.signed) == [first, second]
            )
            #expect(try await kit.store.newestCheckpoint()?.signed == second)
            let newest = try await kit.store.newestLeaf(of: StoredSession(1).id)
            #expect(newest == PlacedLeaf(place: 2, leaf: Leaf.leaf(1, 3), found: .same))
            #expect(try await kit.store.newestLeaf(of: StoredSession(9).id) == nil)
        }
    }

    @Test func `many records are covered by several checkpoints, up to each session's last record`()
        async throws
    {
        try await CheckpointStore.with { kit in
            for session in 1...7 { try await kit.append(to: session, after: 0, count: 3) }
            try await kit.append(to: 1, after: 3, count: 2)
            guard case .made(let signed, let added, _) = try await kit.checkpoint(covering: 4)
            else {
                Issue.record("no checkpoint was made")
                return
            }
            let leaves = try await kit.leaves()
            #expect(leaves.count == added && signed.checkpoint.size == added)
            #expect(MerkleTree(leaves: leaves.map(\.treeHash)).root == signed.checkpoint.root)
            #expect(try await kit.store.checkpoints(from: 0, limit: 99).count == 6)
            for session in 1...7 {
                let newest = try await kit.store.newestLeaf(of: StoredSession(session).id)
                #expect(newest?.leaf == Leaf.leaf(session, session == 1 ? 5 : 3))
            }
        }
    }

    @Test func `the age of the newest checkpoint is measured while it does not cover everything`()
        async throws
    {
        struct LaterClock: EngineClock {
            func now() -> Instant { CheckpointStore.start + .seconds(90) }
            func sleep(until instant: Instant) async {}
        }
        try await CheckpointStore.with { kit in
            func age() async throws -> Double? {
                let readings = MetricReadings()
                try await StoreGauges(of: kit.store, clock: LaterClock(), metrics: readings)
                    .sample()
                return readings.all.first { $0.name == "payment_workflow_checkpoint_age_seconds" }?
                    .value
            }
            #expect(try await age() == nil)
            try await kit.append(to: 1, after: 0)
            #expect(try await age() == nil)
            _ = try await kit.checkpoint(30)
            #expect(try await age() == 0)
            try await kit.append(to: 1, after: 1)
            #expect(try await age() == 60)
            _ = try await kit.checkpoint(90)
            #expect(try await age() == 0)
        }
    }

    @Test func `a clock that was set back does not make a checkpoint older than the last one`()
        async throws
    {
        try await CheckpointStore.with { kit in
            try await kit.append(to: 1, after: 0)
            _ = try await kit.checkpoint(60)
            try await kit.append(to: 1, after: 1)
            guard case .made(let signed, _, _) = try await kit.checkpoint(0) else {
                Issue.record("no checkpoint was made")
                return
            }
            #expect(signed.checkpoint.at == CheckpointStore.start + .seconds(60))
        }
    }

    @Test func `concurrent checkpoint makers produce one consistent list`() async throws {
        try await CheckpointStore.with { kit in
            let other = try await SQLiteEventStore(path: kit.file.path)
            try await withThrowingTaskGroup { group in
                group.addTask {
                    for session in 1...40 { try await kit.append(to: session, after: 0, count: 2) }
                }
                for store in [kit.store, other] {
                    group.addTask {
                        for _ in 0..<25 {
                            _ = try await store.makeCheckpoint(
                                signedBy: kit.signer,
                                at: CheckpointStore.start
                            )
                        }
                    }
                }
                try await group.waitForAll()
            }
            await other.close()
            _ = try await kit.checkpoint()
            let leaves = try await kit.store.checkpointLeaves(from: 0, limit: 1000)
            #expect(leaves.map(\.place) == Array(leaves.indices))
            #expect(leaves.allSatisfy { $0.found == .same })
            let tree = MerkleTree(leaves: leaves.map(\.leaf.treeHash))
            for checkpoint in try await kit.store.checkpoints(from: 0, limit: 1000) {
                let signed = checkpoint.signed
                #expect(signed.isSignedByItsKey)
                #expect(tree.root(of: signed.checkpoint.size) == signed.checkpoint.root)
            }
            for session in 1...40 {
                let newest = leaves.last { $0.leaf.stream == StoredSession(session).id }
                #expect(newest?.leaf == CheckpointStore.leaf(session, 2))
            }
        }
    }

    @Test(arguments: [
        // The last record that the checkpoint covers is replaced by another.
        "DELETE FROM events WHERE position = (SELECT max(position) FROM events)",
        "UPDATE events SET hash = zeroblob(32) WHERE position = (SELECT max(position) FROM events)",
        // A record below the leaf of a session that has grown was rewritten.
        "UPDATE events SET hash = zeroblob(32) WHERE session = 1 AND seq = 2",
        "UPDATE checkpoints SET root = zeroblob(32)",
        "UPDATE checkpoints SET signature = zeroblob(64)",
        "UPDATE checkpoints SET peaks = zeroblob(32)",
        "DELETE FROM checkpoint_leaves WHERE place = 1",
        "DELETE FROM checkpoints",
    ])
    func `a store that contradicts its checkpoints gets no further checkpoint`(
        sql: String
    ) async throws {
        try await CheckpointStore.with { kit in
            try await kit.append(to: 1, after: 0, count: 2)
            try await kit.append(to: 2, after: 0)
            _ = try await kit.checkpoint()
            try kit.file.python(sql)
            if !sql.contains("DELETE FROM events") {
                try await kit.append(to: 1, after: 2)
            } else {
                try await kit.append(to: 3, after: 0)
            }
            #expect(try await kit.checkpoint(1) == .contradicted)
            #expect(try await kit.checkpoint(1) == .contradicted)
        }
    }

    @Test(arguments: [
        (
            "DELETE FROM events WHERE session = 1; DELETE FROM session_keys WHERE session = 1; "
                + "DELETE FROM sessions WHERE key = 1", PlacedLeaf.Found.noSession
        ),
        ("DELETE FROM events WHERE session = 1 AND seq = 2", .noRecord),
        ("UPDATE events SET hash = zeroblob(32) WHERE session = 1 AND seq = 2", .other),
        ("UPDATE events SET hash = X'00' WHERE session = 1 AND seq = 2", .other),
        ("DELETE FROM session_keys", .same),
    ])
    func `each leaf is returned with what the store now holds for it`(
        sql: String,
        found: PlacedLeaf.Found
    ) async throws {
        try await CheckpointStore.with { kit in
            try await kit.append(to: 1, after: 0, count: 2)
            try await kit.append(to: 2, after: 0)
            _ = try await kit.checkpoint()
            try kit.file.python(sql)
            let leaves = try await kit.store.checkpointLeaves(from: 0, limit: 9)
            #expect(leaves.map(\.found) == [found, .same])
            #expect(try await kit.store.checkpointLeaves(from: 1, limit: 9).map(\.place) == [1])
        }
    }

    @Test
    func `a read-only store refuses to make a checkpoint and still returns the existing ones`()
        async throws
    {
        try await CheckpointStore.with { kit in
            try await kit.append(to: 1, after: 0)
            _ = try await kit.checkpoint()
            let reading = try await SQLiteEventStore(
                path: kit.file.path,
                options: SQLiteOptions(access: .readOnly)
            )
            await #expect(throws: EventStoreError.readOnly) {
                try await reading.makeCheckpoint(signedBy: kit.signer, at: CheckpointStore.start)
            }
            #expect(try await reading.newestCheckpoint()?.signed.checkpoint.size == 1)
            await reading.close()
        }
    }
}
