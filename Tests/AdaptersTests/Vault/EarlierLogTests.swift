import Testing

@testable import Adapters
@testable import EventLog
@testable import SwedbankPay
@testable import Workflow

/// A session of a build that wrote no MACs continues with them.
@Suite struct EarlierLogTests {
    private let vault: MasterKeyVault

    init() throws { vault = try MasterKeyVault(masterKey: [UInt8](1...32)) }

    /// Writes a session as an earlier build left it: its data key wrapped alone, and no record with
    /// a MAC.
    private func fill(_ store: SQLiteEventStore, _ number: Int) async throws -> SessionID {
        let session = SessionID(
            at: Instant(microseconds: 1_763_640_000_000_000 + Int64(number)),
            random: (7, UInt64(number))
        )
        let dataKey = [UInt8](repeating: UInt8(number), count: 32)
        let master = try #require(MasterKey([UInt8](1...32)))
        let wrapped = try master.wrap(dataKey, for: session, nonce: [UInt8](1...12))
        let keys = try #require(SessionKeys(dataKey: dataKey))
        var append = try self.append(3, to: session, after: .empty, keys)
        append.wrappedKey = wrapped
        try await store.append(append)
        return session
    }

    private func append(
        _ count: Int,
        to session: SessionID,
        after first: StreamHead,
        _ keys: SessionKeys?
    ) throws -> StreamAppend {
        var (head, records) = (first, [StoredRecord]())
        for _ in 0..<count {
            let event = RecordedEvent(
                stream: session,
                sequence: head.sequence + 1,
                at: Instant(microseconds: 1_763_640_000_000_000 + head.sequence.rawValue),
                event: .refetchRequested(RefetchRequested(by: "host")),
                metadata: EventMetadata(
                    build: "1",
                    catalogue: "",
                    cause: "command.refetch",
                    node: "n"
                )
            )
            let record = try RecordWriter.unsealedRecord(event, after: head, keys: keys)
            records.append(record)
            head = StreamHead(sequence: record.sequence, hash: record.hash)
        }
        var summary = SessionSummary(
            session: session,
            phase: "opening",
            isSettled: false,
            lastSequence: head.sequence,
            openedAt: Instant(microseconds: 1_763_640_000_000_000),
            lastAt: Instant(microseconds: 1_763_640_000_000_000 + head.sequence.rawValue - 1)
        )
        if let keys, keys.authenticFrom != nil { summary.headMAC = keys.mac(of: head) }
        return StreamAppend(
            stream: session,
            expectedVersion: first.sequence,
            records: records,
            summary: summary
        )
    }

    private func load(_ session: SessionID, _ store: SQLiteEventStore) async -> EngineError? {
        do {
            _ = try await SessionLoader(
                rules: SessionDecider(catalogue: .bundled),
                store: store,
                vault: vault,
                readBatch: 2
            ).load(session)
            return nil
        } catch {
            return error
        }
    }

    @Test func `loading an earlier build's session rewraps its key, and later records need a MAC`()
        async throws
    {
        try await StoreFile.with { file in
            let store = try await SQLiteEventStore(path: file.path)
            let session = try await fill(store, 1)
            let loaded = try await SessionLoader(
                rules: SessionDecider(catalogue: .bundled),
                store: store,
                vault: vault,
                readBatch: 2
            )
            .load(session)
            let resources = loaded.resources
            #expect(resources.keys.authenticFrom == 4)
            let wrapped = try #require(resources.wrappedKey)
            var next = try append(1, to: session, after: resources.head, resources.keys)
            next.wrappedKey = wrapped
            try await store.append(next)
            #expect(try await store.wrappedKey(of: session) == wrapped)
            #expect(await load(session, store) == nil)
            // Its first records still have no MACs; later ones must.
            let records = try await store.read(session, from: 1, limit: 10)
            #expect(records.map { $0.mac != nil } == [false, false, false, true])
            let head = try #require(try await store.head(of: session))
            try await store.append(try append(1, to: session, after: head, nil))
            guard case .notAuthentic(session, sequence: 5)? = await load(session, store) else {
                Issue.record("the forged record was taken")
                return
            }
            await store.close()
        }
    }

    @Test
    func `a key rotation makes new records of every session need a MAC, also if never loaded`()
        async throws
    {
        try await StoreFile.with { file in
            let store = try await SQLiteEventStore(path: file.path)
            let sessions = [try await fill(store, 1), try await fill(store, 2)]
            let progress = try await KeyRotation(of: store, with: vault).run()
            #expect(progress.rewrapped == 2)
            let again = try await KeyRotation(of: store, with: vault).run()
            #expect(again.rewrapped == 0)
            for session in sessions {
                #expect(await load(session, store) == nil)
                let head = try #require(try await store.head(of: session))
                try await store.append(try append(1, to: session, after: head, nil))
                guard case .notAuthentic(session, sequence: 4)? = await load(session, store) else {
                    Issue.record("the forged record was taken")
                    continue
                }
            }
            await store.close()
        }
    }
}
