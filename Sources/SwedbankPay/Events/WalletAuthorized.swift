public import EventLog

extension EventType {
    /// The payer authorized in the wallet.
    public static let walletAuthorized = EventType("walletAuthorized") { .walletAuthorized($0) }
}

/// The payer authorized in the wallet.
public struct WalletAuthorized: Hashable, Sendable {
    /// The action.
    public var action: ActionID
    /// The wallet's token.
    public var payload: Sealed

    /// Creates the data of a `walletAuthorized` event.
    public init(action: ActionID, payload: Sealed) {
        self.action = action
        self.payload = payload
    }
}

extension WalletAuthorized: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        action = try members.require("action", value?.action)
        payload = try members.require("payload", value?.payload)
    }
}
