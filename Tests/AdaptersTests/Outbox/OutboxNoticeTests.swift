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
@testable import EventStores

/// A publisher says what happened to payments, beside the records, as far as the keys prove it.
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
        private let accepted: @Sendable (Int) async throws -> Void

        /// The events that it accepted, in order.
        var taken: [[String: Any]] {
            get throws {
                try book.withLock { $0.taken }.flatMap { body in
                    let batch = try JSONSerialization.jsonObject(with: Data(body))
                    return try #require(batch as? [[String: Any]])
                }
            }
        }

        /// The identities of the events of each session, in order.
        var identities: [String: [String]] {
            get throws {
                let ids = try taken.compactMap { $0["id"] as? String }
                return Dictionary(grouping: ids) { String($0.prefix { $0 != "/" }) }
            }
        }

        /// - Parameters:
        ///   - refused: The batches that it refuses.
        ///   - accepted: What happens with each batch that it accepts, before the response.
        init(
            refusing refused: Set<Int> = [],
            accepted: @escaping @Sendable (Int) async throws -> Void = { _ in }
        ) {
            self.accepted = accepted
            book.withLock { $0.refused = refused }
        }

        func perform(
            _ request: TransportRequest
        ) async throws(TransportFailure) -> TransportResponse {
            let count = book.withLock { book -> Int? in
                book.batches += 1
                guard !book.refused.contains(book.batches) else { return nil }
                book.taken.append(request.body ?? [])
                return book.taken.count
            }
            if let count {
                do { try await accepted(count) } catch { Issue.record(error) }
            }
            return TransportResponse(
                status: count == nil ? 503 : 200,
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

    /// A vault that cannot be reached at first, and counts how often it was asked for keys.
    private final class DistantVault: KeyVault {
        private let vault: MasterKeyVault
        private let calls: Mutex<(made: Int, failing: Int)>

        var count: Int { calls.withLock { $0.made } }

        init(_ vault: MasterKeyVault, failing: Int) {
            self.vault = vault
            calls = Mutex((0, failing))
        }

        func keys(
            unwrapping wrapped: [UInt8],
            for session: SessionID
        ) async throws(KeyVaultError) -> SessionKeys {
            let isReached = calls.withLock { calls in
                calls.made += 1
                return calls.made > calls.failing
            }
            guard isReached else { throw .unavailable(reason: "no route") }
            return try await vault.keys(unwrapping: wrapped, for: session)
        }

        func makeKeys(
            for session: SessionID
        ) async throws(KeyVaultError) -> (keys: SessionKeys, wrapped: [UInt8]) {
            try await vault.makeKeys(for: session)
        }

        func addressFingerprint(of address: String) async throws(KeyVaultError) -> Digest256 {
            try await vault.addressFingerprint(of: address)
        }
    }

    /// A store with payments, and what to do with it.
    private struct Place {
        let file: StoreFile
        let vault: MasterKeyVault
        let histories: [RandomHistory]
        var store: SQLiteEventStore
        var keys: [SessionID: SessionKeys] = [:]

        /// Publishes all of the store, and returns the failures that were reported.
        func publish(
            to hook: Hook,
            batches count: Int,
            authenticatedBy other: (any KeyVault)? = nil
        ) async throws -> [OutboxFailure] {
            let failures = ThreadLock<[OutboxFailure]>([])
            let publisher = OutboxPublisher(
                of: store,
                by: SessionDecider(catalogue: .sample),
                authenticatedBy: other ?? vault,
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

        /// Appends as whoever has the keys does.
        mutating func append(_ appends: some Sequence<StreamAppend>) async throws {
            for append in appends {
                try await store.append(try await vault.signed(append, &keys))
            }
        }

        /// The identities of the events of sessions, as they are to arrive: of so many records, the
        /// first of which have notices.
        func expected(
            _ sessions: some Sequence<RandomHistory>,
            records: Int = .max,
            noticesOf proven: Int = .max
        ) throws -> [String: [String]] {
            var identities: [String: [String]] = [:]
            for history in sessions {
                let name = "\(history.session)"
                for (index, notices) in try history.notices.prefix(records).enumerated() {
                    identities[name, default: []] +=
                        ["\(name)/\(index + 1)"] + (index < proven ? notices.map(\.id) : [])
                }
            }
            return identities
        }
    }

    private func with(
        _ count: Int,
        _ body: (inout Place) async throws -> Void
    ) async throws {
        try await StoreFile.with { file in
            var teller = HistoryTeller(seed: 3)
            var place = Place(
                file: file,
                vault: try MasterKeyVault(masterKey: [UInt8](1...32)),
                histories: try teller.histories(count),
                store: try await SQLiteEventStore(path: file.path)
            )
            try await body(&place)
            await place.store.close()
        }
    }

    @Test(.guarantee(.nothingLost))
    func `what happened follows each record, also after a restart and a refusal`() async throws {
        try await with(6) { place in
            var teller = HistoryTeller(seed: 7)
            let all = teller.batches(of: place.histories).flatMap(\.self)
            let hook = Hook(refusing: [2, 3, 7])
            try await place.append(all.prefix(all.count / 2))
            _ = try await place.publish(to: hook, batches: 3)
            try await place.append(all.dropFirst(all.count / 2))
            _ = try await place.publish(to: hook, batches: 5)
            #expect(try hook.identities == place.expected(place.histories))
            let notices = try hook.taken.filter { $0["chainhash"] == nil }
            #expect(notices.count > place.histories.count)
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
        }
    }

    @Test
    func `a log is read once for all of its records, and again when the keys are out of reach`()
        async throws
    {
        try await with(4) { place in
            try await place.append(place.histories.flatMap(\.appends))
            let (hook, vault) = (Hook(), DistantVault(place.vault, failing: 2))
            let failures = try await place.publish(
                to: hook,
                batches: 3,
                authenticatedBy: vault
            )
            // They are retried, and no notice is lost.
            #expect(failures == [.vault(.unavailable(reason: "no route"))])
            #expect(try hook.identities == place.expected(place.histories))
            #expect(vault.count == 2 + place.histories.count)
        }
    }

    @Test func `nothing is said of a payment whose log was altered, and its records are sent`()
        async throws
    {
        try await with(2) { place in
            try await place.append(place.histories.flatMap(\.appends))
            await place.store.close()
            let session = place.histories[0].session
            try place.file.python(
                "UPDATE events SET hash = zeroblob(32) WHERE session = 1 AND seq = 2"
            )
            place.store = try await SQLiteEventStore(path: place.file.path)
            let hook = Hook()
            let failures = try await place.publish(to: hook, batches: 100)
            #expect(failures == [.unreadable(session, code: "log.wrong-hash")])
            var expected = try place.expected([place.histories[0]], noticesOf: 0)
            expected.merge(try place.expected([place.histories[1]])) { $1 }
            #expect(try hook.identities == expected)
        }
    }

    /// What whoever can write the store, without its keys, can make of a record.
    enum Forgery: CaseIterable {
        case withoutMAC, copiedMAC, otherKeys

        func mac(after last: StoredRecord, of record: StoredRecord) throws -> Digest256? {
            switch self {
            case .withoutMAC: nil
            case .copiedMAC: last.mac
            case .otherKeys:
                try #require(SessionKeys(dataKey: [UInt8](repeating: 7, count: 32)))
                    .mac(of: record.hash)
            }
        }
    }

    /// `isRunning` is whether the publisher has read the log before.
    @Test(.threat("T-69"), .guarantee(.authenticLog), arguments: Forgery.allCases, [false, true])
    func `nothing is said of a completion that no key holder recorded`(
        forgery: Forgery,
        isRunning: Bool
    ) async throws {
        try await with(8) { place in
            let (history, index) = try #require(
                place.histories.lazy.compactMap { history -> (RandomHistory, Int)? in
                    let index = try? history.notices.firstIndex { notices in
                        notices.contains { $0.kind == .completed }
                    }
                    return index.flatMap { $0 > 0 ? (history, $0) : nil }
                }.first
            )
            try await place.append(history.appends[..<index])
            var forged = history.appends[index]
            let last = try #require(
                try await place.store.read(
                    history.session,
                    from: SequenceNumber(index),
                    limit: 1
                ).first
            )
            forged.records[0].mac = try forgery.mac(after: last, of: forged.records[0])
            let (store, append) = (place.store, forged)
            if !isRunning { try await store.append(append) }
            let hook = Hook { count in
                if isRunning, count == index { try await store.append(append) }
            }
            let failures = try await place.publish(to: hook, batches: 1)
            #expect(failures == [.unreadable(history.session, code: "log.not-authentic")])
            // The records arrive, as they are in the store.
            let expected = try place.expected(
                [history],
                records: index + 1,
                noticesOf: isRunning ? index : 0
            )
            #expect(try hook.identities == expected)
        }
    }

    @Test func `nothing is said of a payment that was imported or erased, or has another key`()
        async throws
    {
        try await with(6) { place in
            let histories = place.histories
            for var append in histories[0].appends {
                append.summary.origin = .imported
                append.wrappedKey = nil
                try await place.store.append(append)
            }
            let other = try MasterKeyVault(masterKey: [UInt8](2...33))
            for append in histories[1].appends {
                try await place.store.append(try await other.signed(append, &place.keys))
            }
            // The third has the wrapped key of no vault.
            for append in histories[2].appends {
                var signed = try await place.vault.signed(append, &place.keys)
                if signed.wrappedKey != nil { signed.wrappedKey = [9] }
                try await place.store.append(signed)
            }
            try await place.append(histories[3...].flatMap(\.appends))
            _ = try await place.store.destroyKeys(of: [histories[3].session])
            let hook = Hook()
            let failures = try await place.publish(to: hook, batches: 4)
            var expected = try place.expected(histories[..<4], noticesOf: 0)
            expected.merge(try place.expected(histories[4...])) { $1 }
            #expect(try hook.identities == expected)
            #expect(
                Set(failures) == [
                    .unreadable(histories[1].session, code: "vault.wrong-key"),
                    .unreadable(histories[2].session, code: "vault.malformed"),
                ]
            )
        }
    }

    @Test func `after an erasure nothing more is said of a payment, which is no forgery`()
        async throws
    {
        try await with(4) { place in
            let history = place.histories[3]
            let count = history.appends.count - 1
            try await place.append(history.appends[..<count])
            let (store, vault, last) = (place.store, place.vault, history.appends[count])
            let trail = AuditTrail(
                of: store,
                by: SessionDecider(catalogue: .sample),
                build: "1",
                node: "n",
                now: { ManualClock.noon + .seconds(86_400) },
                vault: { vault }
            )
            let hook = Hook { batch in
                guard batch == count else { return }
                let erased = await Erasure(in: store, recordedBy: trail, patience: .zero)
                    .erase([last.stream], nil, by: "anna", reason: "request 17") { _ in }
                #expect(erased.erased[last.stream]?.isDestroyed == true)
                _ = try await trail.record(
                    OperatorActed(by: "anna", action: "reveal"),
                    of: last.stream,
                    mayLackKeys: true
                )
            }
            #expect(try await place.publish(to: hook, batches: 1) == [])
            var expected = try place.expected([history], records: count)
            let name = "\(history.session)"
            expected[name, default: []] += ["\(name)/\(count + 1)", "\(name)/\(count + 2)"]
            #expect(try hook.identities == expected)
        }
    }
}
