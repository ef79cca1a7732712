/// Stops calls to a host that fails most of the time, and lets one through now and then to find out
/// whether it is back.
///
/// A state machine without a clock: time comes in with every call.
public struct CircuitBreaker: Sendable {
    /// The time that has passed on a clock that never goes back, since any moment of the caller's choice.
    public typealias Time = Duration

    /// When it opens and for how long; each value has a default.
    public struct Limits: Hashable, Sendable {
        /// The time over which results are counted together.
        public var window: Duration = .seconds(10)
        /// How many results there have to be before their share means anything.
        public var results = 20
        /// From which share of failures on it opens, in per cent.
        public var failurePercent = 50
        /// How long it stays open at first; each failed trial doubles it.
        public var rest: Duration = .seconds(2)
        /// The longest time that it stays open.
        public var longestRest: Duration = .seconds(30)

        /// The defaults, to be changed member by member.
        public init() {}
    }

    /// The permission for one call, to be handed back with its result.
    public struct Admission: Hashable, Sendable {
        fileprivate var generation: Int
        /// Whether it is for the one call that finds out whether the host is back.
        public fileprivate(set) var isTrial = false
        /// Whether a budget of repetitions has paid for it.
        var isPaid = false
    }

    /// What came of an admitted call.
    public enum Result: Hashable, Sendable {
        /// The host answered.
        case answered
        /// It did not, or said that it can't.
        case failed
        /// Nothing can be told: the call was given up on our side.
        case unknown
    }

    private enum State: Hashable, Sendable {
        case closed(since: Time?, results: Int, failures: Int)
        case open(until: Time)
        case trying
    }

    private let limits: Limits
    private var state: State = .closed(since: nil, results: 0, failures: 0)
    private var rest: Duration
    /// Counts the changes of state, so that a late result of an earlier state does not count.
    private var generation = 0

    /// A closed breaker.
    public init(limits: Limits = Limits()) {
        self.limits = limits
        rest = limits.rest
    }

    /// Whether it is closed and has nothing to remember.
    public var isIdle: Bool {
        if case .closed(_, _, failures: 0) = state { return true }
        return false
    }

    /// Asks whether a call may be made.
    ///
    /// - Returns: The permission; nothing while the breaker is open or a trial is under way.
    public mutating func admit(at now: Time) -> Admission? {
        switch state {
        case .closed: return Admission(generation: generation)
        case .trying: return nil
        case .open(let until):
            guard now >= until else { return nil }
            change(to: .trying)
            return Admission(generation: generation, isTrial: true)
        }
    }

    /// Takes in what came of an admitted call.
    public mutating func record(_ result: Result, of admission: Admission, at now: Time) {
        guard admission.generation == generation else { return }
        switch state {
        case .open: return
        case .trying: recordTrial(result, at: now)
        case .closed(let since, var results, var failures):
            guard result != .unknown else { return }
            var start = since ?? now
            if now - start >= limits.window { (start, results, failures) = (now, 0, 0) }
            results += 1
            if result == .failed { failures += 1 }
            state = .closed(since: start, results: results, failures: failures)
            if results >= limits.results, failures * 100 >= results * limits.failurePercent {
                change(to: .open(until: now + rest))
            }
        }
    }

    private mutating func recordTrial(_ result: Result, at now: Time) {
        switch result {
        case .answered:
            rest = limits.rest
            change(to: .closed(since: nil, results: 0, failures: 0))
        case .failed:
            rest = min(rest * 2, limits.longestRest)
            change(to: .open(until: now + rest))
        case .unknown:
            change(to: .open(until: now))
        }
    }

    private mutating func change(to next: State) {
        state = next
        generation += 1
    }
}
