internal import Foundation
internal import Measuring

/// Whether every session is polled when it is due, the slowest included.
struct Fairness {
    let bench: Bench

    func run() async throws -> Row {
        let options = bench.options
        let interval = Double(options.interval)
        bench.asked.begin(keepsPolls: false)
        // A first round for comparison.
        try await Task.sleep(for: .seconds(options.interval + 2))
        printProgress("watching the polls for \(3 * options.interval) s")
        bench.asked.begin(keepsPolls: true)
        let start = (Machine.seconds(), await bench.loopSeconds(), Machine.processorSeconds())
        try await Task.sleep(for: .seconds(3 * options.interval))
        let elapsed = Machine.seconds() - start.0
        let loop = (await bench.loopSeconds() - start.1) / elapsed
        let processor = (Machine.processorSeconds() - start.2) / elapsed
        let notes = bench.asked.noted
        let late = notes.pauses.map { ($0 - interval) * 1000 }

        var row = Row(
            name: "fairness",
            what: "\(options.polled) sessions are polled every \(options.interval) s",
            baseline: "the time when each poll is due"
        )
        row.add("polls", Double(notes.pauses.count) / elapsed, "a second")
        row.add("late, half of them at the most", late.quantile(0.5), "ms")
        row.add("late, 99 of 100 at the most", late.quantile(0.99), "ms")
        row.add("late, the slowest", late.max() ?? .nan, "ms")
        row.add("the loop was busy", loop * 100, "%")
        row.add("the whole process", processor * 100, "% of a core")
        let worst = (notes.pauses.max() ?? .infinity) / interval
        let answered = (notes.rounds.max() ?? .infinity) / interval
        if loop < 0.9 {
            row.expect("the slowest poll left after", worst, atMost: 2, "intervals")
            row.expect("the slowest was answered after", answered, atMost: 2, "intervals")
        } else {
            row.add("the slowest poll left after", worst, "intervals")
            row.notes.append("the loop has no time left: nothing is promised about lateness")
        }
        row.expect(
            "sessions that were polled",
            Double(notes.sessions),
            atLeast: Double(options.polled),
            ""
        )
        return row
    }
}
