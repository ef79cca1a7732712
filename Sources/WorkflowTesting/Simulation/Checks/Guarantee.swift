/// What a simulated world checks after every step.
///
/// All but the last two are the engine's guarantees; the names are those of the project's documentation.
public enum Guarantee: String, Hashable, Sendable, CaseIterable {
    /// A request that can change anything leaves only after its start is durable.
    case durableFirst
    /// What was acknowledged to anyone is there after any crash.
    case nothingLost
    /// Per session, places are 1, 2, 3 … in an unbroken chain, times never go back, and effects need the lease.
    case oneWriter
    /// For one attempt of the payer the PSP never sees two because of us.
    case noDoublePay
    /// Folding the log gives the live state at every place, and both owe the same effects.
    case replayEqualsLive
    /// While the PSP answers in the end, every session settles and every command is answered; no hot loop.
    case settles
    /// There is one end, and only audit events after it.
    case terminalIsFinal
    /// `completed` only on the PSP's word.
    case paidMeansPaid
    /// What is told of money was true of the PSP's books at the newest answer that the log holds; never that nothing is under
    /// way while a request may still take money; no session ends as unpaid without an answer read at its end; and no story
    /// tells of a reading that the log does not have.
    case moneyToldTrue
    /// Nobody without the keys makes an engine drive what engines did not write.
    case authenticLog
    /// Without its seals a log still verifies and folds to the same state.
    case redactionInvariant
    /// No plaintext of a secret in a record or in a step's words.
    case noSecretOutside
    /// Queues, sessions, attempts, actions and logs keep their bounds.
    case boundedEverything
    /// At most one request that changes something is under way for a session.
    case singleFlight
    /// After a changing request that failed and may have been done, no other begins before a reading of the session
    /// is durable. At rest no session that has not ended is left unread since such a failure, unless a problem was
    /// recorded.
    ///
    /// Failures that are final, and the creation of orders, which the merchant's reference guards, are not counted.
    case unknownOutcomesResolved

    /// Success is never shown before the PSP's word.
    public static let successOnlyOnProvidersWord = Guarantee.paidMeansPaid
    /// One payment for one attempt.
    public static let onePaymentPerAttempt = Guarantee.noDoublePay
}
