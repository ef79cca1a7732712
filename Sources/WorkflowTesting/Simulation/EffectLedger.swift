public import Workflow

/// Keeps the books of what engines did to the outside, and refuses what must never happen.
///
/// It looks at every request the moment it leaves, so a test fails even where it forgot to look.
public struct EffectLedger: Sendable {
    /// A broken guarantee.
    public struct Violation: Error, Hashable, Sendable, CustomStringConvertible {
        /// The guarantee's name, for example `durableFirst`.
        public var guarantee: String
        /// What happened.
        public var explanation: String

        /// Name and explanation.
        public var description: String { "\(guarantee): \(explanation)" }
    }

    private struct Request {
        var rel: Rel
        var at: Instant
        var sequence: Int64
    }

    private var underWay: [SessionID: [EffectID: Rel]] = [:]
    private var lastRead: [SessionID: Request] = [:]
    private var left: [SessionID: Set<EffectID>] = [:]

    /// Everything that was found, in order.
    public private(set) var violations: [Violation] = []

    /// Books without an entry.
    public init() {}

    /// A request leaves.
    ///
    /// - Parameters:
    ///   - call: The request.
    ///   - durable: The session's log as far as it is durable.
    ///   - now: The time.
    public mutating func leaves(
        _ call: OperationCall,
        of session: SessionID,
        durable: [RecordedEvent],
        at now: Instant,
        shortestPause: Duration
    ) {
        if call.onlyReads {
            checkPace(call, session, durable, now, shortestPause)
        } else {
            checkStart(call, session, durable)
            if !left[session, default: []].insert(call.id).inserted {
                report("noDoublePay", "\(call.rel.rawValue) of \(session) left twice")
            }
        }
        underWay[session, default: [:]][call.id] = call.rel
        let changing = underWay[session, default: [:]].values.filter { !$0.onlyReads }
        if changing.count > 1 {
            report(
                "singleFlight",
                "\(session) has \(changing.map(\.rawValue).sorted()) under way at once"
            )
        }
    }

    /// A request came to an end, or died with its engine.
    public mutating func ended(_ effect: EffectID, of session: SessionID) {
        underWay[session]?[effect] = nil
    }

    /// An engine died with all its requests, which were of these sessions.
    public mutating func crashed(lifeOf sessions: [SessionID]) {
        for session in sessions {
            underWay[session] = nil
            lastRead[session] = nil
        }
    }

    /// Something else is wrong.
    public mutating func report(_ guarantee: String, _ explanation: String) {
        violations.append(Violation(guarantee: guarantee, explanation: explanation))
    }

    private mutating func checkStart(
        _ call: OperationCall,
        _ session: SessionID,
        _ durable: [RecordedEvent]
    ) {
        let started = durable.last { recorded in
            if case .operationStarted(let started) = recorded.event {
                started.effect == call.id
            } else {
                false
            }
        }
        guard started != nil else {
            report("durableFirst", "\(call.rel.rawValue) left before its start was durable")
            return
        }
        let isOver = durable.contains { recorded in
            switch recorded.event {
            case .completed, .canceled, .failed, .expired: true
            default: false
            }
        }
        if isOver { report("terminalIsFinal", "\(call.rel.rawValue) left after the end") }
    }

    /// No hot loop: without anything new, requests keep a pause.
    private mutating func checkPace(
        _ call: OperationCall,
        _ session: SessionID,
        _ durable: [RecordedEvent],
        _ now: Instant,
        _ shortestPause: Duration
    ) {
        let sequence = Int64(durable.filter { !$0.event.isReadingOutcome }.count)
        defer { lastRead[session] = Request(rel: call.rel, at: now, sequence: sequence) }
        guard let last = lastRead[session], last.sequence == sequence else { return }
        if now - last.at < shortestPause {
            report(
                "settles",
                "\(session) was read twice within \(now - last.at) without news"
            )
        }
    }
}

extension SessionEvent {
    /// Whether it only says how a reading request went, without anything new.
    var isReadingOutcome: Bool {
        switch self {
        case .fetched(let fetched): fetched.snapshot == nil
        case .operationFailed(let failed): failed.rel.onlyReads
        case .operationSucceeded(let succeeded): succeeded.rel.onlyReads
        default: false
        }
    }
}
