package import EventLog
package import SwedbankPay

/// The problem types in a store's logs for which the catalogue has no row.
package struct ProblemLint: Explanation {
    /// A type without a row.
    package struct Finding {
        /// The type as the PSP sent it.
        package var type: String
        /// The status of the response, if the problem came with one.
        package var status: Int?
        /// The number of events with the type.
        package var events = 0
        /// The number of sessions with the type.
        package var sessions = 0
        /// The session of the first event with the type.
        package var session: SessionID
        /// The first event with the type.
        package var sequence: SequenceNumber
        /// The row that the engine uses instead.
        package var advice: ProblemAdvice
    }

    private struct Key: Hashable {
        var type: String
        var status: Int?
    }

    /// The catalogue.
    package let catalogue: ProblemCatalogue
    /// The number of sessions checked.
    package private(set) var sessions = 0
    /// The number of events checked.
    package private(set) var events = 0
    private var found: [Key: Finding] = [:]
    private var versions: [String: Int] = [:]

    /// Creates a check that has read no log yet.
    package init(by catalogue: ProblemCatalogue) { self.catalogue = catalogue }

    /// The types without a row, the most frequent first.
    package var findings: [Finding] {
        found.values.sorted {
            ($1.events, $0.type, $0.status ?? 0) < ($0.events, $1.type, $1.status ?? 0)
        }
    }

    /// The versions of the catalogue that decisions in the store used, with the number of events.
    package var decidedBy: [(version: String, events: Int)] {
        versions.map { ($0.key, $0.value) }.sorted { $0.version < $1.version }
    }

    /// Checks a log.
    package mutating func check(_ log: SessionLog) {
        sessions += 1
        var seen: Set<Key> = []
        for recorded in log.events {
            events += 1
            versions[recorded.metadata.catalogue, default: 0] += 1
            // A problem without a type cannot have a row.
            guard let (type, status) = recorded.event.problemType, type != "about:blank",
                !type.unicodeScalars.contains(":") || catalogue.rows(of: type).isEmpty
            else { continue }
            let key = Key(type: type, status: status)
            let isFirst = seen.insert(key).inserted
            var finding =
                found[key]
                ?? Finding(
                    type: type,
                    status: status,
                    session: log.session,
                    sequence: recorded.sequence,
                    advice: catalogue.advice(type: type, status: status, instrument: nil)
                )
            finding.events += 1
            finding.sessions += isFirst ? 1 : 0
            found[key] = finding
        }
    }
}

extension ProblemLint {
    /// The report as one JSON document.
    package var json: JSONValue {
        [
            "catalogue": .string(catalogue.version),
            "sessions": .integer(Int64(sessions)),
            "events": .integer(Int64(events)),
            "decidedBy": .array(
                decidedBy.map {
                    [
                        "catalogue": .string($0.version),
                        "events": .integer(Int64($0.events)),
                    ]
                }
            ),
            "missing": .array(findings.map(\.json)),
        ]
    }

    /// The types without a row as a table; a single line when every type has one.
    package func text(for form: TextForm) -> StyledText {
        let findings = findings
        guard !findings.isEmpty else {
            return form.style.paint("complete", .good)
                + "  sessions: \(sessions), events: \(events): every type has a row\n"
        }
        return Table(
            columns: [
                "problem", "status", "events", "sessions", "first seen", "handled as",
            ],
            rows: findings.map {
                [
                    ProblemCatalogue.slug(of: $0.type) ?? $0.type,
                    $0.status.map { "\($0)" } ?? "",
                    "\($0.events)", "\($0.sessions)", "\($0.session) \($0.sequence)",
                    "\($0.advice.actor.rawValue), \($0.advice.retryClass.rawValue)",
                ]
            }
        ).text(for: form)
    }
}

extension ProblemLint.Finding {
    fileprivate var json: JSONValue {
        [
            "type": .string(type),
            "status": JSONValue(status.map { Int64($0) }),
            "events": .integer(Int64(events)),
            "sessions": .integer(Int64(sessions)),
            "session": .string("\(session)"),
            "seq": .sequence(sequence),
            "actor": .string(advice.actor.rawValue),
            "class": .string(advice.retryClass.rawValue),
        ]
    }
}

extension SessionEvent {
    /// Returns the type and status of the PSP's problem in an event.
    ///
    /// A problem of a snapshot is counted when it is reported.
    fileprivate var problemType: (type: String, status: Int?)? {
        if case .operationFailed(let failed) = self {
            return failed.document.map { ($0.type, failed.status ?? $0.status) }
        }
        // Failed requests were counted when they failed.
        if case .problem(let problem) = self, problem.origin == .session {
            return problem.type.map { ($0, problem.status) }
        }
        return nil
    }
}
