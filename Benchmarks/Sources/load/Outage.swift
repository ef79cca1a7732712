internal import Adapters
internal import EventLog
internal import Foundation
internal import Measuring
internal import SwedbankPay
internal import Workflow

/// The PSP becomes slow, then unavailable, then recovers.
struct Outage {
    let bench: Bench

    /// The delay of each response of a slow PSP.
    static let slowness = 2000

    func run() async throws -> Row {
        let options = bench.options
        var row = Row(
            name: "outage",
            what: "the PSP is slow for \(options.stage) s, gone for \(options.stage) s, and back",
            baseline: "-"
        )
        let begin = Machine.seconds()
        let calm = try await stage("calm") {}
        let slow = try await stage("slow") { try bench.sandbox.beSlow(milliseconds: Self.slowness) }
        let gone = try await stage("gone") { try bench.sandbox.beGone() }
        for stage in [calm, slow, gone] { stage.write(into: &row) }
        let opened = gone.asked.failures["http.circuit-open"]?.first
        row.expect("the breaker opened after", (opened ?? .infinity) - gone.begin, atMost: 10, "s")
        let share =
            Double(gone.arrivals) / Double(max(gone.asked.firsts + gone.asked.repetitions, 1))
        row.add("of what was asked for arrived at a PSP that is gone", share * 100, "%")

        let back = try await recover(into: &row)
        // What failed meanwhile, as counted at the guard; a trial of the breaker costs nothing.
        let limits = RetryBudget.Limits()
        let seconds = back - slow.begin
        let firsts = slow.sent.firsts + gone.sent.firsts
        let allowed =
            Double(limits.capacity) + Double(firsts * limits.percent) / 100
            + Double(limits.perSecond) * seconds + seconds / 2
        let failed = gone.sent.repetitions + max(0, slow.sent.repetitions - slow.sent.responses)
        row.expect(
            "failing repetitions, of what the budget allows",
            Double(failed) / allowed * 100,
            atMost: 100,
            "%"
        )
        row.expect(
            "arrivals at the PSP that is gone, of first requests and what the budget allows",
            Double(gone.arrivals) / (Double(gone.sent.firsts) + allowed) * 100,
            atMost: 100,
            "%"
        )
        try await settle(into: &row)
        row.notes.append("the whole of it took \(Int(Machine.seconds() - begin)) s")
        return row
    }

    /// What happened while the PSP was in one state.
    struct Stage {
        var name: String
        var begin: Double
        var seconds: Double
        var asked: RequestWatch.Notes
        var sent: RequestWatch.Notes
        var arrivals: Int

        func write(into row: inout Row) {
            row.add(
                "\(name): asked for",
                Double(asked.firsts + asked.repetitions) / seconds,
                "requests a second"
            )
            row.add("\(name): arrived at the PSP", Double(arrivals) / seconds, "requests a second")
            for (code, failures) in asked.failures.sorted(by: { $0.key < $1.key }) {
                row.add("\(name): \(code)", Double(failures.count) / seconds, "a second")
            }
        }
    }

    private func stage(_ name: String, _ change: () throws -> Void) async throws -> Stage {
        printProgress("the PSP is \(name) for \(bench.options.stage) s")
        let arrivals = try bench.sandbox.arrivals()
        bench.asked.begin(keepsPolls: true)
        bench.sent.begin(keepsPolls: true)
        let begin = Machine.seconds()
        try change()
        try await Task.sleep(for: .seconds(bench.options.stage))
        return Stage(
            name: name,
            begin: begin,
            seconds: Machine.seconds() - begin,
            asked: bench.asked.noted,
            sent: bench.sent.noted,
            arrivals: try bench.sandbox.arrivals() - arrivals
        )
    }

    /// Ends the outage, and returns the time when the PSP was available again.
    private func recover(into row: inout Row) async throws -> Double {
        printProgress("the PSP is back")
        bench.asked.begin(keepsPolls: false)
        try bench.sandbox.recover()
        let back = Machine.seconds()
        let first = try await bench.wait(60) { bench.asked.noted.firstResponse != nil }
        let all = try await bench.wait(300) { bench.asked.noted.sessions >= bench.options.polled }
        // A breaker that has just tried in vain rests for at most half a minute.
        row.expect(
            "back: the breaker let the first request through after",
            (first ?? .infinity) - back,
            atMost: 32,
            "s"
        )
        row.expect(
            "back: every session was polled after",
            (all ?? .infinity) - back,
            atMost: 90,
            "s"
        )
        for (code, failures) in bench.asked.noted.failures.sorted(by: { $0.key < $1.key }) {
            row.add("back: \(code)", Double(failures.count), "")
        }
        return back
    }

    /// Lets the payers approve, and every payment end.
    private func settle(into row: inout Row) async throws {
        printProgress("all payers approve")
        let start = Machine.seconds()
        try bench.sandbox.letPayersApprove()
        var left = bench.options.polled
        while left > 0, Machine.seconds() - start < 300 {
            try await Task.sleep(for: .milliseconds(500))
            let ended = SessionQuery(outcome: "completed", limit: bench.options.polled + 1)
            left =
                bench.options.polled - (try await bench.host.store.sessions(matching: ended).count)
        }
        let ledger = try bench.sandbox.ledger()
        row.expect("payments that did not come to their end", Double(left), atMost: 0, "")
        row.add("all were completed after", Machine.seconds() - start, "s")
        row.expect(
            "orders that are paid at the PSP",
            Double(ledger.paid),
            atLeast: Double(bench.options.polled),
            ""
        )
        row.expect(
            "orders that were paid or attempted twice",
            Double(ledger.doubled),
            atMost: 0,
            ""
        )
    }
}
