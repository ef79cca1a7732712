import EventLog
import Foundation
import HTTPTypes
import Inspection
import SwedbankPay
import Synchronization
import TestSupport
import Testing
import Workflow
import WorkflowTesting

@testable import Adapters

/// A publisher says what happened to payments, beside the records.
@Suite(.feature("S-44")) struct OutboxNoticeTests {
    /// A receiver that records the events that it accepts.
    private final class Hook: Transport {
        private struct Book {
            var taken: [[UInt8]] = []
            var batches = 0
            /// Which batches it refuses.
            var refused: Set<Int> = []
        }

        private let book = Mutex(Book())

        /// The events that it accepted, in order.
        var taken: [[String: Any]] {
            get throws {
                try book.withLock { $0.taken }.flatMap { body in
                    let batch = try JSONSerialization.jsonObject(with: Data(body))
                    return try #require(batch as? [[String: Any]])
                }
            }
        }

        init(refusing refused: Set<Int> = []) { book.withLock { $0.refused = refused } }

        func perform(
            _ request: TransportRequest
        ) async throws(TransportFailure) -> TransportResponse {
            let isTaken = book.withLock { book in
                book.batches += 1
                guard !book.refused.contains(book.batches) else { return false }
                book.taken.append(request.body ?? [])
                return true
            }
            return TransportResponse(
                status: isTaken ? 200 : 503,
                headers: [:],
                body: [],
                protocolVersion: "HTTP/1.1",
                duration: .zero
            )
        }
    }

    private struct StillClock: EngineClock {
        func now() -> Instant { ManualClock.noon }
        func sleep(until instant: Instant) async {}
    }

    /// Publishes all of a store, and returns the failures that were reported.
    private func publish(
        _ store: SQLiteEventStore,
        _ file: StoreFile,
        to hook: Hook,
        batches count: Int
    ) async throws -> [OutboxFailure] {
        let failures = ThreadLock<[OutboxFailure]>([])
        let publisher = OutboxPublisher(
            of: store,
            by: SessionDecider(catalogue: .sample),
            to: "https://hooks.example/payments",
            over: hook,
            from: FileOutboxPosition(path: file.path + ".outbox"),
            clock: StillClock(),
            options: OutboxOptions(maximumRecords: count),
            report: { failure in failures.withLock { $0.append(failure) } }
        )
        try await publisher.publishAll(within: .seconds(60))
        return failures.withLock { $0 }
    }

    /// The identities of the events of each session, as they are to arrive.
    private func expected(_ histories: [RandomHistory]) throws -> [String: [String]] {
        var identities: [String: [String]] = [:]
        for history in histories {
            let log = try SessionLog(history.session, history.appends.flatMap(\.records))
            var state = SessionState(session: history.session)
            for event in log.events {
                let before = state
                state.apply(event.event, at: event.at)
                let notices = PaymentNotice.all(
                    from: before,
                    to: state,
                    by: SessionDecider(catalogue: .sample)
                )
                identities["\(history.session)", default: []] +=
                    ["\(history.session)/\(event.sequence)"] + notices.map(\.id)
            }
        }
        return identities
    }

    private func identities(_ events: [[String: Any]]) -> [String: [String]] {
        let ids = events.compactMap { $0["id"] as? String }
        return Dictionary(grouping: ids) { String($0.prefix { $0 != "/" }) }
    }

    @Test(.guarantee(.nothingLost))
    func `what happened follows each record, also after a restart and a refusal`() async throws {
        try await StoreFile.with { file in
            let store = try await SQLiteEventStore(path: file.path)
            var teller = HistoryTeller(seed: 3)
            let histories = try teller.histories(6)
            let all = teller.batches(of: histories).flatMap(\.self)
            let hook = Hook(refusing: [2, 3, 7])
            for append in all.prefix(all.count / 2) { try await store.append(append) }
            _ = try await publish(store, file, to: hook, batches: 3)
            for append in all.dropFirst(all.count / 2) { try await store.append(append) }
            _ = try await publish(store, file, to: hook, batches: 5)
            let found = identities(try hook.taken)
            #expect(try found == expected(histories))
            let notices = try hook.taken.filter { $0["chainhash"] == nil }
            #expect(notices.count > histories.count)
            // It is the message of a webhook, and needs no fold.
            let opened = try #require(notices.first)
            let message = try #require(opened["data"] as? [String: Any])
            let type = try #require(message["type"] as? String)
            #expect(opened["type"] as? String == "internal.payment-workflow.\(type)")
            let payment = try #require(message["data"] as? [String: Any])
            #expect(payment["session"] as? String == opened["subject"] as? String)
            let members = [
                "seq", "reference", "outcome", "instrument", "amount", "net", "currency",
            ]
            for member in members { #expect(payment[member] != nil, "\(member)") }
            await store.close()
        }
    }

    @Test func `nothing is said of a payment whose log was altered, and its records are sent`()
        async throws
    {
        try await StoreFile.with { file in
            var store = try await SQLiteEventStore(path: file.path)
            var teller = HistoryTeller(seed: 3)
            let histories = try teller.histories(2)
            for append in histories.flatMap(\.appends) { try await store.append(append) }
            await store.close()
            let session = histories[0].session
            try file.python("UPDATE events SET hash = zeroblob(32) WHERE session = 1 AND seq = 2")
            store = try await SQLiteEventStore(path: file.path)
            let hook = Hook()
            let failures = try await publish(store, file, to: hook, batches: 100)
            #expect(failures == [.unreadable(session, code: "log.wrong-hash")])
            let expected = try expected(histories)
            let found = identities(try hook.taken)
            #expect(found["\(histories[1].session)"] == expected["\(histories[1].session)"])
            // What happened before the altered record is known.
            let known = expected["\(session)"]?.filter { id in
                let parts = id.split(separator: "/")
                return parts.count == 2 || parts[1] == "1"
            }
            #expect(found["\(session)"] == known)
            await store.close()
        }
    }
}
