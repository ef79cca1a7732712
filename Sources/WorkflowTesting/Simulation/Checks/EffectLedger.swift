public import EventLog
internal import SwedbankPay
public import Workflow

/// Records the external effects of engines, and reports what must never happen.
///
/// It checks every request when it is sent and every event when it is durable, so that a test fails
/// even if it has no check of its own. What it knows about a session grows with each event; it
/// never reads a log again.
public struct EffectLedger: Sendable {
    /// A violation of a guarantee.
    public struct Violation: Error, Hashable, Sendable, CustomStringConvertible {
        /// The guarantee's name, for example `durableFirst`.
        public var guarantee: String
        /// The event.
        public var explanation: String

        /// The name and the explanation.
        public var description: String { "\(guarantee): \(explanation)" }
    }

    /// The state of a session.
    private struct Account: Sendable {
        /// Requests whose start is durable.
        var started: Set<EffectID> = []
        /// Requests that were sent.
        var left: Set<EffectID> = []
        /// Requests under way, in the order in which they were sent.
        var underWay: [(effect: EffectID, name: String, onlyReads: Bool)] = []
        /// The last read: its time, the number of changes by then, and the engine.
        var lastRead: (at: Instant, changes: Int, reader: Reader)?
        /// The number of consecutive reads by other engines that had not seen the response yet.
        var earlyReads = 0
        /// The number of events that changed something.
        var changes = 0
        /// Whether the session has ended.
        var isOver = false
        /// The request whose outcome is unknown, until the session is read.
        var unknown: String?
        /// Whether a problem was recorded for it.
        var isEscalated = false
    }

    /// The engine that reads, as long as its clock does not jump.
    public struct Reader: Hashable, Sendable {
        /// The number of the engine.
        public var node: Int
        /// The number of jumps of its clock.
        public var jumps: Int

        /// Creates a reader.
        public init(node: Int = 0, jumps: Int = 0) {
            self.node = node
            self.jumps = jumps
        }
    }

    /// The maximum number of consecutive immediate reads of a session by one engine after another.
    static var earlyReads: Int { 3 }

    private var accounts: [SessionID: Account] = [:]

    /// All violations, in order.
    public private(set) var violations: [Violation] = []

    /// Creates an empty ledger.
    public init() {}

    /// Records a violation of a guarantee.
    public mutating func report(_ guarantee: Guarantee, _ explanation: String) {
        report(guarantee.rawValue, explanation)
    }

    /// Records a violation under a name chosen by the caller.
    public mutating func report(_ name: String, _ explanation: String) {
        violations.append(Violation(guarantee: name, explanation: explanation))
    }

    // MARK: Durable events

    /// Records that an event is durable.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - meaning: The effect of the event on the requests of its session.
    ///   - mayFollowEnd: Whether it may follow the end.
    ///   - session: The session.
    public mutating func durable(
        _ event: some WorkflowEvent,
        meaning: EventMeaning,
        mayFollowEnd: Bool = false,
        of session: SessionID
    ) {
        var account = accounts[session].take() ?? Account()
        defer { accounts[session] = account }
        if account.isOver, !mayFollowEnd {
            report(.terminalIsFinal, "\(event.typeName) after the end of \(session)")
        }
        if event.isEnd {
            account.isOver = true
            account.unknown = nil
        }
        switch meaning {
        case .started(let effect, let name):
            account.changes += 1
            account.started.insert(effect)
            if let unknown = account.unknown {
                report(
                    .unknownOutcomesResolved,
                    "\(name) of \(session) began while that of \(unknown) was unknown"
                )
            }
        case .leftUnknown(let name):
            account.changes += 1
            account.unknown = name
            account.isEscalated = false
        case .read(let isNew):
            account.changes += isNew ? 1 : 0
            account.unknown = nil
        case .readingEnded: break
        case .problem:
            account.changes += 1
            account.isEscalated = true
        case .other: account.changes += 1
        }
    }

    /// The request whose outcome stayed unknown without a recorded problem.
    func leavesUnknown(_ session: SessionID) -> String? {
        guard let account = accounts[session], !account.isEscalated else { return nil }
        return account.unknown
    }

    /// Records that a response could not be stored, which is a reason to read again.
    mutating func lostResponse(of session: SessionID) { accounts[session]?.lastRead = nil }

    // MARK: Outgoing requests

    /// Records that a request is sent.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - name: The request's name.
    ///   - mayFollowEnd: Whether it may be sent after the end.
    ///   - session: The session.
    ///   - now: The world's time.
    ///   - shortestPause: The shortest time between two reads without a change.
    ///   - reader: The engine that sends it.
    public mutating func leaves(
        _ request: some WorkflowRequest,
        called name: String,
        mayFollowEnd: Bool = false,
        of session: SessionID,
        at now: Instant,
        shortestPause: Duration,
        by reader: Reader = Reader()
    ) {
        var account = accounts[session].take() ?? Account()
        defer { accounts[session] = account }
        if request.onlyReads {
            if let last = account.lastRead, last.changes == account.changes,
                now - last.at < shortestPause
            {
                account.earlyReads += 1
                let pause = (now - last.at).wholeMilliseconds
                if last.reader == reader || account.earlyReads > Self.earlyReads {
                    report(.settles, "\(session) was read twice in \(pause) ms without a reason")
                }
            } else {
                account.earlyReads = 0
            }
            account.lastRead = (now, account.changes, reader)
        } else {
            if !account.started.contains(request.id) {
                report(
                    .durableFirst,
                    "\(name) of \(session) left before its start was durable"
                )
            } else if account.isOver, !mayFollowEnd {
                report(.terminalIsFinal, "\(name) of \(session) left after the end")
            }
            if !account.left.insert(request.id).inserted {
                report(.noDoublePay, "\(name) of \(session) left twice")
            }
        }
        account.underWay.append((request.id, name, request.onlyReads))
        let changing = account.underWay.filter { !$0.onlyReads }
        if changing.count > 1 {
            report(
                .singleFlight,
                "\(session) has \(changing.map(\.name)) under way at once"
            )
        }
    }

    /// Records that a request has ended, or was lost with its engine.
    public mutating func ended(_ effect: EffectID, of session: SessionID) {
        accounts[session]?.underWay.removeAll { $0.effect == effect }
    }

    /// Records that a request was canceled because of a change: the next one is not a repetition
    /// of it.
    public mutating func canceled(_ effect: EffectID, of session: SessionID) {
        ended(effect, of: session)
        accounts[session]?.lastRead = nil
    }

    /// Records that an engine crashed with all its requests of these sessions.
    public mutating func crashed(lifeOf sessions: [SessionID]) {
        for session in sessions {
            accounts[session]?.underWay.removeAll()
            accounts[session]?.lastRead = nil
        }
    }
}
