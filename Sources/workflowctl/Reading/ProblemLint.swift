internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// The problem types in a store's logs for which the catalogue has no row.
struct ProblemLint {
    /// A type without a row.
    struct Finding {
        var type: String
        var status: Int?
        /// The number of events with the type.
        var events = 0
        /// The number of sessions with the type.
        var sessions = 0
        /// The first event with the type.
        var session: SessionID
        var sequence: SequenceNumber
        /// The row that the engine uses instead.
        var advice: ProblemAdvice
    }

    private struct Key: Hashable {
        var type: String
        var status: Int?
    }

    let catalogue: ProblemCatalogue
    /// The number of sessions checked.
    private(set) var sessions = 0
    /// The number of events checked.
    private(set) var events = 0
    private var found: [Key: Finding] = [:]
    private var versions: [String: Int] = [:]

    init(by catalogue: ProblemCatalogue) { self.catalogue = catalogue }

    /// The types without a row, the most frequent first.
    var findings: [Finding] {
        found.values.sorted {
            ($1.events, $0.type, $0.status ?? 0) < ($0.events, $1.type, $1.status ?? 0)
        }
    }

    /// The versions of the catalogue that decisions in the store used, with the number of events.
    var decidedBy: [(version: String, events: Int)] {
        versions.map { ($0.key, $0.value) }.sorted { $0.version < $1.version }
    }

    /// Checks the logs of a store.
    mutating func checkLogs(of store: any PaymentStore) async throws(Failure) {
        for row in try await store.allSessions() {
            check(try await SessionLog.read(row.session, from: store))
        }
    }

    /// Checks a log.
    mutating func check(_ log: SessionLog) {
        sessions += 1
        var seen: Set<Key> = []
        for recorded in log.events {
            events += 1
            versions[recorded.metadata.catalogue, default: 0] += 1
            // A problem without a type cannot have a row.
            guard let (type, status) = recorded.event.problemType, type != "about:blank",
                !type.contains(":") || catalogue.rows(of: type).isEmpty
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
