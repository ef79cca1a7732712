internal import Adapters
internal import Foundation
internal import Measuring
internal import SwedbankPay
internal import Workflow

/// Payments at a steady rate for a while: files, threads and memory must stay as they were after
/// the first part.
struct Soak {
    let options: Options
    let directory: String

    init(_ options: Options, in directory: String) {
        self.options = options
        self.directory = directory
    }

    /// The number of sessions polled meanwhile.
    private static let polled = 200
    /// The part of the time that warms up.
    private static let warmUp = 0.2
    /// The number of orders created at a time.
    private static let batch = 500

    private struct Sample {
        var time: Double
        var resident: Double
        var files: Int
        var threads: Int
        var paid: Int
    }

    func run() async throws -> Row {
        let sandbox = try SandboxControl()
        defer { sandbox.stop() }
        let host = try await EngineHost(
            in: directory,
            configure: { $0.adoptionInterval = .seconds(1) }
        )
        Task { [engine = host.engine] in await engine.run() }
        let waiting = try sandbox.orders(Self.polled, approval: 100_000_000, in: directory)
        try await sharing(waiting.count, among: 16, on: host.loop) { number in
            _ = try await host.engine.open(
                waiting[number],
                preferences: [.swish(msisdn: MSISDN("+46739000001"))],
                allowsInsecureLoopback: true
            )
        }
        let paid = SharedValue(0)
        let payer = SwishPayer(engine: host.engine)
        let seconds = options.minutes * 60
        let start = Machine.seconds()
        var samples: [Sample] = []
        var orders: [String] = []
        var tasks: [Task<Void, any Error>] = []
        var begun = 0
        var told = 0.0
        while Machine.seconds() - start < seconds {
            let elapsed = Machine.seconds() - start
            // Starts all payments due by now, each in a task of its own, so that a slow response
            // delays no other.
            while Double(begun) < elapsed * Double(options.rate) {
                if orders.isEmpty {
                    orders = try sandbox.orders(Self.batch, approval: 0, in: directory)
                }
                guard let order = orders.popLast() else { break }
                begun += 1
                tasks.append(
                    host.loop.spawnThrowing {
                        _ = try await payer.pay(order)
                        paid.withLock { $0 += 1 }
                    }
                )
            }
            if tasks.count > 2 * options.rate {
                for task in tasks.prefix(options.rate) { try await task.value }
                tasks.removeFirst(options.rate)
            }
            if elapsed >= Double(samples.count) {
                samples.append(
                    Sample(
                        time: elapsed,
                        resident: Double(Machine.residentBytes()),
                        files: Machine.openFiles(),
                        threads: Machine.threads(),
                        paid: paid.withLock { $0 }
                    )
                )
            }
            if elapsed - told >= 60, let last = samples.last {
                told = elapsed
                printProgress(
                    "\(Int(elapsed)) s, \(last.paid) paid, \(Int(last.resident / 1e6)) MB, \(last.files) files"
                )
            }
            try await Task.sleep(for: .milliseconds(5))
        }
        for task in tasks { try await task.value }
        let doubled = try sandbox.ledger().doubled
        await host.shutdown()
        host.loop.shutdown()
        return row(of: samples, doubled: doubled)
    }

    private func row(of samples: [Sample], doubled: Int) -> Row {
        let steady = samples.filter { $0.time >= options.minutes * 60 * Self.warmUp }
        var row = Row(
            name: "soak",
            what:
                "\(options.rate) payments a second for \(options.minutes) min, \(Self.polled) sessions polled",
            baseline: "the same process after the first fifth of the time"
        )
        guard let first = steady.first, let last = steady.last, last.time > first.time else {
            row.skipped = "too short"
            return row
        }
        let payments = Double(last.paid - first.paid) / (last.time - first.time)
        let slope = Self.slope(of: steady.map { ($0.time, $0.resident) })
        let mean = steady.map(\.resident).reduce(0, +) / Double(steady.count)
        let growth = slope * (last.time - first.time)
        row.add("payments", payments, "a second")
        row.add("resident memory, mean", mean / 1e6, "MB")
        row.add("resident memory, slope of the fitted line", slope * 60 / 1024, "KiB a minute")
        row.add("the same for each payment", slope / max(payments, 0.001), "bytes")
        // Two parts: the noise of the allocator, and what a payment may leave behind.
        row.expect("growth over the steady time", growth / mean * 100, atMost: 5, "% of the mean")
        row.expect(
            "files, the most beyond the first",
            Double((steady.map(\.files).max() ?? 0) - first.files),
            atMost: 16,
            ""
        )
        row.expect(
            "threads, the most beyond the first",
            Double((steady.map(\.threads).max() ?? 0) - first.threads),
            atMost: 4,
            ""
        )
        row.expect("orders that were paid or attempted twice", Double(doubled), atMost: 0, "")
        row.notes.append("files at first: \(first.files), threads: \(first.threads)")
        return row
    }

    /// Returns the slope of the straight line that fits best.
    private static func slope(of points: [(x: Double, y: Double)]) -> Double {
        let count = Double(points.count)
        let meanX = points.reduce(0) { $0 + $1.x } / count
        let meanY = points.reduce(0) { $0 + $1.y } / count
        let spread = points.reduce(0) { $0 + ($1.x - meanX) * ($1.x - meanX) }
        let common = points.reduce(0) { $0 + ($1.x - meanX) * ($1.y - meanY) }
        return spread == 0 ? 0 : common / spread
    }
}
