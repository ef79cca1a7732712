import EventLog
import Foundation
import SwedbankPay
import Testing
import WorkflowTesting

@testable import Adapters
@testable import EventStores

extension PostgreSQLTests {
    /// Facts and search terms in both stores, which must agree.
    @Suite(.serialized, .fewAtATime) struct IndexTests {
        private static func session(_ number: Int) -> SessionID {
            SessionID(at: Instant(microseconds: Int64(number) * 1000), random: (1, UInt64(number)))
        }

        /// Runs a test with a file and with a server.
        private func onBoth(
            _ body: @escaping @Sendable (any PersistentStore) async throws -> Void
        ) async throws {
            let folder = NSTemporaryDirectory() + "index-\(UUID().uuidString)"
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: true
            )
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let file = try await SQLiteEventStore(path: folder + "/index.db")
            try await body(file)
            await file.close()
            try await OnServer.run(lanes: 8) { place in
                let store = try await place.store()
                try await body(store)
                await store.close()
            }
        }

        private static func append(
            _ number: Int,
            _ facts: SessionFacts?,
            to store: any PersistentStore
        ) async throws {
            try await store.append(
                SampleAppend.of(session(number), at: 1) { row in
                    row.openedAt = Instant(microseconds: Int64(number))
                    row.facts = facts
                }
            )
        }

        private static let derived = SessionFacts(
            turn: "merchant",
            money: "unknown",
            moneySince: Instant(microseconds: 9),
            moneySequence: 7,
            amount: 500,
            net: 450,
            currency: "NOK",
            host: "two.example",
            attempts: 3,
            countsWith: SessionID(at: Instant(microseconds: 99_000), random: (1, 2)),
            marks: 8
        )

        private static func confirmed(_ net: Int64?, since: Int64 = 50) -> SessionFacts {
            SessionFacts(
                money: "confirmed",
                moneySince: Instant(microseconds: since),
                net: net,
                currency: "SEK",
                host: "psp.example"
            )
        }

        @Test func `confirmed sums leave out sessions that are marked or counted with another one`()
            async throws
        {
            try await onBoth { store in
                for (number, net) in [Int64.max, 1, -7, nil].enumerated() {
                    try await Self.append(
                        number + 1,
                        Self.confirmed(net, since: Int64(50 - number)),
                        to: store
                    )
                }
                var other = Self.confirmed(900)
                other.countsWith = Self.session(1)
                try await Self.append(5, other, to: store)
                var marked = Self.confirmed(900)
                marked.marks = 4
                try await Self.append(6, marked, to: store)
                var intended = Self.confirmed(900)
                intended.money = "intended"
                try await Self.append(7, intended, to: store)
                try await Self.append(8, nil, to: store)
                // Without money, a session affects sums by its marks and by what counts with it.
                var nothing = Self.confirmed(nil)
                nothing.money = "none"
                try await Self.append(10, nothing, to: store)
                nothing.marks = 4
                try await Self.append(11, nothing, to: store)
                let all = try await store.confirmedSums(SessionQuery())
                try #require(all.count == 1)
                #expect(all[0].sessions == 4 && all[0].withoutAmount == 1)
                #expect(all[0].net == Int64.max - 6)
                #expect(all[0].oldest == Self.session(4))
                #expect(all[0].oldestSince == Instant(microseconds: 47))
                let late = SessionQuery(since: Instant(microseconds: 3))
                #expect(try await store.confirmedSums(late).map(\.net) == [-7])
                let rest = try await store.sessionsToSum(SessionQuery()).map(\.session)
                #expect(Set(rest) == Set([5, 6, 7, 11].map(Self.session)))
                // A second one of that size exceeds what a number can hold.
                try await Self.append(9, Self.confirmed(Int64.max), to: store)
                let over = try await store.confirmedSums(SessionQuery())
                #expect(over.map(\.net) == [nil] && over.map(\.sessions) == [5])
            }
        }

        @Test func `derived facts are stored in a row only if no event was appended meanwhile`()
            async throws
        {
            try await onBoth { store in
                try await Self.append(1, nil, to: store)
                try await Self.append(2, nil, to: store)
                var rows = try await store.sessions(matching: SessionQuery(hasFacts: false))
                #expect(rows.count == 2)
                for index in rows.indices { rows[index].facts = Self.derived }
                // Another process wrote meanwhile.
                let newer = Self.confirmed(3)
                try await store.append(
                    SampleAppend.of(Self.session(2), at: 2) { $0.facts = newer }
                )
                #expect(try await store.replaceRows(rows) == 1)
                let now = try await store.sessions(matching: SessionQuery())
                #expect(now.map(\.facts) == [newer, Self.derived])
                #expect(try await store.sessions(matching: SessionQuery(hasFacts: false)).isEmpty)
            }
        }

        @Test
        func `search terms are found by prefix, and a session's terms are removed with its keys`()
            async throws
        {
            try await onBoth { store in
                for number in 1...3 { try await Self.append(number, nil, to: store) }
                #expect(try await store.searchProgress() == nil)
                try await store.restartSearch("one")
                let records = try await store.records(after: nil, limit: 10)
                let places = records.map(\.cursor)
                let first = SearchProgress(mark: "one", cursor: places[1])
                try await store.addTerms(
                    [
                        Self.session(1): ["torder-1", "bAA"],
                        Self.session(2): ["torder-2", "tåäö"],
                        // Of a session that is not in this store.
                        Self.session(99): ["torder-99"],
                    ],
                    erased: [],
                    upTo: first
                )
                #expect(try await store.searchProgress() == first)
                func found(_ beginnings: String...) async throws -> [SessionID] {
                    try await store.sessions(withTermsBeginning: beginnings, limit: 10)
                }
                #expect(try await found("torder-") == [Self.session(2), Self.session(1)])
                #expect(try await found("torder-1", "tå") == [Self.session(2), Self.session(1)])
                #expect(try await found("TORDER", "order", "torder-10").isEmpty)
                #expect(try await found("bAA") == [Self.session(1)])
                // A process with another mark, or a late one, changes nothing.
                try await store.addTerms(
                    [Self.session(3): ["tlate"]],
                    erased: [],
                    upTo: SearchProgress(mark: "two", cursor: places[2])
                )
                try await store.addTerms(
                    [records[0].record.stream: ["tlate"]],
                    erased: [],
                    upTo: SearchProgress(mark: "one", cursor: nil)
                )
                #expect(try await store.searchProgress() == first)
                #expect(try await found("tlate").isEmpty)
                // Erased: what was found is gone, and late sealed terms are not added.
                _ = try await store.destroyKeys(of: [Self.session(1)])
                #expect(try await found("torder-1", "bAA").isEmpty)
                try await store.addTerms(
                    [Self.session(1): ["bAA", "tclear"], Self.session(2): ["bBB"]],
                    erased: [],
                    upTo: SearchProgress(mark: "one", cursor: places[2])
                )
                #expect(try await found("bAA").isEmpty)
                #expect(try await found("bBB", "tclear") == [Self.session(2), Self.session(1)])
                try await store.restartSearch("two")
                #expect(
                    try await store.searchProgress() == SearchProgress(mark: "two", cursor: nil)
                )
                #expect(try await found("t", "b").isEmpty)
            }
        }
    }
}
