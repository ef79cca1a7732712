package import EventLog

extension EventType {
    /// The client was asked to present a wallet.
    public static let walletRequested = EventType("walletRequested") { .walletRequested($0) }
}

/// The client was asked to present a wallet.
public struct WalletRequested: Hashable, Sendable {
    /// The request for the task.
    public var request: TaskRequested
    /// Apple Pay or Google Pay.
    public var method: PaymentMethodName

    /// Creates the data of a `walletRequested` event.
    public init(request: TaskRequested, method: PaymentMethodName) {
        self.request = request
        self.method = method
    }
}

extension WalletRequested: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        let stored = try RequestMembers(
            &members,
            value.map { RequestMembers(request: $0.request, method: $0.method) }
        )
        guard let method = stored.method else { throw .missing(member: "paymentMethod") }
        (request, self.method) = (stored.request, method)
    }
}
