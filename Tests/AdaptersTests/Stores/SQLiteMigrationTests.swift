import EventLog
import Foundation
import SwedbankPay
import Testing

@testable import Adapters

/// Files that earlier builds wrote.
@Suite struct SQLiteMigrationTests {
    @Test func `a file of schema version 1 keeps its sessions, also two with the same address`()
        async throws
    {
        try await StoreFile.with { file in
            let twins = [StoredSession(1).id, StoredSession(2).id]
            try write(twins, into: file)
            let store = try await SQLiteEventStore(path: file.path)
            #expect(
                try await store.sessions(matching: SessionQuery()).map(\.session)
                    == twins.reversed()
            )
            for twin in twins {
                #expect(try await store.read(twin, from: 1, limit: 9).map(\.type) == ["opened"])
                #expect(try await store.wrappedKey(of: twin) == [1])
            }
            // Both continue; no third one is created.
            #expect(try await store.session(ofAddress: address) == twins[1])
            for number in 1...2 { try await store.append(append(to: number, after: 1)) }
            await #expect(throws: EventStoreError.addressTaken(by: twins[1])) {
                try await store.append(append(to: 3, after: 0))
            }
            await store.close()
            #expect(
                try file.python("PRAGMA user_version; PRAGMA foreign_key_check") == [
                    "\(SQLiteSchema.currentVersion)"
                ]
            )
        }
    }

    @Test(arguments: 1..<SQLiteSchema.currentVersion)
    func `a migrated file's sessions have origin own, and their records have no MACs`(
        version: Int
    ) async throws {
        try await StoreFile.with { file in
            let session = StoredSession(1).id
            try write([session], into: file, version: version)
            let store = try await SQLiteEventStore(path: file.path)
            let row = try #require(try await store.row(of: session))
            #expect(row.origin == .own && row.headMAC == nil)
            #expect(try await store.read(session, from: 1, limit: 9).map(\.mac) == [nil])
            #expect(try await store.schemaFaults().isEmpty)
            #expect(try await store.lineage().doubt == nil)
            await store.close()
        }
    }

    @Test func `a consumer added later is given the sessions of a version 1 file`()
        async throws
    {
        try await StoreFile.with { file in
            let session = StoredSession(1).id
            try write([session], into: file)
            let store = try await SQLiteEventStore(path: file.path)
            let start = Instant(microseconds: 0)
            let query = UndeliveredQuery(
                consumer: "telemetry",
                openedSince: start,
                now: start,
                limit: 9
            )
            #expect(try await store.sessionsUndelivered(matching: query) == [session])
            let claim = DeliveryClaim(consumer: "telemetry", worker: 7, until: start)
            #expect(
                try await store.changeDeliveries([.claim(session)], by: claim, at: start)
                    == [DeliveryProgress.start]
            )
            await store.close()
        }
    }

    @Test(arguments: 1..<SQLiteSchema.currentVersion)
    func `a migrated file gets a checkpoint that covers all its sessions`(
        version: Int
    ) async throws {
        try await StoreFile.with { file in
            let sessions = [StoredSession(1).id, StoredSession(2).id]
            try write(sessions, into: file, version: version)
            let store = try await SQLiteEventStore(path: file.path)
            #expect(try await store.newestCheckpoint() == nil)
            #expect(try await store.checkpointLeaves(from: 0, limit: 9).isEmpty)
            let signer = try #require(CheckpointSigner(privateKey: Array(repeating: 7, count: 32)))
            let now = Instant(microseconds: 0)
            guard
                case .made(let signed, added: 2, unchecked: _) = try await store.makeCheckpoint(
                    signedBy: signer,
                    at: now
                )
            else {
                Issue.record("no checkpoint was made")
                return
            }
            #expect(try await store.newestCheckpoint()?.signed == signed)
            #expect(
                try await store.checkpointLeaves(from: 0, limit: 9).map(\.leaf.stream) == sessions
            )
            await store.close()
            #expect(
                try file.python("PRAGMA user_version; PRAGMA integrity_check")
                    == ["\(SQLiteSchema.currentVersion)", "ok"]
            )
        }
    }

    @Test(arguments: 1..<SQLiteSchema.currentVersion)
    func `a file of an earlier version is refused by a read-only open and left unchanged`(
        version: Int
    ) async throws {
        try await StoreFile.with { file in
            try write([StoredSession(1).id], into: file, version: version)
            let error = await file.openingError(SQLiteOptions(access: .readOnly))
            #expect(error?.code == "store.unavailable")
            #expect(error?.description.contains("open it once for writing") == true)
            #expect(try file.python("PRAGMA user_version") == ["\(version)"])
        }
    }

    private let address = Digest256(bytes: Array(repeating: 0xAB, count: 32)) ?? .zero

    private func append(to number: Int, after version: SequenceNumber) -> StreamAppend {
        var append = StoredSession(number).append(after: version)
        append.summary.addressFingerprint = address
        return append
    }

    /// Writes a file of an earlier version, with sessions that all have one address.
    private func write(
        _ sessions: [SessionID],
        into file: StoreFile,
        version: Int = 1
    ) throws {
        var sql = SQLiteSchema.migrations.prefix(version).joined(separator: ";")
        sql += ";PRAGMA user_version = \(version)"
        let zero = "zeroblob(32)"
        for (index, session) in sessions.enumerated() {
            let key = index + 1
            sql += """
                ;INSERT INTO sessions (key, id, phase, settled, last_seq, opened_at, last_at, address_fp)
                    VALUES (\(key), '\(session)', 'ready', 1, 1, 1, 1, X'\(address.hexadecimal)')
                ;INSERT INTO events (session, seq, type, at, record, prev, hash)
                    VALUES (\(key), 1, 'opened', 1, X'20', \(zero), \(zero))
                ;INSERT INTO session_keys VALUES (\(key), X'01')
                """
        }
        try file.python(sql)
    }
}
