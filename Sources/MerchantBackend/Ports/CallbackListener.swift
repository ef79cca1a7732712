public import Adapters

/// A callback of the PSP about one of our orders: a reason to read the order, and nothing more.
public struct CallbackReceipt: Hashable, Sendable {
    /// The order, by its id at the PSP.
    public var orderID: String
    /// The number that tells callbacks about one order apart; nothing when the PSP sent none.
    public var number: Int64?
    /// Where the request came from, as the server saw it.
    public var source: String?

    /// A receipt with these members.
    public init(orderID: String, number: Int64?, source: String? = nil) {
        self.orderID = orderID
        self.number = number
        self.source = source
    }
}

/// Is told what came from outside, to act on it: the host's part.
///
/// The methods note what has to be done and return; they don't wait for it, because the PSP and the payer's browser
/// wait for the answer.
public protocol BackendListener: Sendable {
    /// The PSP says that something happened to an order; read it and believe only what you read.
    ///
    /// May come more than once for the same receipt, for example after a crash.
    ///
    /// - Throws: Whatever goes wrong; the PSP is answered with 503 and calls again.
    func callbackArrived(_ receipt: CallbackReceipt) async throws

    /// The issuer's page handed over the end of a challenge.
    ///
    /// - Parameters:
    ///   - answer: What the page posted: a secret of the payment.
    ///   - reference: The last part of the notification address, which the host chose.
    /// - Returns: Whether the host knows the reference.
    /// - Throws: Whatever goes wrong; the payer sees a page that says so.
    func challengeAnswered(_ answer: ChallengeAnswer, reference: String) async throws -> Bool
}
