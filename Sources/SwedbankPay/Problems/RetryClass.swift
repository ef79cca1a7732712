/// The class of a kind of problem in the catalogue: how it is handled, in short.
///
/// It follows from the other members of ``ProblemAdvice``, so the two can't contradict each other.
public enum RetryClass: String, Hashable, Sendable, CaseIterable {
    /// The unchanged request may be sent again after a while.
    case sameRequest
    /// The unchanged request may be sent again after the session was read and still offers it.
    case askFirst
    /// The request has ended; another try to pay makes sense, with the same instrument or another
    /// one.
    case newAttempt
    /// The request has ended; another try to pay makes sense only with another card or method.
    case otherInstrument
    /// The request has ended, and something has to be corrected before anyone can pay.
    case never

    /// Whether the engine repeats the request by itself.
    public var repeatsRequest: Bool { self == .sameRequest || self == .askFirst }
}

/// The maximum number of tries of a request that meets a problem, or the period in which they are
/// made.
///
/// It narrows the engine's own limits (``SessionLimits/tries``, ``SessionLimits/retryBudget``) for
/// one kind of problem. For a member that is `nil`, the engine's limit applies.
public struct RetryCap: Hashable, Sendable {
    /// The maximum number of tries in total; 1 means that it is not repeated.
    public var tries: Int?
    /// The period in which it is repeated, from its first failure on.
    public var time: Duration?

    /// Creates a cap with these members.
    public init(tries: Int? = nil, time: Duration? = nil) {
        self.tries = tries
        self.time = time
    }
}

extension ProblemAdvice {
    /// The class of the kind of problem.
    public var retryClass: RetryClass {
        guard isRetryable else {
            switch newAttempt {
            case .any: return .newAttempt
            case .other: return .otherInstrument
            case .never: return .never
            }
        }
        return asksFirst ? .askFirst : .sameRequest
    }

    /// The maximum number of tries, and the period in which the engine makes them by itself.
    ///
    /// A request that may not be repeated is sent once, whatever the row's cap is.
    package var effectiveCap: RetryCap { isRetryable ? cap : RetryCap(tries: 1) }
}
