public import EventLog
internal import SwedbankPay
public import Workflow

/// Keeps the books of what engines did to the outside, and refuses what must never happen.
///
/// It looks at every request the moment it leaves and at every event the moment it is durable, so a test fails even
/// where it forgot to look. What it knows of a session grows with each event; it never goes through a log again.
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

    /// What is known of a session.
    private struct Account: Sendable {
        /// Requests whose start is durable.
        var started: Set<EffectID> = []
        /// Requests that left.
        var left: Set<EffectID> = []
        /// Requests under way, in the order in which they left.
        var underWay: [(effect: EffectID, name: String, onlyReads: Bool)] = []
        /// The last reading request: when, how much was new by then, and who made it.
        var lastRead: (at: Instant, news: Int, reader: Reader)?
        /// How often in a row another engine read again at once, since it had not heard of the answer yet.
        var earlyReads = 0
        /// How many events brought something new.
        var news = 0
        /// Whether the session is over.
        var isOver = false
        /// A request whose outcome is unknown, while nobody has read the session.
        var unknown: String?
        /// Whether somebody was told of it.
        var isEscalated = false
    }

    /// Who reads: an engine, as long as its clock does not jump.
    public struct Reader: Hashable, Sendable {
        /// Which engine.
        public var node: Int
        /// How often its clock has jumped.
        public var jumps: Int

        /// That engine.
        public init(node: Int = 0, jumps: Int = 0) {
            self.node = node
            self.jumps = jumps
        }
    }

    /// How often in a row a session may be read at once by one engine after another.
    static var earlyReads: Int { 3 }

    private var accounts: [SessionID: Account] = [:]

    /// Everything that was found, in order.
    public private(set) var violations: [Violation] = []

    /// Books without an entry.
    public init() {}

    /// Something is wrong.
    public mutating func report(_ guarantee: Guarantee, _ explanation: String) {
        report(guarantee.rawValue, explanation)
    }

    /// Something is wrong, by a name of the caller's.
    public mutating func report(_ name: String, _ explanation: String) {
        violations.append(Violation(guarantee: name, explanation: explanation))
    }

    // MARK: What becomes durable

    /// An event is durable.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - meaning: What it says of the requests of its session.
    ///   - mayFollowEnd: Whether it may stand after the end.
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
            account.news += 1
            account.started.insert(effect)
            if let unknown = account.unknown {
                report(
                    .unknownOutcomesResolved,
                    "\(name) of \(session) began while that of \(unknown) was unknown"
                )
            }
        case .leftUnknown(let name):
            account.news += 1
            account.unknown = name
            account.isEscalated = false
        case .read(let isNews):
            account.news += isNews ? 1 : 0
            account.unknown = nil
        case .readingEnded: break
        case .told:
            account.news += 1
            account.isEscalated = true
        case .other: account.news += 1
        }
    }

    /// Whether an unknown outcome was left as it is, without anybody being told.
    func leavesUnknown(_ session: SessionID) -> String? {
        guard let account = accounts[session], !account.isEscalated else { return nil }
        return account.unknown
    }

    // MARK: What leaves

    /// A request leaves.
    ///
    /// - Parameters:
    ///   - call: The request.
    ///   - name: What it is called.
    ///   - mayFollowEnd: Whether it may leave after the end.
    ///   - now: The world's time.
    ///   - shortestPause: The shortest time between two reading requests without anything new.
    ///   - reader: The engine that it leaves.
    public mutating func leaves(
        _ call: some WorkflowCall,
        called name: String,
        mayFollowEnd: Bool = false,
        of session: SessionID,
        at now: Instant,
        shortestPause: Duration,
        by reader: Reader = Reader()
    ) {
        var account = accounts[session].take() ?? Account()
        defer { accounts[session] = account }
        if call.onlyReads {
            if let last = account.lastRead, last.news == account.news,
                now - last.at < shortestPause
            {
                account.earlyReads += 1
                let pause = (now - last.at).wholeMilliseconds
                if last.reader == reader || account.earlyReads > Self.earlyReads {
                    report(.settles, "\(session) was read twice within \(pause) ms without news")
                }
            } else {
                account.earlyReads = 0
            }
            account.lastRead = (now, account.news, reader)
        } else {
            if !account.started.contains(call.id) {
                report(
                    .durableFirst,
                    "\(name) of \(session) left before its start was durable"
                )
            } else if account.isOver, !mayFollowEnd {
                report(.terminalIsFinal, "\(name) of \(session) left after the end")
            }
            if !account.left.insert(call.id).inserted {
                report(.noDoublePay, "\(name) of \(session) left twice")
            }
        }
        account.underWay.append((call.id, name, call.onlyReads))
        let changing = account.underWay.filter { !$0.onlyReads }
        if changing.count > 1 {
            report(
                .singleFlight,
                "\(session) has \(changing.map(\.name)) under way at once"
            )
        }
    }

    /// A request came to an end, or died with its engine.
    public mutating func ended(_ effect: EffectID, of session: SessionID) {
        accounts[session]?.underWay.removeAll { $0.effect == effect }
    }

    /// A request was given up, because there was something new: what follows is no repetition of it.
    public mutating func canceled(_ effect: EffectID, of session: SessionID) {
        ended(effect, of: session)
        accounts[session]?.lastRead = nil
    }

    /// An engine died with all its requests, which were of these sessions.
    public mutating func crashed(lifeOf sessions: [SessionID]) {
        for session in sessions {
            accounts[session]?.underWay.removeAll()
            accounts[session]?.lastRead = nil
        }
    }
}
