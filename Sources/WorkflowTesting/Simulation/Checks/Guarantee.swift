/// The guarantees that a simulated world checks after every step.
///
/// All but the last two are the engine's guarantees, named as in the project's documentation.
public enum Guarantee: String, Hashable, Sendable, CaseIterable {
    /// A request that can change anything is sent only after its start is durable.
    case durableFirst
    /// Whatever was acknowledged survives any crash.
    case nothingLost
    /// In each session, sequence numbers are 1, 2, 3 … in an unbroken chain, times never go back,
    /// and effects require the lease.
    case oneWriter
    /// For one attempt of the payer, the engine never causes a second one at the PSP.
    case noDoublePay
    /// Folding the log gives the live state at every sequence number, and both have the same
    /// pending effects.
    case replayEqualsLive
    /// As long as the PSP eventually responds, every session settles and every command gets a
    /// reply; no busy loop.
    case settles
    /// There is one end, and only audit events follow it.
    case terminalIsFinal
    /// `completed` only when the PSP confirms it.
    case paidMeansPaid
    /// Every statement about money agrees with the PSP's books at the newest response in the log.
    ///
    /// It never says that nothing is under way while a request may still take money, no session
    /// ends as unpaid without a response read at its end, and no story claims a read that the log
    /// does not contain.
    case moneyToldTrue
    /// Without the keys no one can make an engine drive what engines did not write.
    case authenticLog
    /// Without its seals, a log can still be verified and folds to the same state.
    case redactionInvariant
    /// No record and no step contains the plaintext of a secret.
    case noSecretOutside
    /// Queues, sessions, attempts, actions and logs stay within their bounds.
    case boundedEverything
    /// A subscriber that resumes from its log position sees every record of every session, in each
    /// session's order, whatever crashed in between; an engine learns what others append to the
    /// sessions in its memory.
    case feedComplete
    /// While an engine runs and the PSP responds, a payment is recorded as paid at most two poll
    /// intervals after the PSP says so, however many other payers wait.
    case payersDontWaitForEachOther
    /// At most one request that changes something is under way for a session.
    case singleFlight
    /// After a changing request that failed and may have taken effect, no other one starts before a
    /// read of the session is durable.
    ///
    /// At rest, no session that has not ended is left unread after such a failure, unless a problem
    /// was recorded. Permanent failures, and the creation of orders, which the merchant's reference
    /// guards, do not count.
    case unknownOutcomesResolved

    /// Success is never shown before the PSP confirms it.
    public static let successOnlyOnProvidersWord = Guarantee.paidMeansPaid
    /// One payment for one attempt.
    public static let onePaymentPerAttempt = Guarantee.noDoublePay
}
