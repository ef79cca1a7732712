package import EventLog
internal import SwedbankPay

/// The differences between builds for many logs: for each pair of builds, the first event at which
/// they diverge.
package final class BisectSummary: Explanation {
    /// The maximum number of diverging logs that are kept; all are counted.
    static let maximumKept = 10_000

    /// A build that made decisions, or another program; this build is the other one of the pair.
    struct Opponent: Hashable, Sendable {
        var build: String
        /// Its problem catalogue; `nil` for another program.
        var catalogue: String?
    }

    /// The counts for one pair of builds.
    private struct Pair {
        var sessions = 0
        var parting = 0
        var first: BisectReport?
    }

    private let build: String
    private let catalogue: String
    private let other: String?
    /// The logs that were compared.
    package var sweep = Sweep()
    package private(set) var parting = 0
    private var pairs: [Opponent: Pair] = [:]
    private var kept: [BisectReport.Line] = []

    /// Creates a summary for this build.
    ///
    /// - Parameters:
    ///   - build: Its name.
    ///   - catalogue: The problem catalogue that it uses.
    ///   - other: The version of the other program; `nil` when this build is compared with the
    ///     records.
    package init(build: String, catalogue: String, other: String?) {
        (self.build, self.catalogue, self.other) = (build, catalogue, other)
    }

    /// Adds the report on one log.
    package func add(_ report: BisectReport) {
        sweep.add(report.eventCount)
        for opponent in report.opponents { pairs[opponent, default: Pair()].sessions += 1 }
        guard let line = report.line else { return }
        parting += 1
        if kept.count < Self.maximumKept { kept.append(line) }
        var pair = pairs[line.opponent] ?? Pair()
        pair.parting += 1
        // The earliest shows since when they diverge; of two at the same time, the one found first.
        let isEarlier = pair.first?.line.map { line.isBefore($0) } ?? true
        if isEarlier { pair.first = report }
        pairs[line.opponent] = pair
    }

    /// The result as text; empty when there was no comparison.
    package func text(for form: TextForm) -> StyledText {
        guard sweep.hasAnswer else { return StyledText() }
        var text = sweep.heading(parting, "differing", ("differs", "same"), form.style)
        text += "\n"
        guard !pairs.isEmpty else { return text }
        let own = "build \(build), catalogue \(catalogue)"
        let table = Table(
            columns: [
                "decided by", "this build", "sessions", "differing", "first", "event", "time",
            ],
            rows: ordered.map { opponent, pair in
                let line = pair.first?.line
                return [
                    opponent.words, own, "\(pair.sessions)", "\(pair.parting)",
                    line.map { "\($0.session)" } ?? "", line.map { "\($0.sequence)" } ?? "",
                    line.map { $0.at.text(for: form) } ?? "",
                ]
            }
        )
        text += "\n" + table.text(for: form)
        for (_, pair) in ordered {
            guard let first = pair.first else { continue }
            text += "\n" + first.parts(form.style).lines
        }
        return text
    }

    private var ordered: [(Opponent, Pair)] {
        pairs.sorted { left, right in
            left.value.parting != right.value.parting
                ? left.value.parting > right.value.parting
                : (left.key.build, left.key.catalogue ?? "")
                    < (right.key.build, right.key.catalogue ?? "")
        }.map { ($0.key, $0.value) }
    }

    /// The result as JSON.
    package var json: JSONValue {
        .object(
            sweep.members + [
                .init("build", .string(build)), .init("catalogue", .string(catalogue)),
                .init("other", JSONValue(other)),
                .init("alike", .bool(parting == 0 && sweep.unreadable == 0)),
                .init("parting", .integer(Int64(parting))),
                .init(
                    "pairs",
                    .array(
                        ordered.map { opponent, pair in
                            .object([
                                .init("build", .string(opponent.build)),
                                .init("catalogue", JSONValue(opponent.catalogue)),
                                .init("sessions", .integer(Int64(pair.sessions))),
                                .init("parting", .integer(Int64(pair.parting))),
                                .init("first", pair.first?.firstJSON ?? .null),
                            ])
                        }
                    )
                ),
                .init(
                    "partings",
                    .array(
                        kept.map { line in
                            .object([
                                .init("session", .string("\(line.session)")),
                                .init("seq", .sequence(line.sequence)),
                                .init("build", .string(line.opponent.build)),
                                .init("catalogue", JSONValue(line.opponent.catalogue)),
                            ])
                        }
                    )
                ),
            ]
        )
    }
}

extension BisectSummary.Opponent {
    /// The name of the build.
    var words: String { catalogue.map { "build \(build), catalogue \($0)" } ?? build }
}
