internal import EventLog
internal import SwedbankPay

/// Where builds part over many logs: for each pair of builds the first event at which they do.
final class BisectSummary {
    /// How many logs in which they part are kept one by one; all are counted.
    static let maximumKept = 10_000

    /// A build that decided, or another program that was asked; this build is the other one of the pair.
    struct Opponent: Hashable, Sendable {
        var build: String
        /// Its problem catalogue; nothing for a program that was asked.
        var catalogue: String?
    }

    /// The logs that a pair of builds is compared over.
    private struct Pair {
        var sessions = 0
        var parting = 0
        var first: BisectReport?
    }

    private let catalogue: String
    private let other: String?
    private var sessions = 0
    private var events: Int64 = 0
    private(set) var parting = 0
    private var pairs: [Opponent: Pair] = [:]
    private var kept: [BisectReport.Line] = []

    /// A summary of what this build says.
    ///
    /// - Parameters:
    ///   - catalogue: The problem catalogue that it uses.
    ///   - other: The program that is asked, as it calls itself; nothing when the records are compared with.
    init(catalogue: String, other: String?) { (self.catalogue, self.other) = (catalogue, other) }

    /// Takes in what came of one log.
    func take(_ report: BisectReport) {
        sessions += 1
        events += Int64(report.eventCount)
        for opponent in report.opponents { pairs[opponent, default: Pair()].sessions += 1 }
        guard let line = report.line else { return }
        parting += 1
        if kept.count < Self.maximumKept { kept.append(line) }
        var pair = pairs[line.opponent] ?? Pair()
        pair.parting += 1
        // The earliest tells since when they part; of two at the same time the one that is found first.
        let isEarlier = pair.first?.line.map { line.isBefore($0) } ?? true
        if isEarlier { pair.first = report }
        pairs[line.opponent] = pair
    }

    /// Prints the result.
    ///
    /// - Parameter unreadable: How many logs could not be read.
    func tell(_ invocation: Invocation, unreadable: Int, asJSON: Bool) {
        guard !asJSON else { return invocation.print(json(unreadable: unreadable)) }
        // Nothing was compared, and why has been told.
        guard sessions > 0 || unreadable == 0 else { return }
        let output = invocation.output
        let head =
            if parting > 0 {
                output.style.paint("parts", .bad)
            } else if unreadable > 0 {
                output.style.paint("unreadable", .bad)
            } else {
                output.style.paint("alike", .good)
            }
        invocation.print(
            head + "  sessions: \(sessions), events: \(events), parting in: \(parting)"
                + (unreadable > 0 ? ", unreadable: \(unreadable)" : "")
        )
        guard !pairs.isEmpty else { return }
        let own = "build \(Build.version), catalogue \(catalogue)"
        let table = Table(
            columns: ["decided by", "this build", "sessions", "parting", "first", "event", "time"],
            rows: ordered.map { opponent, pair in
                let line = pair.first?.line
                return [
                    opponent.words, own, "\(pair.sessions)", "\(pair.parting)",
                    line.map { "\($0.session)" } ?? "", line.map { "\($0.sequence)" } ?? "",
                    line.map { $0.at.text(for: output) } ?? "",
                ]
            }
        )
        output.write("\n" + table.text(for: output))
        for (_, pair) in ordered {
            guard let first = pair.first else { continue }
            invocation.print("")
            first.parts(output.style).forEach { invocation.print($0) }
        }
    }

    private var ordered: [(Opponent, Pair)] {
        pairs.sorted { left, right in
            left.value.parting != right.value.parting
                ? left.value.parting > right.value.parting
                : (left.key.build, left.key.catalogue ?? "")
                    < (right.key.build, right.key.catalogue ?? "")
        }.map { ($0.key, $0.value) }
    }

    private func json(unreadable: Int) -> JSONValue {
        .object([
            .init("sessions", .integer(Int64(sessions))), .init("events", .integer(events)),
            .init("unreadable", .integer(Int64(unreadable))),
            .init("build", .string(Build.version)), .init("catalogue", .string(catalogue)),
            .init("other", JSONValue(other)),
            .init("alike", .bool(parting == 0 && unreadable == 0)),
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
                            .init("seq", .integer(line.sequence)),
                            .init("build", .string(line.opponent.build)),
                            .init("catalogue", JSONValue(line.opponent.catalogue)),
                        ])
                    }
                )
            ),
        ])
    }
}

extension BisectSummary.Opponent {
    /// The build in words.
    var words: String { catalogue.map { "build \(build), catalogue \($0)" } ?? build }
}
