public import Adapters

/// A callback of the PSP about one of our orders: a reason to read the order, and nothing more.
public struct CallbackReceipt: Hashable, Sendable {
    /// The order's id at the PSP.
    public var orderID: String
    /// The number that distinguishes callbacks about one order; `nil` when the PSP sent none.
    public var number: Int64?
    /// The address that the request came from, as seen by the server.
    public var source: String?

    /// Creates a receipt with these members.
    public init(orderID: String, number: Int64?, source: String? = nil) {
        self.orderID = orderID
        self.number = number
        self.source = source
    }
}

/// Receives callbacks and challenge results for the host application to act on.
///
/// The methods record what has to be done and return without waiting for it, because the PSP and
/// the payer's browser wait for the response.
public protocol BackendListener: Sendable {
    /// The PSP reports that something happened to an order; read the order and rely only on what
    /// you read.
    ///
    /// The method may be called more than once for the same receipt, for example after a crash.
    ///
    /// - Throws: Any error; the PSP receives a 503 and repeats the callback.
    func callbackArrived(_ receipt: CallbackReceipt) async throws

    /// The issuer's page submitted the end of a challenge.
    ///
    /// - Parameters:
    ///   - response: What the page posted: a secret of the payment.
    ///   - reference: The last part of the notification address, which the host application chose.
    /// - Returns: Whether the host application knows the reference.
    /// - Throws: Any error; the payer sees a page that reports it.
    func challengeCompleted(_ response: ChallengeResult, reference: String) async throws -> Bool
}
