import Adapters
import EventLog
import SwedbankPay
import Testing

/// Log positions: their text, and stores that were adopted since.
@Suite struct LogCursorTests {
    @Test
    func `a log position has exactly one text form, which is parsed back to the same position`()
        throws
    {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            let store = try #require(
                StoreIdentity(
                    id: (0..<32).map { _ in
                        String(UInt8.random(in: 0..<16, using: &random), radix: 16)
                    }.joined(),
                    epoch: Int64.random(in: 1...(.max), using: &random)
                )
            )
            let lanes = Int.random(in: 1...LogCursor.maximumLanes, using: &random)
            let positions = (0..<lanes).map { _ in Int64.random(in: 0...(.max), using: &random) }
            let lane = Int.random(in: 0..<lanes, using: &random)
            let cursor = try #require(
                LogCursor(store: store, positions: positions, lane: lane)
            )
            let text = cursor.description
            #expect(LogCursor(text) == cursor, "\(text)")
            // Other text is refused, or is another log position.
            let bytes = Array(text.utf8)
            for _ in 0..<20 {
                var other = bytes
                switch Int.random(in: 0..<3, using: &random) {
                case 0: other.remove(at: Int.random(in: 0..<bytes.count, using: &random))
                case 1:
                    other.insert(
                        UInt8.random(in: 0...0x7F, using: &random),
                        at: Int.random(in: 0...bytes.count, using: &random)
                    )
                default:
                    other[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
                        in: 0...0x7F,
                        using: &random
                    )
                }
                guard other != bytes else { continue }
                let read = LogCursor(String(decoding: other, as: UTF8.self))
                #expect(read != cursor, "\(other)")
                #expect(read.map { Array($0.description.utf8) == other } ?? true, "\(other)")
            }
        }
    }

    @Test func `the text form of a log position is fixed`() throws {
        let store = try #require(
            StoreIdentity(id: "000102030405060708090a0b0c0d0e0f", epoch: 2)
        )
        let text = "c1.AAECAwQFBgcICQoLDA0ODwAAAAAAAAACAAAAAAAAABE"
        #expect("\(LogCursor(store: store, position: 17))" == text)
        #expect(LogCursor(text)?.store.id == store.id)
        let lanes = "c2.AAECAwQFBgcICQoLDA0ODwAAAAAAAAACAAAAAAAAAAEAAAAAAAAAAwAAAAAAAAAR"
        let two = try #require(LogCursor(store: store, positions: [3, 17], lane: 1))
        #expect("\(two)" == lanes && LogCursor(lanes) == two)
    }

    @Test func `log positions are compared lane by lane, and only within one store and epoch`()
        throws
    {
        let store = try #require(StoreIdentity(id: String(repeating: "a", count: 32), epoch: 1))
        let other = try #require(StoreIdentity(id: String(repeating: "a", count: 32), epoch: 2))
        let one = try #require(LogCursor(store: store, positions: [3, 5]))
        let two = try #require(LogCursor(store: store, positions: [4, 4]))
        #expect(!one.hasReached(two) && !two.hasReached(one) && one.hasReached(one))
        #expect(two.distance(from: one) == 0 && two.distance(from: nil) == 8)
        let single = LogCursor(store: store, position: 9)
        #expect(single.distance(from: LogCursor(store: store, position: 4)) == 5)
        #expect(single.distance(from: LogCursor(store: other, position: 4)) == nil)
        #expect(single.distance(from: one) == nil && !single.hasReached(one))
        #expect(LogCursor(store: store, positions: [Int64]()) == nil)
        #expect(LogCursor(store: store, positions: [1, -1]) == nil)
        for lane in [-1, 2] {
            #expect(LogCursor(store: store, positions: [1, 1], lane: lane) == nil)
        }
    }

    @Test func `a log position from before an adoption is refused by every handle`() async throws {
        try await StoreFile.with { file in
            let adopter = try await SQLiteEventStore(path: file.path)
            // It knows the first epoch, and another process adopts the store.
            let running = try await SQLiteEventStore(path: file.path)
            try await adopter.append(StoredSession(1).append(after: 0))
            let old = try #require(try await running.records(after: nil, limit: 1).last?.cursor)
            #expect(old.store.epoch == 1)
            #expect(try await adopter.records(after: old, limit: 1) == [])
            _ = try await adopter.adopt()
            let fresh = try await SQLiteEventStore(path: file.path)
            let refusal = EventStoreError.cursorRefused(.otherEpoch(1, current: 2))
            for store in [adopter, running, fresh] {
                await #expect(throws: refusal) { try await store.records(after: old, limit: 1) }
                await #expect(throws: refusal) { try await store.changes(after: old, limit: 1) }
            }
            let new = try #require(try await fresh.records(after: nil, limit: 1).last?.cursor)
            #expect(new.store.epoch == 2 && new.store.id == old.store.id)
            for store in [adopter, running, fresh] {
                #expect(try await store.records(after: new, limit: 1) == [])
                await store.close()
            }
        }
    }

    @Test func `a handle that knows an earlier epoch accepts a log position of the next one`()
        async throws
    {
        try await StoreFile.with { file in
            let adopter = try await SQLiteEventStore(path: file.path)
            let running = try await SQLiteEventStore(path: file.path)
            try await adopter.append(StoredSession(1).append(after: 0))
            try await adopter.append(StoredSession(1).append(after: 1))
            #expect(try await running.records(after: nil, limit: 9).count == 2)
            _ = try await adopter.adopt()
            let first = try #require(try await adopter.records(after: nil, limit: 1).last?.cursor)
            let rest = try await running.records(after: first, limit: 9)
            #expect(rest.map(\.cursor.store.epoch) == [2])
            await adopter.close()
            await running.close()
        }
    }
}
