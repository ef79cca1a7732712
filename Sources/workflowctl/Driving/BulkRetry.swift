internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// Does again what failed in many sessions, one after the other at a pace that the PSP bears.
struct BulkRetry: Sendable {
    /// How many sessions are tried again at the most, unless somebody says how many.
    static let usualLimit = 1000
    /// The most sessions that are tried again in one go.
    static let longestLimit = 100_000
    /// How many sessions are tried again in a second, unless somebody says how many.
    static let usualRate = 5
    /// The most sessions that are tried again in a second.
    static let highestRate = 100
    /// So many sessions in a row whose requests fail again end it: the PSP is not back.
    static let failuresInRow = 5

    /// A session, and what came of it.
    struct Row: Sendable {
        var summary: SessionSummary
        /// How the session stands after it; nil when it was not tried again.
        var state: SessionState?
        /// Why it was not, or would not be, tried again.
        var refusal: Failure?

        /// What came of it, in one word.
        var result: String {
            guard refusal == nil else { return "refused" }
            guard let state else { return "retryable" }
            return failedAgain ? "failed" : state.outcome.map(\.rawValue) ?? "retried"
        }

        /// Whether a request failed again.
        var failedAgain: Bool { state?.problem?.problem.kind == .requestFailed }
    }

    /// The sessions that fit, and whether each may be tried again, which its log says; nothing is changed.
    static func find(
        _ filter: SessionFilter,
        limit: Int,
        by reader: Reader
    ) async throws(Failure) -> (rows: [Row], isCut: Bool) {
        let now = reader.invocation.now()
        var selection = filter.selection(at: now, limit: limit)
        try await selection.read(from: reader, needsFacts: true)
        let decider = reader.decider
        var progress = ProgressLine(on: reader.invocation.diagnostics)
        defer { progress.clear() }
        var rows: [Row] = []
        for summary in selection.rows {
            guard !Task.isCancelled else { break }
            var row = Row(summary: summary)
            do throws(Failure) {
                let log = try await SessionLog.read(summary.session, from: reader.store)
                row.refusal = refusal(in: log.state, by: decider, at: now)
            } catch {
                row.refusal = error
            }
            rows.append(row)
            progress.reached(
                Int64(rows.count),
                of: Int64(selection.rows.count),
                "checked \(rows.count) of \(selection.rows.count) sessions",
                at: reader.invocation.now()
            )
        }
        return (rows, selection.isCut)
    }

    /// Why a session may not be tried again; nil where it may.
    private static func refusal(
        in state: SessionState,
        by decider: SessionDecider,
        at now: Instant
    ) -> Failure? {
        do throws(Rejection) {
            let events = try decider.decide(
                .command(.retry(by: "workflowctl")),
                in: state,
                at: max(now, state.lastAt)
            )
            return events.isEmpty ? Failure(Rejection.nothingToRetry, hint: nil) : nil
        } catch {
            return Failure(error, hint: nil)
        }
    }

    private let driver: Driver
    private let rate: Int
    private let wait: Duration
    private let intervention: String?

    /// Work of a command that waits so long for each session.
    init(by driver: Driver, rate: Int, wait: Duration, intervention: String?) {
        (self.driver, self.rate) = (driver, rate)
        (self.wait, self.intervention) = (wait, intervention)
    }

    /// Tries sessions again.
    ///
    /// - Returns: What came of each; those after the end of it, when it ended early, stay as they were.
    func retry(_ rows: [Row]) async -> (rows: [Row], isStopped: Bool) {
        var (rows, inRow, index) = (rows, 0, 0)
        let invocation = driver.invocation
        var progress = ProgressLine(on: invocation.diagnostics)
        defer { progress.clear() }
        let places = rows.indices.filter { rows[$0].refusal == nil }
        // The first finds out whether the PSP is back.
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
    /// The row as JSON.
    var json: JSONValue {
        [
            "session": .string("\(summary.session)"),
            "reference": JSONValue(summary.reference.map(Screen.safe)),
            "host": JSONValue(summary.facts?.host), "money": JSONValue(money),
            "problem": JSONValue(problem), "result": .string(result),
            "refused": JSONValue(refusal?.code),
        ]
    }

    /// How the money stands.
    var money: String? { state.map { $0.money.standing.rawValue } ?? summary.facts?.money }

    /// The problem that stands.
    var problem: String? {
        guard let state else { return summary.problemName }
        return state.problem.map { $0.problem.kind?.rawValue ?? $0.problem.type ?? "" }
    }

    /// The cells of a table.
    var cells: [String] {
        [
            "\(summary.session)", summary.reference ?? "", summary.facts?.host ?? "", money ?? "",
            problem ?? "", result, refusal?.message ?? "",
        ]
    }

    /// Their heads.
    static let columns = ["session", "reference", "host", "money", "problem", "result", "reason"]
}
