internal import EventLog

/// The phase of a session.
public enum Phase: String, Hashable, Sendable, CaseIterable {
    /// The session is being read and prepared; no methods are known yet.
    case opening
    /// The methods are known; it is the payer's turn to choose.
    case ready
    /// An attempt is in progress and the engine is working.
    case attempting
    /// The client has a pending action.
    case awaitingClient
    /// Only the PSP is being waited for.
    case awaitingPSP
    /// The session has ended.
    case ended
}

/// How a session ended; exactly one outcome, for ever.
public enum Outcome: String, Hashable, Sendable, CaseIterable {
    /// Paid, as reported by the PSP.
    case completed
    /// The session ended unpaid in an orderly way.
    case canceled
    /// Ended without a regular result.
    case failed
    /// Not finished in time.
    case expired
}
