internal import EventLog

/// Where a session stands, in one word.
public enum Phase: String, Hashable, Sendable, CaseIterable {
    /// The session is being read and prepared; no methods are known.
    case opening
    /// The methods are known; it is the payer's turn to choose.
    case ready
    /// An attempt is under way and the engine is working.
    case attempting
    /// The client has been asked to do something.
    case awaitingClient
    /// Nothing but waiting for the PSP is left.
    case awaitingPSP
    /// The session is over.
    case ended
}

/// How a session ended; exactly one, for ever.
public enum Outcome: String, Hashable, Sendable, CaseIterable {
    /// Paid, on the PSP's word.
    case completed
    /// Ended unpaid, in good order.
    case canceled
    /// Over without a clean end.
    case failed
    /// Not finished in time.
    case expired
}
