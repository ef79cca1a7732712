internal import Adapters
internal import EventLog
internal import Foundation
internal import Measuring
internal import SwedbankPay
internal import Workflow

/// A new engine with the store of one that was killed.
struct Resuming {
    let bench: Bench

    /// Runs the new engine.
    ///
    /// - Parameter start: The time when opening the store began.
    /// - Returns: The row of results.
    /// - Throws: Any error while waiting for the sessions.
    func run(since start: Double) async throws -> Row {
        let options = bench.options
        let engine = bench.host.engine
        Task { [engine] in await engine.run() }
        printProgress("the new engine takes up \(options.polled) sessions that are due")
        let polled = try await bench.wait(600) { bench.asked.noted.sessions >= options.polled }
        let first = bench.asked.noted.firstResponse
        let queueFull = bench.asked.noted.failures["http.queue-full"]?.count ?? 0

        printProgress("a client of each of the \(options.sessions) sessions comes back")
        let sessions = try await allSessions()
        let asking = Machine.seconds()
        let loop = await bench.loopSeconds()
        try await sharing(sessions.count, among: Filling.atOnce, on: bench.host.loop) { number in
            try await engine.resume(sessions[number])
        }
        let took = Machine.seconds() - asking
        let busy = (await bench.loopSeconds() - loop) / took

        var row = Row(
            name: "resume",
            what:
                "a new engine on the store of \(options.sessions) sessions whose engine was killed",
            baseline: "-"
        )
        row.add("first response of the PSP, from opening the store", (first ?? .nan) - start, "s")
        row.expect(
            "all \(options.polled) polled sessions taken up and asked for",
            (polled ?? .infinity) - start,
            atMost: 60,
            "s"
        )
        row.add(
            "polls that found the queue of HTTP full, and were made later",
            Double(queueFull),
            ""
        )
        row.add("all \(sessions.count) sessions viewed by their clients", took, "s")
        row.add("of them in a second", Double(sessions.count) / took, "")
        row.add("the loop was busy meanwhile", busy * 100, "%")
        row.add("resident memory then", Double(Machine.residentBytes()) / 1e6, "MB")
        row.notes.append(
            """
            sessions that only their clients can move on need nothing: they are read when somebody asks for them \
            (\(Filling.atOnce) at a time); those that are polled are found by what is due
            """
        )
        return row
    }

    private func allSessions() async throws -> [SessionID] {
        var sessions: [SessionID] = []
        while true {
            let query = SessionQuery(before: sessions.last, limit: 1000)
            let rows = try await bench.host.store.sessions(matching: query)
            sessions += rows.map(\.session)
            if rows.count < 1000 { return sessions }
        }
    }
}
