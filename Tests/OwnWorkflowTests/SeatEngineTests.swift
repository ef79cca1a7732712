import Adapters
import EventLog
import Foundation
import Synchronization
import Testing
import Workflow

@testable import OwnWorkflow

/// The workflow in a real engine with a real store, and a theatre that holds another seat with
/// every request.
@Suite struct SeatEngineTests {
    /// The connection to the theatre.
    final class Theatre: RequestPort {
        private let seats = Mutex(0)
        private let isSilent = Mutex(true)

        /// The number of seats that it holds.
        var held: Int { seats.withLock { $0 } }

        /// From now on its responses arrive.
        func speak() { isSilent.withLock { $0 = false } }

        func perform(
            _ request: SeatRequest,
            of session: RequestingSession<SeatRules>
        ) async -> WorkflowResponse<SeatRules> {
            let held = seats.withLock { seats in
                if request.kind == .hold { seats += 1 }
                return seats
            }
            if isSilent.withLock({ $0 }) {
                // It has taken effect, and there is no response.
                try? await Task.sleep(for: .seconds(60))
                return WorkflowResponse(
                    outcome: .failed(isUnknown: true, isLost: true),
                    durationMilliseconds: 60_000
                )
            }
            return WorkflowResponse(outcome: .holds(held > 0), durationMilliseconds: 1)
        }
    }

    /// An engine with a store in a directory.
    struct Running {
        let loop: UVLoop
        let store: SQLiteEventStore
        let engine: Engine<SeatRules>

        init(in folder: URL, _ theatre: Theatre) async throws {
            loop = try UVLoop(name: "seats")
            store = try await SQLiteEventStore(
                path: folder.appending(path: "seats.db").path,
                readModel: .seats,
                loop: loop
            )
            var configuration = EngineConfiguration()
            configuration.adoptionInterval = .milliseconds(50)
            configuration.shutdownGrace = .milliseconds(50)
            var rules = SeatRules()
            rules.horizon = .milliseconds(300)
            engine = Engine(
                configuration: configuration,
                rules: rules,
                store: store,
                port: theatre,
                vault: try KeyFileVault(path: folder.appending(path: "seats.key").path),
                clock: UVClock(on: loop),
                random: SystemRandom(),
                executor: loop
            )
            Task { [engine] in await engine.run() }
        }

        /// Returns the state of the booking as soon as a condition holds.
        func state(
            of session: SessionID,
            when isReached: (SeatState) -> Bool
        ) async throws -> SeatState? {
            for await update in try await engine.updates(of: session)
            where isReached(update.state) {
                return update.state
            }
            return nil
        }

        func stop() async {
            await engine.shutdown()
            await store.close()
            let loop = loop
            await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    loop.shutdown()
                    continuation.resume()
                }
            }
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func
        `a seat requested when the engine stopped is found by the next one, and not held twice`()
        async throws
    {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let theatre = Theatre()
        let first = try await Running(in: folder, theatre)
        let opening = try await first.engine.open(address: nil, cause: "command.book") { _, _ in
            .command(.book(seat: "row 7, seat 12"))
        }
        let session = opening.session
        while theatre.held == 0 { try await Task.sleep(for: .milliseconds(10)) }
        await first.stop()

        theatre.speak()
        let second = try await Running(in: folder, theatre)
        let held = try #require(await second.state(of: session) { $0.heldAt != nil })
        #expect(held.seat == "row 7, seat 12" && theatre.held == 1)
        let ended = try await second.engine.drive(session, cause: "command.confirm") { _, _, _ in
            .command(.confirm)
        }
        #expect(ended.ending == "confirmed")
        let row = try #require(await second.store.sessions(matching: SessionQuery()).first)
        #expect(row.outcome == "confirmed" && row.isOver)

        let records = try await second.store.read(session, from: 1, limit: 100)
        #expect(LogVerifier<SeatEvent>.verify(records, stream: session).damage == nil)
        let types = records.map(\.type)
        #expect(types == ["wanted", "started", "failed", "held", "ended"])
        await second.stop()
    }

    @Test func `an event of a later build is kept as it is and changes nothing`() throws {
        let stream = SessionID(at: Instant(microseconds: 0), random: (1, 2))
        let later = UnknownEvent(type: "upgraded", version: 1, data: Array(#"{"row":1}"#.utf8))
        let metadata = EventMetadata(build: "2", catalogue: "1", cause: "command.x", node: "n")
        let event = Recorded<SeatEvent>(
            stream: stream,
            sequence: 1,
            at: Instant(microseconds: 0),
            event: .unknown(later),
            metadata: metadata
        )
        let bytes = EventCodec.encode(event).canonical
        #expect(try EventCodec.decode(bytes, of: SeatEvent.self) == event)
        var state = SeatState(session: stream)
        SeatRules().evolve(&state, by: event.event, at: event.at)
        #expect(SeatRules().next(in: state) == .rest && state.sequence == 1)
    }
}
