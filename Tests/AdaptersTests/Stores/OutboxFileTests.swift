import EventLog
import Foundation
import SwedbankPay
import Testing

@testable import Adapters
@testable import EventStores

/// The file with a publisher's log position.
@Suite struct OutboxFileTests {
    @Test func `a file without a log position is refused, and one that was written is read`()
        async throws
    {
        try await StoreFile.with { file in
            let path = file.path + ".outbox"
            try "2 \(Digest256.zero)\n".write(toFile: path, atomically: false, encoding: .utf8)
            let position = FileOutboxPosition(path: path)
            await #expect(throws: OutboxFailure.self) { try await position.claim() }
            try FileManager.default.removeItem(atPath: path)
            #expect(try await position.claim() == nil)
            let store = StoreIdentity(high: 1, low: 2, epoch: 1)
            let next = OutboxMark(
                position: LogCursor(store: store, position: 3),
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
}
