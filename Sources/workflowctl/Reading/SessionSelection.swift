internal import EventLog
internal import Inspection
internal import SwedbankPay

/// The sessions that a list shows: found in the store's index, and in logs only where the index can't tell.
struct SessionSelection {
    /// What the index is asked.
    var query: SessionQuery
    /// With this standing problem, or `any`.
    var problem: String?
    /// Whose money stands like this, which logs say.
    var money: Money.Standing?
    /// Of the PSP at this host, which logs say.
    var host: String?
    var order = SessionOrder.newest
    /// How many at the most.
    var limit: Int?

    private(set) var rows: [SessionList.Row] = []
    /// Whether there are more than the limit.
    private(set) var isCut = false
    /// How many logs could not be read.
    private(set) var unreadable = 0

    /// How the command ends: with a log that could not be read the answer may lack a session.
    var status: ExitStatus { unreadable == 0 ? .done : .damaged }

    /// Finds the sessions.
    mutating func read(from reader: Reader) async throws(Failure) {
        var progress = ProgressLine(on: reader.invocation.diagnostics)
        defer { progress.clear() }
        // In the index's own order it is enough to read as far as the limit.
        let enough = order == .newest ? limit.map { $0 + 1 } : nil
        query.limit = min(max(1, enough ?? .max), SessionQuery.defaultLimit)
        var seen: Int64 = 0
        while !Task.isCancelled, rows.count < enough ?? .max {
            let page: [SessionSummary]
            do { page = try await reader.store.sessions(matching: query) } catch {
                throw Failure(error)
            }
            for summary in page where hasProblem(summary) {
                guard rows.count < enough ?? .max, !Task.isCancelled else { break }
                seen += 1
                progress.reached(
                    0,
                    of: 0,
                    "\(seen) sessions looked at",
                    at: reader.invocation.now()
                )
                guard money != nil || host != nil else {
                    rows.append(SessionList.Row(summary))
                    continue
                }
                guard let facts = try await facts(of: summary.session, reader, isTold: true) else {
                    continue
                }
                guard money == nil || facts.money.standing == money,
                    host == nil || facts.host == host
                else { continue }
                rows.append(SessionList.Row(summary, facts: facts))
            }
            guard page.count == query.limit, let last = page.last else { break }
            query.before = last.session
        }
        if order != .newest { rows.sort { order.isOrdered($0.summary, $1.summary) } }
        guard let limit, rows.count > limit else { return }
        rows.removeLast(rows.count - limit)
        isCut = true
    }

    /// Reads what only the logs of the sessions say.
    mutating func readFacts(from reader: Reader) async throws(Failure) {
        for index in rows.indices where rows[index].facts == nil {
            guard !Task.isCancelled else { return }
            rows[index].facts = try await facts(
                of: rows[index].summary.session,
                reader,
                isTold: false
            )
        }
    }

    private func hasProblem(_ summary: SessionSummary) -> Bool {
        guard let problem else { return true }
        guard let name = summary.problemName else { return false }
        return problem == "any"
            || ProblemCatalogue.isSame(problem, name)
            || ProblemCatalogue.isSame(problem, summary.problem ?? "")
    }

    /// What a log says; nil when it does not read.
    ///
    /// - Parameter isTold: Whether that changes the answer, so that it has to be told.
    private mutating func facts(
        of session: SessionID,
        _ reader: Reader,
        isTold: Bool
    ) async throws(Failure) -> SessionList.Facts? {
        do throws(Failure) {
            return .init(try await SessionLog.read(session, from: reader.store).state)
        } catch {
            guard error.status == .damaged else { throw error }
            guard isTold else { return nil }
            reader.invocation.note("\(error)")
            unreadable += 1
            return nil
        }
    }
}

extension ProblemCatalogue {
    /// Whether two spellings are of one problem: `request failed` and `requestFailed`, in any letter case.
    fileprivate static func isSame(_ left: String, _ right: String) -> Bool {
        key(of: left.replacing(" ", with: "")) == key(of: right.replacing(" ", with: ""))
    }
}
