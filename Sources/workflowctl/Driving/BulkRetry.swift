internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// Retries what failed in many sessions, one after the other, at a rate that the PSP can handle.
struct BulkRetry: Sendable {
    /// The default maximum number of sessions.
    static let usualLimit = 1000
    /// The largest possible maximum number of sessions.
    static let longestLimit = 100_000
    /// The default number of sessions per second.
    static let usualRate = 5
    /// The maximum number of sessions per second.
    static let highestRate = 100
    /// The number of consecutive failures after which the PSP is taken to be unavailable, and
    /// retrying ends.
    static let failuresInRow = 5

    /// A session, and the result of its retry.
    struct Row: Sendable {
        var summary: SessionSummary
        /// The state after the retry; `nil` when it was not retried.
        var state: SessionState?
        /// Why it was not, or would not be, retried.
        var refusal: Failure?

        /// The result, in one word.
        var result: String {
            guard refusal == nil else { return "refused" }
            guard let state else { return "retryable" }
            return failedAgain ? "failed" : state.outcome.map(\.rawValue) ?? "retried"
        }

        /// Whether a request failed again.
        var failedAgain: Bool { state?.problem?.problem.kind == .requestFailed }
    }

    /// Finds the matching sessions and, from their logs, whether each may be retried; changes
    /// nothing.
    static func find(
        _ filter: SessionFilter,
        limit: Int,
        with configuration: Configuration,
        by reader: Reader
    ) async throws(Failure) -> (rows: [Row], isCut: Bool) {
        let now = reader.invocation.now()
        var selection = filter.selection(at: now, limit: limit)
        let chosen = try await selection.rows(from: reader, needsFacts: true)
        let decider = reader.decider
        var progress = ProgressLine(on: reader.invocation.diagnostics)
        defer { progress.clear() }
        var rows: [Row] = []
        for summary in chosen {
            guard !Task.isCancelled else { break }
            var row = Row(summary: summary)
            do throws(Failure) {
                let log = try await SessionLog.read(summary.session, from: reader.store)
                row.refusal =
                    decider.retryRefusal(in: log.state, at: now).map { Failure($0, hint: nil) }
                    ?? unreachable(log.state, with: configuration)
            } catch {
                row.refusal = error
            }
            rows.append(row)
            progress.reached(
                Int64(rows.count),
                of: Int64(chosen.count),
                "checked \(rows.count) of \(chosen.count) sessions",
                at: reader.invocation.now()
            )
        }
        return (rows, selection.isCut)
    }

    /// Returns why a payment cannot reach its PSP with these options; `nil` where it can.
    private static func unreachable(
        _ state: SessionState,
        with configuration: Configuration
    ) -> Failure? {
        guard state.payment != nil, let host = state.host, !configuration.allows(host: host) else {
            return nil
        }
        return .unreachable(host)
    }

    private let driver: Driver
    private let rate: Int
    private let wait: Duration
    private let intervention: String?

    /// Creates the work of a command, with a time limit per session.
    init(by driver: Driver, rate: Int, wait: Duration, intervention: String?) {
        (self.driver, self.rate) = (driver, rate)
        (self.wait, self.intervention) = (wait, intervention)
    }

    /// Retries sessions, and returns the result of each.
    ///
    /// If the work ends early, the remaining sessions stay unchanged.
    func retry(_ rows: [Row]) async -> (rows: [Row], isStopped: Bool) {
        var (rows, inRow, index) = (rows, 0, 0)
        let invocation = driver.invocation
        var progress = ProgressLine(on: invocation.diagnostics)
        defer { progress.clear() }
        let places = rows.indices.filter { rows[$0].refusal == nil }
        // The first retry shows whether the PSP is available again.
        var count = 1
        while index < places.count, !Task.isCancelled {
            let begin = invocation.now()
            let batch = places[index..<min(index + count, places.count)]
            let tasks = batch.map { place in
                let session = rows[place].summary.session
                return (place, invocation.loop.spawn { await retry(session) })
            }
            for (place, task) in tasks {
                switch await task.value {
                case .success(let state): rows[place].state = state
                case .failure(let failure): rows[place].refusal = failure
                }
                inRow = rows[place].failedAgain ? inRow + 1 : 0
            }
            index += batch.count
            guard inRow < (index == 1 ? 1 : Self.failuresInRow) else { return (rows, true) }
            count = rate
            progress.reached(
                Int64(index),
                of: Int64(places.count),
                "retried \(index) of \(places.count) sessions",
                at: invocation.now()
            )
            let pause = Duration.seconds(1) - (invocation.now() - begin)
            let isLast = index == places.count
            if !isLast, pause > .zero { try? await invocation.loop.sleep(for: pause) }
        }
        return (rows, index < places.count)
    }

    private func retry(_ session: SessionID) async -> Result<SessionState, Failure> {
        do throws(EngineError) {
            try await driver.engine.retry(session, by: driver.who)
            try await driver.record(intervention, in: session)
        } catch {
            return .failure(Failure(error))
        }
        do throws(Failure) {
            return .success(
                try await driver.follow(session, until: .settled, for: wait, verbosely: false).state
            )
        } catch {
            return .failure(error)
        }
    }
}

extension BulkRetry.Row {
    var json: JSONValue {
        [
            "session": .string("\(summary.session)"),
            "reference": JSONValue(summary.reference.map(Screen.safe)),
            "host": JSONValue(summary.facts?.host), "money": JSONValue(money),
            "problem": JSONValue(problem), "result": .string(result),
            "refused": JSONValue(refusal?.code),
        ]
    }

    /// The state of the money.
    var money: String? { state.map { $0.money.standing.rawValue } ?? summary.facts?.money }

    /// The current problem.
    var problem: String? {
        guard let state else { return summary.problemName }
        return state.problem.map { $0.problem.kind?.rawValue ?? $0.problem.type ?? "" }
    }

    /// The cells of a row of the table.
    private var cells: [String] {
        [
            "\(summary.session)", summary.reference ?? "", summary.facts?.host ?? "", money ?? "",
            problem ?? "", result, refusal?.message ?? "",
        ]
    }

    /// The cells of a row for people, with a short id and without the host.
    private func shortCells(_ style: Style) -> [String] {
        [
            summary.session.short,
            style.cutInside(Screen.safe(summary.reference ?? ""), to: Self.widest.reference),
            money ?? "", style.cut(Screen.safe(problem ?? ""), to: Self.widest.problem),
            refusal.map { "\(result): \($0.message)" } ?? result,
        ]
    }

    /// The maximum widths of a reference and of a problem on a terminal.
    private static let widest = (reference: 16, problem: 14)

    /// Returns the table of some rows; on a terminal, the reasons of refusals are continued below
    /// their rows.
    static func table(of rows: [Self], for form: TextForm) -> Table {
        guard form.isTerminal else {
            return Table(
                columns: ["session", "reference", "host", "money", "problem", "result", "reason"],
                rows: rows.map(\.cells)
            )
        }
        let columns = ["id", "reference", "money", "problem", "result"]
        let table = Table(columns: columns, rows: rows.map { $0.shortCells(form.style) })
        return table.wrapping(column: columns.count - 1, for: form)
    }
}
