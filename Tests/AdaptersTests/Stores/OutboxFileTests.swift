import EventLog
import Foundation
import SwedbankPay
import Testing

@testable import Adapters

/// The file with a publisher's log position.
@Suite struct OutboxFileTests {
    @Test func `a file of an earlier build is read, and replaced by a log position`() async throws {
        try await StoreFile.with { file in
            let path = file.path + ".outbox"
            try "2 \(Digest256.zero)\n".write(toFile: path, atomically: false, encoding: .utf8)
            let position = FileOutboxPosition(path: path)
            let old = try await position.claim()
            #expect(old == OutboxPlace(position: .number(2), hash: .zero))
            let store = StoreIdentity(high: 1, low: 2, epoch: 1)
            let next = OutboxPlace(
                position: .cursor(LogCursor(store: store, position: 3)),
                hash: .zero
            )
            try await position.advance(to: next)
            await position.release()
            let text = try String(contentsOfFile: path, encoding: .utf8)
            #expect(text.hasPrefix("c1.") && text.hasSuffix(" \(Digest256.zero)\n"))
            let again = FileOutboxPosition(path: path)
            #expect(try await again.claim() == next)
            await again.release()
        }
    }

    @Test func `a log position of before an adoption is refused by the store`() async throws {
        try await StoreFile.with { file in
            let store = try await SQLiteEventStore(path: file.path)
            try await store.append(StoredSession(1).append(after: 0))
            let cursor = try #require(try await store.records(after: nil, limit: 1).last?.cursor)
            try await store.adopt()
            await #expect(
                throws: EventStoreError.cursorRefused(.otherEpoch(1, current: 2))
            ) {
                try await store.records(after: cursor, limit: 1)
            }
            let now = try await store.records(after: nil, limit: 1).last?.cursor
            #expect(now?.store.epoch == 2)
            await store.close()
        }
    }
}
