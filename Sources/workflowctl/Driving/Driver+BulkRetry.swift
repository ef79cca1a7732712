internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay

extension BulkRetry {
    /// Finds the matching sessions and, from their logs, whether each may be retried; changes
    /// nothing.
    static func find(
        _ filter: SessionFilter,
        limit: Int,
        with configuration: Configuration,
        by reader: Reader
    ) async throws(Failure) -> (sessions: [RetriedSession], isCut: Bool) {
        let invocation = reader.invocation
        let now = invocation.now()
        var selection = filter.selection(at: now, limit: limit)
        let chosen = try await selection.rows(from: reader, needsFacts: true)
        var progress = ProgressLine(on: invocation.diagnostics)
        defer { progress.clear() }
        let sessions = await check(
            chosen,
            in: reader.store,
            by: reader.decider,
            at: now,
            unreachable: { host in
                configuration.allows(host: host)
                    ? nil : RetriedSession.Refusal(.unreachable(host))
            },
            reached: { done in
                progress.reached(
                    Int64(done),
                    of: Int64(chosen.count),
                    "checked \(done) of \(chosen.count) sessions",
                    at: invocation.now()
                )
            }
        )
        return (sessions, selection.isCut)
    }
}

extension Driver {
    /// Retries sessions at a number per second, with a time limit for each, and returns the
    /// results.
    func retry(
        _ sessions: [RetriedSession],
        rate: Int,
        wait: Duration,
        intervention: String?
    ) async -> (sessions: [RetriedSession], isStopped: Bool) {
        let bulk = BulkRetry(on: invocation.loop, rate: rate, now: invocation.now) { session in
            await retry(session, wait: wait, intervention: intervention)
        }
        var progress = ProgressLine(on: invocation.diagnostics)
        defer { progress.clear() }
        return await bulk.run(sessions) { done, all in
            progress.reached(
                Int64(done),
                of: Int64(all),
                "retried \(done) of \(all) sessions",
                at: invocation.now()
            )
        }
    }

    private func retry(
        _ session: SessionID,
        wait: Duration,
        intervention: String?
    ) async -> Result<SessionState, RetriedSession.Refusal> {
        do throws(EngineError) {
            try await engine.retry(session, by: who)
            try await record(intervention, in: session)
        } catch {
            return .failure(RetriedSession.Refusal(Failure(error)))
        }
        do throws(Failure) {
            return .success(
                try await follow(session, until: .settled, for: wait, verbosely: false).state
            )
        } catch {
            return .failure(RetriedSession.Refusal(error))
        }
    }
}

extension RetriedSession.Refusal {
    /// Creates the refusal for a failure of the command line.
    fileprivate init(_ failure: Failure) {
        self.init(code: failure.code, message: failure.message)
    }
}

extension RetriedSession {
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

    /// Returns the table of some sessions; on a terminal, the reasons of refusals are continued
    /// below their rows.
    static func table(of sessions: [Self], for form: TextForm) -> Table {
        guard form.isTerminal else {
            return Table(
                columns: ["session", "reference", "host", "money", "problem", "result", "reason"],
                rows: sessions.map(\.cells)
            )
        }
        let columns = ["id", "reference", "money", "problem", "result"]
        let table = Table(columns: columns, rows: sessions.map { $0.shortCells(form.style) })
        return table.wrapping(column: columns.count - 1, for: form)
    }
}
