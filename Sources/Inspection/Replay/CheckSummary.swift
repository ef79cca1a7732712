package import EventLog
internal import SwedbankPay

/// The results of repeating the decisions of many logs.
package final class CheckSummary: Explanation {
    /// The maximum number of differing sessions that are kept; all are counted.
    static let maximumKept = 10_000
    /// The number of them listed in the text.
    static let maximumShown = 10

    /// Differences of the same kind and with the same events.
    struct Group: Hashable {
        var kind: Parting.Kind
        var recorded: String
        var decided: String
    }

    /// The number of differences, and the first of them.
    private struct Count {
        var sessions = 0
        var first: (session: SessionID, sequence: SequenceNumber)
    }

    /// The logs that were checked.
    package var sweep = Sweep()
    package private(set) var differing = 0
    private var kept: [CheckReport] = []
    private var groups: [Group: Count] = [:]

    /// Creates an empty summary.
    package init() {}

    /// Adds the report on one log.
    package func add(_ report: CheckReport) {
        sweep.add(report.eventCount)
        guard let parting = report.parting else { return }
        differing += 1
        if kept.count < Self.maximumKept { kept.append(report) }
        let (recorded, decided) = parting.names
        let group = Group(kind: parting.kind, recorded: recorded, decided: decided)
        groups[group, default: Count(first: (report.session, parting.sequence))].sessions += 1
    }

    /// The result as text; empty when no log was checked.
    package func text(for form: TextForm) -> StyledText {
        guard sweep.hasAnswer else { return StyledText() }
        let style = form.style
        var text = sweep.heading(
            differing,
            "differing",
            ("differs", "agrees"),
            style
        )
        text += "\n"
        guard differing > 0 else { return text }
        let table = Table(
            columns: ["kind", "the log has", "this build decides", "sessions", "event", "first"],
            rows: counted.map { group, count in
                [
                    group.kind.rawValue, group.recorded, group.decided, "\(count.sessions)",
                    "\(count.first.sequence)", "\(count.first.session)",
                ]
            }
        )
        text += "\n" + table.text(for: form) + "\n"
        text += kept.prefix(Self.maximumShown).map { $0.text(style) }.lines
        if differing > Self.maximumShown {
            text += "and \(differing - Self.maximumShown) more; --json lists them\n"
        }
        return text
    }

    private var counted: [(Group, Count)] {
        groups.sorted { left, right in
            left.value.sessions != right.value.sessions
                ? left.value.sessions > right.value.sessions
                : (left.key.kind.rawValue, left.key.recorded, left.key.decided)
                    < (right.key.kind.rawValue, right.key.recorded, right.key.decided)
        }.map { ($0.key, $0.value) }
    }

    /// The result as JSON.
    package var json: JSONValue {
        .object(
            sweep.members + [
                .init("agrees", .bool(differing == 0 && sweep.unreadable == 0 && sweep.isWhole)),
                .init("differing", .integer(Int64(differing))),
                .init(
                    "kinds",
                    .array(
                        counted.map { group, count in
                            .object([
                                .init("kind", .string(group.kind.rawValue)),
                                .init("recorded", .string(group.recorded)),
                                .init("decided", .string(group.decided)),
                                .init("sessions", .integer(Int64(count.sessions))),
                                .init("firstSession", .string("\(count.first.session)")),
                                .init("firstSeq", .sequence(count.first.sequence)),
                            ])
                        }
                    )
                ),
                .init(
                    "divergences",
                    .array(
                        kept.map { report in
                            .object(
                                [.init("session", .string("\(report.session)"))]
                                    + (report.parting?.members ?? [])
                            )
                        }
                    )
                ),
            ]
        )
    }
}
