internal import EventLog
internal import Inspection

extension StuckSessions {
    /// Returns the finding about sessions that nothing moves by itself; `nil` when there are none.
    ///
    /// Overdue work means that no engine runs, which is bad; what stopped needs a person.
    func stuckFinding(at now: Instant) -> Finding? {
        guard !all.isEmpty else { return nil }
        let isOne = all.count == 1
        var (parts, advice) = (
            [String](), ["'workflowctl list --stuck' lists \(isOne ? "it" : "them")"]
        )
        if !overdue.isEmpty {
            parts.append(
                "\(overdue.count) with work overdue, the longest for \(Self.age(overdue, now))"
            )
            advice.append("'workflowctl resume' continues overdue work")
        }
        if !stopped.isEmpty {
            parts.append("\(stopped.count) stopped with a problem")
            advice.append(
                "'explain' says what to do about one that stopped; if 'retry' is possible, it reads the payment at the PSP first"
            )
        }
        return Finding(
            .sessions,
            overdue.isEmpty ? .warning : .bad,
            "\(all.count) session\(isOne ? " is" : "s are") stuck: "
                + parts.joined(separator: ", "),
            advice: advice.joined(separator: "; ")
        )
    }

    /// Returns the finding about sessions that wait for the payer.
    func waitingFinding(at now: Instant) -> Finding {
        guard !waiting.isEmpty else {
            return Finding(.payers, .good, "an engine polls for every waiting payer")
        }
        let isOne = waiting.count == 1
        return Finding(
            .payers,
            .warning,
            "\(waiting.count) \(isOne ? "is waiting for its payer" : "are waiting for their payers"), "
                + "and no engine has polled the PSP for \(Self.age(waiting, now))",
            advice: "'workflowctl resume' reads them at the PSP"
        )
    }

    private static func age(_ sessions: [SessionSummary], _ now: Instant) -> String {
        (now - (sessions.compactMap(\.dueAt).min() ?? now)).spoken
    }
}

extension ForgottenSessions {
    /// Returns the finding about sessions that engines do not find; `nil` when there are none.
    var finding: Finding? {
        guard !sessions.isEmpty else { return nil }
        let isOne = sessions.count == 1
        return Finding(
            .sessions,
            .bad,
            "\(sessions.count) session\(isOne ? "" : "s") would never be continued: the index does not say when "
                + "\(isOne ? "it is" : "they are") due",
            advice:
                "a running service corrects such rows from the logs, and so does "
                + "'workflowctl store reproject --rebuild'; find out who wrote to the store"
        )
    }
}
