internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// Payments that need a person: those whose outcome is unknown, as `at-risk` lists them, and those
/// in sessions that stopped with a problem.
struct RestingMoney {
    /// The number of payments whose logs are read, and of rows of earlier builds.
    static let limit = 500

    /// The number of payments whose outcome is unknown.
    private(set) var unknown = 0
    /// The number of those that 'retry' continues.
    private(set) var retryable = 0
    /// The number of the others whose session has ended.
    private(set) var ended = 0
    /// The number of sessions that stopped with a problem while their payment was in progress.
    private(set) var stopped = 0

    /// Searches a store; imported sessions are ignored.
    ///
    /// Sessions that changed within the last minute may still continue: they do not count as
    /// stopped, and unknown payments are reported once one of them has not changed for a minute.
    init(
        in store: any PaymentStore,
        by decider: SessionDecider,
        at now: Instant
    ) async throws(EventStoreError) {
        let quiet = now + (.zero - SessionSummary.patience)
        var (rows, totals) = ([SessionID: SessionSummary](), MoneyTotals())
        for row in try await Self.rows(in: store, by: decider) {
            rows[row.session] = row
            totals.add(row)
        }
        stopped = rows.values.count { row in
            // After a refused abort, the payment goes on.
            row.problem != nil && row.problem != EngineProblemKind.abortNotAllowed.rawValue
                && !row.isOver && row.lastAt < quiet
                && row.facts?.money == MoneyState.Standing.underWay.rawValue
        }
        let payments = totals.unknown.compactMap { rows[$0.session] }
        guard payments.contains(where: { $0.lastAt < quiet }) else { return }
        unknown = payments.count
        for row in payments.prefix(Self.limit) {
            let state = try await Self.state(of: row, in: store)
            if BulkRetry.refusal(in: state, by: decider, at: now) == nil {
                retryable += 1
            } else if row.isOver {
                ended += 1
            }
        }
    }

    /// Returns the rows that `at-risk` sums one by one, with the facts of the logs where an earlier
    /// build wrote the row.
    private static func rows(
        in store: any PaymentStore,
        by decider: SessionDecider
    ) async throws(EventStoreError) -> [SessionSummary] {
        var rows = try await store.sessionsToSum(SessionQuery(origin: .own))
        let stale = SessionQuery(hasFacts: false, origin: .own, limit: limit)
        for var row in try await store.sessions(matching: stale) {
            row.facts = decider.facts(of: try await state(of: row, in: store))
            rows.append(row)
        }
        return rows
    }

    /// Returns the state of a session, up to the first record that cannot be read, which 'verify'
    /// reports.
    private static func state(
        of row: SessionSummary,
        in store: any PaymentStore
    ) async throws(EventStoreError) -> SessionState {
        var state = SessionState(session: row.session)
        for record in try await store.read(row.session, from: 1, limit: row.lastSequence.count) {
            guard let event = try? RecordReader.event(in: record) else { break }
            state.apply(event.event, at: event.at)
        }
        return state
    }
}

extension RestingMoney {
    /// The findings; none when there are no such payments.
    var findings: [Finding] { [unknownFinding, stoppedFinding].compactMap(\.self) }

    /// The finding about payments whose outcome is unknown.
    private var unknownFinding: Finding? {
        guard unknown > 0 else { return nil }
        let isOne = unknown == 1
        var words =
            isOne
            ? "one payment has an unknown outcome" : "\(unknown) payments have an unknown outcome"
        if !parts.isEmpty { words += "; " + parts.joined(separator: ", ") }
        var advice = ["'workflowctl at-risk' lists \(isOne ? "it" : "them")"]
        if unknown > Self.limit {
            advice.append("'explain' shows what to do about each")
        } else {
            if retryable > 0 {
                advice.append("'retry' reads a payment at the PSP and then continues it")
            }
            if unknown > retryable {
                let which = isOne ? "it was" : retryable > 0 ? "the others were" : "they were"
                advice.append(
                    "find out at the PSP whether \(which) paid, and record it with 'resolve'"
                )
            }
        }
        return Finding(.sessions, .warning, words, advice: advice.joined(separator: "; "))
    }

    /// What became of the payments whose outcome is unknown; empty where not all logs were read.
    private var parts: [String] {
        guard unknown <= Self.limit else { return [] }
        let open = unknown - retryable - ended
        guard unknown > 1 else {
            return [
                retryable > 0
                    ? "'retry' continues it"
                    : ended > 0 ? "its session has ended" : "its session is still open"
            ]
        }
        var parts: [String] = []
        if retryable > 0 { parts.append("\(retryable) of them can be continued with 'retry'") }
        if ended > 0 { parts.append("\(ended) \(ended == 1 ? "has" : "have") ended") }
        if open > 0 { parts.append("\(open) \(open == 1 ? "is" : "are") still open") }
        return parts
    }

    /// The finding about sessions that stopped while their payment was in progress.
    private var stoppedFinding: Finding? {
        guard stopped > 0 else { return nil }
        return Finding(
            .sessions,
            .warning,
            stopped == 1
                ? "one session stopped with a problem while its payment was in progress"
                : "\(stopped) sessions stopped with a problem while their payments were in "
                    + "progress",
            advice:
                "'workflowctl list --problem any --money underWay' lists them; 'retry' reads each "
                + "at the PSP and then continues it"
        )
    }
}
