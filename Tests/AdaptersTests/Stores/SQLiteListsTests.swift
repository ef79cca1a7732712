import EventLog
import TestSupport
import Testing

@testable import Adapters
@testable import EventStores

/// Lists beside appends: they contain what was appended before, whoever reads them.
@Suite(.guarantee(.feedComplete)) struct SQLiteListsTests {
    private static let queries: [(SessionQuery, [Int])] = [
        (SessionQuery(), [6, 5, 4, 3, 2, 1]),
        (SessionQuery(limit: 2), [6, 5]),
        (SessionQuery(phase: "attempting"), [5, 3]),
        (SessionQuery(phase: SessionSummary.ended), [6, 4, 2, 1]),
        (SessionQuery(reference: "order-1"), [1]),
        (SessionQuery(reference: "order-6"), [6]),
        (SessionQuery(referencePrefix: "order-"), [6, 5, 4, 3, 2, 1]),
        (SessionQuery(before: StoredSession(3).id), [2, 1]),
    ]

    private func append(_ number: Int, after version: SequenceNumber) -> StreamAppend {
        var append = StoredSession(number).append(after: version)
        append.summary.reference = "order-\(number)"
        append.summary.openedAt = Instant(microseconds: Int64(number) * 1000)
        if number.isMultiple(of: 2) || version > 0 {
            append.summary.phase = SessionSummary.ended
            append.summary.outcome = "completed"
        }
        return append
    }

    /// Opens a store whose lists have followed half of its log: the last two sessions are missing,
    /// and the first is as it was before it ended.
    private func half(_ file: StoreFile) async throws -> SQLiteEventStore {
        let store = try await SQLiteEventStore(path: file.path)
        for number in 1...4 { try await store.append(append(number, after: 0)) }
        #expect(try await store.project(limit: 9))
        for number in 5...6 { try await store.append(append(number, after: 0)) }
        try await store.append(append(1, after: 1))
        return store
    }

    private func expectLists(of store: SQLiteEventStore) async throws {
        for (query, expected) in Self.queries {
            let found = try await store.sessions(matching: query)
            #expect(found.map(\.session) == expected.map { StoredSession($0).id }, "\(query)")
            for row in found { #expect(try await store.row(of: row.session) == row) }
        }
    }

    @Test func `a workflow that declares nothing has plain lists, and no sums`() async throws {
        try await StoreFile.with { file in
            let store = try await SQLiteEventStore(path: file.path, readModel: ReadModel())
            for number in 1...2 { try await store.append(append(number, after: 0)) }
            let found = try await store.sessions(matching: SessionQuery(phase: "attempting"))
            #expect(found.map(\.session) == [StoredSession(1).id])
            var day: Instant?
            repeat { day = try await store.recountSums(after: day) } while day != nil
            #expect(try await store.sumFaults(SessionQuery()).isEmpty)
            #expect(try await store.sessionsToSum(SessionQuery()).isEmpty)
            await store.close()
        }
    }

    @Test func `a process that may not write lists what the copies lack`() async throws {
        try await StoreFile.with { file in
            let writer = try await half(file)
            let options = SQLiteOptions(access: .readOnly)
            let reader = try await SQLiteEventStore(path: file.path, options: options)
            #expect(await reader.catchUp() == 3)
            try await expectLists(of: reader)
            #expect(try await reader.projectionLag() == 3)
            let first = try #require(append(5, after: 0).records.first?.at)
            #expect(await reader.asOf(first + .seconds(60)) == first)
            #expect(await writer.asOf(first + .seconds(60)) == first + .seconds(60))
            #expect(try await reader.listFaults(limit: 9, of: nil) == [])
            await reader.close()
            await writer.close()
        }
    }

    @Test(arguments: [StoreAccess.reading, .existing])
    func `a process that may write brings the copies up to date`(access: StoreAccess) async throws {
        try await StoreFile.with { file in
            let writer = try await half(file)
            let options = SQLiteOptions(access: access)
            let reader = try await SQLiteEventStore(path: file.path, options: options)
            try await expectLists(of: reader)
            #expect(try await reader.projectionLag() == 0)
            await reader.close()
            await writer.close()
        }
    }

    @Test func `a copy that is missing, altered or of no session is found, and made again`()
        async throws
    {
        let changes: [(String, Int)] = [
            ("DELETE FROM listed_sessions WHERE key = 2", 2),
            ("UPDATE listed_sessions SET outcome = 'failed' WHERE key = 4", 4),
            ("UPDATE listed_sessions SET last_seq = 9 WHERE key = 3", 3),
            ("UPDATE listed_sessions SET imported = 1 WHERE key = 1", 1),
        ]
        for (change, number) in changes {
            try await StoreFile.with { file in
                let store = try await half(file)
                #expect(await store.catchUp() == 0)
                try file.python(change)
                let faults = try await store.listFaults(limit: 9, of: nil)
                #expect(faults.map(\.session) == [StoredSession(number).id], "\(change)")
                #expect(faults.allSatisfy { $0.members == ["listed"] && $0.sequence != nil })
                var place: SessionID?
                repeat {
                    place = try await store.repairLists(after: place, limit: 4)
                } while place != nil
                #expect(try await store.listFaults(limit: 9, of: nil) == [], "\(change)")
                try await expectLists(of: store)
                await store.close()
            }
        }
        try await StoreFile.with { file in
            let store = try await half(file)
            #expect(await store.catchUp() == 0)
            let stray = StoredSession(9).id
            try file.python(
                """
                INSERT INTO listed_sessions (key, id, phase, settled, last_seq, opened_at, last_at)
                VALUES (99, '\(stray)', 'ready', 1, 1, 1, 1)
                """
            )
            let faults = try await store.listFaults(limit: 9, of: nil)
            #expect(faults.map(\.session) == [stray] && faults.allSatisfy { $0.sequence == nil })
            #expect(try await store.repairLists(after: nil, limit: 99) != nil)
            #expect(try await store.repairLists(after: StoredSession(6).id, limit: 99) == nil)
            try await expectLists(of: store)
            await store.close()
        }
    }
}
