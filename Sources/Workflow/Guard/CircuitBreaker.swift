/// Stops requests to a host that fails most of the time, and admits a single one now and then to
/// test whether it has recovered.
///
/// A state machine without a clock: the time is passed in with every call.
public struct CircuitBreaker: Sendable {
    /// The time elapsed on a monotonic clock since any moment of the caller's choice.
    public typealias Time = Duration

    /// When the breaker opens and for how long.
    public struct Limits: Hashable, Sendable {
        /// The period over which results are counted together.
        public var window: Duration = .seconds(10)
        /// The minimum number of results before their failure rate is evaluated.
        public var results = 20
        /// The failure rate, in per cent, at which the breaker opens.
        public var failurePercent = 50
        /// The initial duration for which the breaker stays open; each failed trial doubles it.
        public var rest: Duration = .seconds(2)
        /// The maximum time that the breaker stays open.
        public var longestRest: Duration = .seconds(30)

        /// Creates limits with the default values.
        public init() {}
    }

    /// The permission for one request, passed back with its result.
    public struct Admission: Hashable, Sendable {
        fileprivate var generation: Int
        /// Whether it admits the trial request that tests whether the host has recovered.
        public fileprivate(set) var isTrial = false
        /// Whether a retry budget paid for it.
        var isPaid = false
    }

    /// The result of an admitted request.
    public enum Result: Hashable, Sendable {
        /// The host responded.
        case responded
        /// The host did not respond, or reported that it can't serve requests.
        case failed
        /// The result does not concern the host: the request was given up on our side.
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
    /// Counts the changes of state, so that a late result from an earlier state is ignored.
    private var generation = 0

    /// Creates a closed breaker.
    public init(limits: Limits = Limits()) {
        self.limits = limits
        rest = limits.rest
    }

    /// Whether the breaker is closed and has counted no failure.
    public var isIdle: Bool {
        if case .closed(_, _, failures: 0) = state { return true }
        return false
    }

    /// Requests permission to send.
    ///
    /// - Returns: The permission, or `nil` while the breaker is open or a trial is in flight.
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

    /// Records the result of an admitted request.
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
        case .responded:
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
