/// One request to the session API, as the sandbox saw it.
public struct LedgerEntry: Sendable, Equatable, Codable {
    /// Its place in the order of arrival, from 1.
    public let sequence: Int
    /// When it was answered, ISO 8601 in UTC.
    public let at: String
    /// The order's id.
    public let order: String
    /// The operation, or `session` for reading the session by its URL.
    public let rel: String
    /// The HTTP status of the answer; 0 when there was none.
    public let status: Int
    /// `ok`, the refusal's problem type without its prefix, or the fault's name.
    public let outcome: String
}

/// One try to pay, as the sandbox saw it.
public struct LedgerAttempt: Sendable, Equatable, Codable {
    /// How the attempt stands.
    public enum State: String, Sendable, Codable {
        /// Under way.
        case running
        /// Money was authorised or moved.
        case paid
        /// It failed; ``LedgerAttempt/problem`` tells why.
        case failed
        /// The session was aborted meanwhile.
        case aborted
    }

    /// Who started an attempt.
    public enum Starter: String, Sendable, Codable {
        /// The client, through the session.
        case client
        /// The payer, in the hosted payment menu.
        case page
        /// Somebody else who knows the session.
        case otherDevice
        /// The merchant, without the payer.
        case merchant
    }

    /// The PSP's number of the attempt within the order, from 1.
    public let number: Int
    /// Who started it.
    public let startedBy: Starter
    /// What it was to pay, in minor units.
    public let amount: Int
    /// The PSP's number of the transaction.
    public let transaction: Int
    /// The payment method's wire name.
    public let method: String
    /// The card that is paid with, its number masked; nil where it is none, or none is known yet.
    public let card: String?
    /// When it started, ISO 8601 in UTC.
    public let started: String
    /// How it stands.
    public let state: State
    /// The problem type of a failed attempt.
    public let problem: String?
}

/// One movement of an order's money.
public struct LedgerMovement: Sendable, Equatable, Codable {
    /// The PSP's number of the transaction; of a payment, that of its attempt.
    public let transaction: Int
    /// `Authorization`, `Sale`, `Capture`, `Cancellation`, `Reversal` or `Verification`.
    public let kind: String
    /// How much, in minor units.
    public let amount: Int
    /// When, ISO 8601 in UTC.
    public let at: String
}

/// What happened to one order.
public struct LedgerOrder: Sendable, Equatable, Codable {
    /// The order's id.
    public let order: String
    /// `Initialized`, `Paid`, `Cancelled`, `Reversed`, `Aborted` or `Failed`.
    public let status: String
    /// ISO 4217.
    public let currency: String
    /// What the order says is to be paid, as it was changed since, in minor units.
    public let orderedAmount: Int
    /// Every attempt, first to last.
    public let attempts: [LedgerAttempt]
    /// Whether an attempt is under way, which may still be paid.
    public let isAttemptRunning: Bool
    /// How its money moved, first to last.
    public let movements: [LedgerMovement]
    /// What was authorised over all attempts, in minor units.
    public let authorizedAmount: Int
    /// What was taken, at once (sale) or by captures, in minor units; cards only authorise.
    public let capturedAmount: Int
    /// What cancellations released, in minor units.
    public let cancelledAmount: Int
    /// What was given back, in minor units.
    public let reversedAmount: Int
    /// What the merchant has or may still capture: authorised or taken, and neither released nor given back.
    public let netAmount: Int
    /// What may still be captured, in minor units.
    public let remainingCaptureAmount: Int
    /// What may still be given back, in minor units.
    public let remainingReversalAmount: Int
    /// How many captures happened.
    public let captures: Int
    /// How many cancellations happened.
    public let cancellations: Int
    /// How many reversals happened.
    public let reversals: Int
    /// How many captures, cancellations and reversals failed.
    public let failedTransactions: Int
    /// How often a capture, cancellation or reversal came with a reference that had been used.
    public let refusedDuplicates: Int
    /// How often each operation was called, carried out or not.
    public let requests: [String: Int]
    /// What should never happen: two attempts under way at once, two attempts paid.
    public let doubles: [String]
}

/// What happened in the whole sandbox.
public struct SandboxLedger: Sendable, Equatable, Codable {
    /// Every order, first to last.
    public let orders: [LedgerOrder]
    /// The newest requests, oldest first.
    public let entries: [LedgerEntry]
    /// How often each operation was called over all orders.
    public let requests: [String: Int]
    /// How many orders are paid.
    public let paidOrders: Int
    /// What was authorised over all orders, in minor units.
    public let authorizedAmount: Int
    /// What was taken over all orders, at once or by captures, in minor units.
    public let capturedAmount: Int
    /// What was given back over all orders, in minor units.
    public let reversedAmount: Int
    /// How many captures happened over all orders.
    public let captures: Int
    /// How many cancellations happened over all orders.
    public let cancellations: Int
    /// How many reversals happened over all orders.
    public let reversals: Int
    /// How often an order, a capture, a cancellation or a reversal came with a reference that had been
    /// used.
    public let refusedDuplicates: Int
    /// The ids of the orders with anything in ``LedgerOrder/doubles``.
    public let doubledOrders: [String]
}
