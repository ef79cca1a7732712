public import EventLog
public import SwedbankPay
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
        var underWay: [(effect: EffectID, rel: Rel)] = []
        /// The last reading request: when, how much was new by then, and who made it.
        var lastRead: (at: Instant, news: Int, reader: Reader)?
        /// How often in a row another engine read again at once, since it had not heard of the answer yet.
        var earlyReads = 0
        /// How many events brought something new.
        var news = 0
        /// Whether it is a checkout, whose money may move after the end.
        var isCheckout = false
        /// Whether the session is over.
        var isOver = false
        /// A request whose outcome is unknown, while nobody has read the session.
        var unknown: Rel?
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
    static let earlyReads = 3

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
    public mutating func durable(_ event: SessionEvent, of session: SessionID) {
        var account = accounts[session].take() ?? Account()
        defer { accounts[session] = account }
        if account.isOver, !event.isAudit, event.isEnd || !account.isCheckout {
            report(
                .terminalIsFinal,
                "\(EventCodec.typeName(of: event)) after the end of \(session)"
            )
        }
        if event.isEnd {
            account.isOver = true
            account.unknown = nil
        }
        if !event.isReadingOutcome { account.news += 1 }
        switch event {
        case .operationStarted(let started):
            account.started.insert(started.effect)
            if let unknown = account.unknown {
                report(
                    .unknownOutcomesResolved,
                    "\(started.rel.rawValue) of \(session) began while that of \(unknown.rawValue) was unknown"
                )
            }
        case .operationFailed(let failed) where failed.isUnknownChange:
            account.unknown = failed.rel
            account.isEscalated = false
        case .fetched, .checkout(.orderFetched): account.unknown = nil
        case .problem: account.isEscalated = true
        case .checkout(.checkoutOpened): account.isCheckout = true
        default: break
        }
    }

    /// Whether an unknown outcome was left as it is, without anybody being told.
    func leavesUnknown(_ session: SessionID) -> Rel? {
        guard let account = accounts[session], !account.isEscalated else { return nil }
        return account.unknown
    }

    // MARK: What leaves

    /// A request leaves.
    ///
    /// - Parameters:
    ///   - call: The request.
    ///   - now: The world's time.
    ///   - shortestPause: The shortest time between two reading requests without anything new.
    ///   - reader: The engine that it leaves.
    public mutating func leaves(
        _ call: OperationCall,
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
                    "\(call.rel.rawValue) of \(session) left before its start was durable"
                )
            } else if account.isOver, !(account.isCheckout && call.rel.movesMoney) {
                report(.terminalIsFinal, "\(call.rel.rawValue) of \(session) left after the end")
            }
            if !account.left.insert(call.id).inserted {
                report(.noDoublePay, "\(call.rel.rawValue) of \(session) left twice")
            }
        }
        account.underWay.append((call.id, call.rel))
        let changing = account.underWay.filter { !$0.rel.onlyReads }
        if changing.count > 1 {
            report(
                .singleFlight,
                "\(session) has \(changing.map(\.rel.rawValue)) under way at once"
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

extension Rel {
    /// Whether it captures, cancels or reverses: what is done with an order after it was paid.
    fileprivate var movesMoney: Bool {
        self == .capture || self == .cancelOrder || self == .reversal
    }
}

extension OperationFailed {
    /// Whether it may have changed something: nobody knows before the session was read.
    ///
    /// An order that is not there yet can't be read; its creation is guarded by the merchant's reference instead.
    fileprivate var isUnknownChange: Bool {
        !rel.onlyReads && rel != .paymentOrders && rel != .consumers && retryAt != nil
            && (reach == .maybeSent || (status ?? 0) >= 500)
    }
}

extension SessionEvent {
    /// Whether it only says how a reading request went, without anything new.
    var isReadingOutcome: Bool {
        switch self {
        case .fetched(let fetched): fetched.snapshot == nil
        case .operationFailed(let failed): failed.rel.onlyReads
        case .operationSucceeded(let succeeded): succeeded.rel.onlyReads
        case .checkout(.orderFetched(let fetched)): fetched.order == nil
        default: false
        }
    }

    /// Whether a session is over with it.
    var isEnd: Bool {
        switch self {
        case .completed, .canceled, .failed, .expired: true
        default: false
        }
    }

    /// Whether it may stand after the end.
    var isAudit: Bool {
        switch self {
        case .callbackReceived, .noteAdded, .operatorActed: true
        default: false
        }
    }
}
