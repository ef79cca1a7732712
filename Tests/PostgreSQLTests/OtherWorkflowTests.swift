import Adapters
import EventLog
import EventStores
import Foundation
import LogFixtures
import Testing
import Workflow

@testable import OwnWorkflow

extension PostgreSQLTests {
    /// A workflow that is not about payments, on both stores: what it declares is listed, counted,
    /// searched and erased.
    @Suite(.serialized, .fewAtATime) struct OtherWorkflowTests {
        /// A theatre whose first row is sold out.
        private struct Theatre: RequestPort {
            func perform(
                _ request: SeatRequest,
                of session: RequestingSession<SeatRules>
            ) async -> WorkflowResponse<SeatRules> {
                let isSoldOut = request.seat.hasPrefix("row 1")
                return WorkflowResponse(
                    outcome: isSoldOut ? .soldOut : .holds(true),
                    durationMilliseconds: 1
                )
            }
        }

        /// Books three seats: one is sold out, one is confirmed, one stays held.
        private func book(
            in store: any PersistentStore,
            _ folder: String,
            on loop: UVLoop
        ) async throws -> [SessionID] {
            let engine = Engine(
                configuration: EngineConfiguration(),
                rules: SeatRules(),
                store: store,
                port: Theatre(),
                vault: try KeyFileVault(path: folder + "/seats.key"),
                clock: UVClock(on: loop),
                random: SystemRandom(),
                executor: loop
            )
            let running = Task { await engine.run() }
            var sessions: [SessionID] = []
            for seat in ["row 1, seat 1", "row 2, seat 2", "row 3, seat 3"] {
                let opening = try await engine.open(address: nil, cause: "command.book") { _, _ in
                    .command(.book(seat: seat))
                }
                sessions.append(opening.session)
                for await update in try await engine.updates(of: opening.session)
                where update.state.heldAt != nil || update.state.isOver { break }
            }
            _ = try await engine.drive(sessions[1], cause: "command.confirm") { _, _, _ in
                .command(.confirm)
            }
            await engine.shutdown()
            await running.value
            return sessions
        }

        private func check(_ store: any PersistentStore, _ sessions: [SessionID]) async throws {
            func found(_ query: SessionQuery) async throws -> [SessionID] {
                try await store.sessions(matching: query).map(\.session)
            }
            let second = ["seat": ReadModel.Value.text("row 2, seat 2")]
            #expect(try await found(SessionQuery(facts: second)) == [sessions[1]])
            #expect(try await found(SessionQuery(isOpen: true)) == [sessions[2]])
            let counts = try await store.sums(.bookings, SessionQuery())
            #expect(counts.map { $0.key.map { $0?.text } } == [["confirmed"], ["soldOut"]])
            #expect(counts.map(\.sessions) == [1, 1])
            #expect(try await store.sumFaults(SessionQuery()).isEmpty)
            #expect(try await store.listFaults(limit: 9, of: nil).isEmpty)

            try await store.restartSearch("seats")
            let terms = ["row 1", "row 2", "row 3"].map { Set([$0]) }
            try await store.addTerms(
                Dictionary(uniqueKeysWithValues: zip(sessions, terms)),
                erased: [],
                upTo: SearchProgress(
                    mark: "seats",
                    cursor: try await store.changes(after: nil, limit: 1)?.cursor
                )
            )
            let third = try await store.sessions(withTermsBeginning: ["row 3"], limit: 9)
            #expect(third == [sessions[2]])

            let ended = try await store.endedSessions(
                withKeyOpenedBefore: Instant(microseconds: .max),
                following: nil,
                limit: 9
            )
            #expect(ended.map(\.session) == Array(sessions.prefix(2)))
            #expect(ended.map(\.outcome) == ["soldOut", "confirmed"])
            for one in ended {
                let last = try await store.read(one.session, from: 1, limit: 99).last
                #expect(last?.type == "ended" && last?.at == one.endedAt)
            }
            let gone = try await store.destroyKeys(of: [sessions[0]])
            #expect(gone.sessions == [sessions[0]])
        }

        /// Runs a test with a folder of its own for files, which is removed afterwards.
        private func inFolder(
            _ body: @escaping @Sendable (Place, _ folder: String) async throws -> Void
        ) async throws {
            try await OnServer.run { place in
                let folder = NSTemporaryDirectory() + "seats-\(UUID().uuidString)"
                let files = FileManager.default
                try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
                defer { try? files.removeItem(atPath: folder) }
                try await body(place, folder)
            }
        }

        @Test func `a file keeps what another workflow declares, and refuses other lists`()
            async throws
        {
            try await inFolder { place, folder in
                let path = folder + "/seats.db"
                let store = try await SQLiteEventStore(
                    path: path,
                    readModel: .seats,
                    loop: place.loop
                )
                try await check(store, book(in: store, folder, on: place.loop))
                await store.close()
                await #expect(throws: Self.otherLists) {
                    try await SQLiteEventStore(path: path, loop: place.loop)
                }
            }
        }

        @Test func `a database keeps what another workflow declares, and refuses other lists`()
            async throws
        {
            try await inFolder { place, folder in
                let url = place.database.url(as: Cluster.owner, "")
                let store = try await PostgreSQLEventStore(
                    url: url,
                    readModel: .seats,
                    loop: place.loop
                )
                try await check(store, book(in: store, folder, on: place.loop))
                await store.close()
                await #expect(throws: Self.otherLists) {
                    try await PostgreSQLEventStore(url: url, loop: place.loop)
                }
            }
        }

        @Test func `a workflow that declares nothing has plain lists, and no sums`() async throws {
            try await OnServer.run { place in
                let store = try await PostgreSQLEventStore(
                    url: place.database.url(as: Cluster.owner, ""),
                    readModel: ReadModel(),
                    loop: place.loop
                )
                let session = SessionID(at: Instant(microseconds: 8), random: (6, 7))
                try await store.append(SampleAppend.of(session, at: 1))
                let found = try await store.sessions(matching: SessionQuery())
                #expect(found.map(\.session) == [session])
                var day: Instant?
                repeat { day = try await store.recountSums(after: day) } while day != nil
                #expect(try await store.sumFaults(SessionQuery()).isEmpty)
                #expect(try await store.sessionsToSum(SessionQuery()).isEmpty)
                await store.close()
            }
        }

        private static let otherLists = EventStoreError.foreign(
            reason:
                "its lists and sums are those of another workflow, or of another version of this one"
        )
    }
}
