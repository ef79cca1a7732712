import TestSupport
import Testing

@testable import Adapters
@testable import EventLog
@testable import EventStores
@testable import SwedbankPay

/// What stops a retention run by a clock that is wrong by years.
@Suite(.threat("T-19")) struct RetentionGuardTests {
    private static let begin = Instant(microseconds: 1_763_640_000_000_000)

    /// Runs a test with a store of some sessions, each with a key and a record of ``begin``.
    private func with(
        _ count: Int,
        _ body: (SQLiteEventStore) async throws -> Void
    ) async throws {
        try await StoreFile.with { file in
            let vault = try MasterKeyVault(masterKey: [UInt8](1...32))
            let store = try await SQLiteEventStore(path: file.path)
            for number in 0..<count {
                let session = SessionID(at: Self.begin, random: (7, UInt64(number)))
                let event = RecordedEvent(
                    stream: session,
                    sequence: 1,
                    at: Self.begin,
                    event: .refetchRequested(RefetchRequested(by: "host")),
                    metadata: EventMetadata(build: "1", catalogue: "", cause: "c", node: "n")
                )
                // The row is from the future: it is no evidence of the time.
                var append = StreamAppend(
                    stream: session,
                    expectedVersion: 0,
                    records: [try RecordWriter.unsealedRecord(event, after: .empty)],
                    summary: SessionSummary(
                        session: session,
                        phase: "opening",
                        isSettled: false,
                        lastSequence: 1,
                        openedAt: Self.begin,
                        lastAt: Self.begin + .seconds(100 * 365 * 86_400)
                    )
                )
                append.wrappedKey = try await vault.makeKeys(for: session).wrapped
                try await store.append(append)
            }
            try await body(store)
            await store.close()
        }
    }

    private static func after(days: Int64) -> Instant { begin + .seconds(days * 86_400) }

    /// Returns why a run some days after the records is refused, after a last run some days after
    /// them.
    private static func refusal(
        _ store: SQLiteEventStore,
        _ days: Int64,
        after lastRun: Int64?
    ) async throws -> RetentionGuard.Refusal? {
        try await RetentionGuard(
            of: store,
            at: after(days: days),
            after: lastRun.map(after)
        ).clockRefusal()
    }

    @Test func `a clock that is far ahead of the newest record and of the last run is not trusted`()
        async throws
    {
        try await with(2) { store in
            let found1 = try await Self.refusal(store, 30, after: nil)
            #expect(found1 == nil)
            let year = RetentionGuard.Refusal.clockAhead(by: .seconds(365 * 86_400))
            let found2 = try await Self.refusal(store, 365, after: nil)
            #expect(found2 == year)
            let found3 = try await Self.refusal(store, 365, after: 364)
            #expect(found3 == nil)
            let days = RetentionGuard.Refusal.clockAhead(by: .seconds(65 * 86_400))
            let found4 = try await Self.refusal(store, 365, after: 300)
            #expect(found4 == days)
            // A clock that was set back is not ahead of anything.
            let found5 = try await Self.refusal(store, 1, after: 364)
            #expect(found5 == nil)
        }
        try await with(0) { store in
            let check = RetentionGuard(of: store, at: Self.begin, after: nil)
            let result1 = try await check.clockRefusal()
            #expect(result1 == nil)
        }
    }

    @Test func `more than a quarter of all sessions is refused at once, unless they are few`()
        async throws
    {
        try await with(50) { store in
            let check = RetentionGuard(of: store, at: Self.begin, after: nil)
            let result2 = try await check.shareRefusal(of: 12)
            #expect(result2 == nil)
            let result3 = try await check.shareRefusal(of: 13)
            #expect(result3 == .tooMany(13, of: 50))
        }
        try await with(11) { store in
            let check = RetentionGuard(of: store, at: Self.begin, after: nil)
            let result4 = try await check.shareRefusal(of: 10)
            #expect(result4 == nil)
            let result5 = try await check.shareRefusal(of: 11)
            #expect(result5 == .tooMany(11, of: 11))
        }
    }
}
