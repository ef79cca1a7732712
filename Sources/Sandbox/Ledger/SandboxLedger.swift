/// One request to the session API, as seen by the sandbox.
public struct LedgerEntry: Sendable, Equatable, Codable {
    /// The position in the order of arrival, from 1.
    public let sequence: Int
    /// The time of the response, ISO 8601 in UTC.
    public let at: String
    /// The order's id.
    public let order: String
    /// The operation, or `session` for reading the session by its URL.
    public let rel: String
    /// The HTTP status of the response; 0 when there was none.
    public let status: Int
    /// `ok`, the refusal's problem type without its prefix, or the fault's name.
    public let outcome: String
}

/// One attempt to pay, as seen by the sandbox.
public struct LedgerAttempt: Sendable, Equatable, Codable {
    /// The state of an attempt.
    public enum State: String, Sendable, Codable {
        /// In progress.
        case running
        /// Money was authorized or moved.
        case paid
        /// The attempt failed; ``LedgerAttempt/problem`` has the reason.
        case failed
        /// The session was aborted meanwhile.
        case aborted
    }

    /// The party that started an attempt.
    public enum Starter: String, Sendable, Codable {
        /// The client, through the session.
        case client
        /// The payer, in the hosted payment menu.
        case page
        /// Another device that knows the session.
        case otherDevice
        /// The merchant, without the payer.
        case merchant
    }

    /// The PSP's number of the attempt within the order, from 1.
    public let number: Int
    /// The party that started the attempt.
    public let startedBy: Starter
    /// The amount in minor units.
    public let amount: Int
    /// The PSP's number of the transaction.
    public let transaction: Int
    /// The payment method's wire name.
    public let method: String
    /// The card with its number masked; `nil` when there is none, or none is known yet.
    public let card: String?
    /// When it started, ISO 8601 in UTC.
    public let started: String
    /// The state of the attempt.
    public let state: State
    /// The problem type of a failed attempt.
    public let problem: String?
}

/// One movement of an order's money.
public struct LedgerMovement: Sendable, Equatable, Codable {
    /// The PSP's number of the transaction; for a payment, that of its attempt.
    public let transaction: Int
    /// `Authorization`, `Sale`, `Capture`, `Cancellation`, `Reversal` or `Verification`.
    public let kind: String
    /// The amount in minor units.
    public let amount: Int
    /// The time, ISO 8601 in UTC.
    public let at: String
}

/// The history of one order.
public struct LedgerOrder: Sendable, Equatable, Codable {
    /// The order's id.
    public let order: String
    /// `Initialized`, `Paid`, `Cancelled`, `Reversed`, `Aborted` or `Failed`.
    public let status: String
    /// The currency (ISO 4217).
    public let currency: String
    /// The current amount of the order, in minor units.
    public let orderedAmount: Int
    /// Every attempt, in order.
    public let attempts: [LedgerAttempt]
    /// Whether an attempt is in progress, which may still be paid.
    public let isAttemptRunning: Bool
    /// The movements of its money, in order.
    public let movements: [LedgerMovement]
    /// The amount authorized over all attempts, in minor units.
    public let authorizedAmount: Int
    /// The amount taken, at once (sale) or by captures, in minor units; cards only authorize.
    public let capturedAmount: Int
    /// The canceled amount in minor units.
    public let cancelledAmount: Int
    /// The reversed amount in minor units.
    public let reversedAmount: Int
    /// The amount that the merchant has or may still capture: authorized or taken, and neither
    /// canceled nor reversed.
    public let netAmount: Int
    /// The amount that may still be captured, in minor units.
    public let remainingCaptureAmount: Int
    /// The amount that may still be reversed, in minor units.
    public let remainingReversalAmount: Int
    /// The number of captures.
    public let captures: Int
    /// The number of cancellations.
    public let cancellations: Int
    /// The number of reversals.
    public let reversals: Int
    /// The number of failed captures, cancellations and reversals.
    public let failedTransactions: Int
    /// The number of captures, cancellations and reversals with a reference that was used before.
    public let refusedDuplicates: Int
    /// The number of requests of each operation, whether or not they took effect.
    public let requests: [String: Int]
    /// What must never happen: two attempts under way at once, two paid attempts.
    public let doubles: [String]
}

/// The history of the whole sandbox.
public struct SandboxLedger: Sendable, Equatable, Codable {
    /// Every order, in order of creation.
    public let orders: [LedgerOrder]
    /// The newest requests, oldest first.
    public let entries: [LedgerEntry]
    /// The number of requests of each operation for all orders.
    public let requests: [String: Int]
    /// The number of paid orders.
    public let paidOrders: Int
    /// The amount authorized over all orders, in minor units.
    public let authorizedAmount: Int
    /// The amount taken over all orders, at once or by captures, in minor units.
    public let capturedAmount: Int
    /// The amount reversed over all orders, in minor units.
    public let reversedAmount: Int
    /// The number of captures over all orders.
    public let captures: Int
    /// The number of cancellations over all orders.
    public let cancellations: Int
    /// The number of reversals over all orders.
    public let reversals: Int
    /// The number of orders, captures, cancellations and reversals with a reference that was used
    /// before.
    public let refusedDuplicates: Int
    /// The ids of the orders with anything in ``LedgerOrder/doubles``.
    public let doubledOrders: [String]
}
