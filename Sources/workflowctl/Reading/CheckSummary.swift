internal import EventLog
internal import SwedbankPay

/// What came of taking the decisions of many logs anew.
final class CheckSummary {
    /// How many sessions that differ are kept; all are counted.
    static let maximumKept = 10_000
    /// How many of them are told to people.
    static let maximumTold = 10

    /// Differences that have the kind and both events in common.
    struct Group: Hashable {
        var kind: Parting.Kind
        var recorded: String
        var decided: String
    }

    /// How often, and where first.
    private struct Count {
        var sessions = 0
        var first: (session: SessionID, sequence: Int64)
    }

    private(set) var sessions = 0
    private(set) var events: Int64 = 0
    private(set) var differing = 0
    private var kept: [CheckReport] = []
    private var groups: [Group: Count] = [:]

    /// Takes in what came of one log.
    func take(_ report: CheckReport) {
        sessions += 1
        events += Int64(report.eventCount)
        guard let parting = report.parting else { return }
        differing += 1
        if kept.count < Self.maximumKept { kept.append(report) }
        let (recorded, decided) = parting.names
        let group = Group(kind: parting.kind, recorded: recorded, decided: decided)
        groups[group, default: Count(first: (report.session, parting.sequence))].sessions += 1
    }

    /// Prints the result.
    ///
    /// - Parameters:
    ///   - unreadable: How many logs could not be read.
    ///   - isWhole: Whether the check came to its end.
    func tell(_ invocation: Invocation, unreadable: Int, isWhole: Bool = true, asJSON: Bool) {
        guard !asJSON else {
            return invocation.print(json(unreadable: unreadable, isWhole: isWhole))
        }
        // Nothing was checked, and why has been told.
        guard sessions > 0 || unreadable == 0 else { return }
        let output = invocation.output
        let head =
            if differing > 0 {
                output.style.paint("differs", .bad)
            } else if unreadable > 0 {
                output.style.paint("unreadable", .bad)
            } else if !isWhole {
                output.style.paint("incomplete", .bad)
            } else {
                output.style.paint("agrees", .good)
            }
        invocation.print(
            head + "  sessions: \(sessions), events: \(events), decided otherwise in: \(differing)"
                + (unreadable > 0 ? ", unreadable: \(unreadable)" : "")
        )
        guard differing > 0 else { return }
        let table = Table(
            columns: ["kind", "the log has", "this build wants", "sessions", "event", "first"],
            rows: counted.map { group, count in
                [
                    group.kind.rawValue, group.recorded, group.decided, "\(count.sessions)",
                    "\(count.first.sequence)", "\(count.first.session)",
                ]
            }
        )
        output.write("\n" + table.text(for: output) + "\n")
        for report in kept.prefix(Self.maximumTold) { invocation.print(report.text(output.style)) }
        if differing > Self.maximumTold {
            invocation.print("and \(differing - Self.maximumTold) more; --json lists them")
        }
    }

    private var counted: [(Group, Count)] {
        groups.sorted { left, right in
            left.value.sessions != right.value.sessions
                ? left.value.sessions > right.value.sessions
                : (left.key.kind.rawValue, left.key.recorded, left.key.decided)
                    < (right.key.kind.rawValue, right.key.recorded, right.key.decided)
        }.map { ($0.key, $0.value) }
    }

    private func json(unreadable: Int, isWhole: Bool) -> JSONValue {
        .object([
            .init("sessions", .integer(Int64(sessions))), .init("events", .integer(events)),
            .init("unreadable", .integer(Int64(unreadable))),
            .init("agrees", .bool(differing == 0 && unreadable == 0 && isWhole)),
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
                            .init("firstSeq", .integer(count.first.sequence)),
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
        ])
    }
}
