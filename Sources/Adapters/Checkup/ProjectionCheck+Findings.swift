internal import EventLog

extension ProjectionCheck {
    /// The maximum number of sessions or hours that a finding lists.
    private static let named = 5

    /// Returns the findings about what was compared: everything, or a sample.
    func findings(all: Bool) -> [Finding] {
        var findings: [Finding] = []
        if !differing.isEmpty { findings.append(rowsDiffer) }
        if !hours.isEmpty { findings.append(Self.sumsDiffer(hours)) }
        if unreadable > 0 {
            findings.append(
                Finding(
                    .projections,
                    .bad,
                    "\(Self.count(unreadable, "log")) could not be compared with \(unreadable == 1 ? "its row" : "their rows")",
                    advice: "run 'workflowctl verify' to see what is wrong"
                )
            )
        }
        if !isComplete { findings.append(Self.incomplete) }
        guard findings.isEmpty else { return findings }
        let what = all ? "all \(compared)" : "\(compared) sampled"
        return [
            Finding(.projections, .good, "the index of \(what) sessions matches their logs")
        ]
    }

    /// The warning when rows lack facts of this version.
    private static var incomplete: Finding {
        Finding(
            .projections,
            .warning,
            "the index lacks values for some sessions, so lists and sums are slower",
            advice: "run 'workflowctl store reproject'; engines can keep running"
        )
    }

    private var rowsDiffer: Finding {
        let named = differing.prefix(Self.named).map {
            "\($0.session) (\($0.members.joined(separator: ", ")))"
        }
        let more = differing.count > Self.named ? ", and \(differing.count - Self.named) more" : ""
        return Finding(
            .projections,
            .bad,
            "the index of \(differing.count) of \(compared) checked sessions differs from the log: "
                + named.joined(separator: "; ") + more,
            advice:
                "run 'workflowctl store reproject --rebuild' to compute it from the logs, and find out who wrote to the tables"
        )
    }

    private static func sumsDiffer(_ hours: [Instant]) -> Finding {
        let named = hours.prefix(Self.named).map { "\($0)" }.joined(separator: ", ")
        let more = hours.count > Self.named ? ", and \(hours.count - Self.named) more" : ""
        return Finding(
            .projections,
            .bad,
            "the sums of the sessions opened in the hour from \(named)\(more) differ from their rows",
            advice:
                "run 'workflowctl store reproject --rebuild' to add them up again, and find out who wrote to the tables"
        )
    }

    private static func count(_ number: Int, _ what: String) -> String {
        "\(number) \(what)\(number == 1 ? "" : "s")"
    }
}
