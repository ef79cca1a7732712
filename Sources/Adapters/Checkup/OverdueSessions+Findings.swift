internal import EventLog
internal import Inspection

extension OverdueSessions {
    /// Returns the finding about sessions that need an engine; `nil` when there are none.
    func stuckFinding(at now: Instant) -> Finding? {
        guard !stuck.isEmpty else { return nil }
        return Finding(
            .sessions,
            .bad,
            "\(count(stuck)) \(stuck.count == 1 ? "is" : "are") stuck, the longest for "
                + Self.age(stuck, now),
            advice: "'workflowctl resume' continues them; 'workflowctl list --stuck' lists them"
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
            "\(count(waiting)) \(isOne ? "is waiting for its payer" : "are waiting for their payers"), "
                + "and no engine has polled the PSP for \(Self.age(waiting, now))",
            advice: "'workflowctl resume' reads them at the PSP"
        )
    }

    private func count(_ sessions: [SessionSummary]) -> String {
        (isCut ? "at least " : "") + "\(sessions.count)"
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
