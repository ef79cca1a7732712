public import SwedbankPay

/// How the payment session API is called; each value has a default.
public struct SwedbankPayOptions: Sendable {
    /// Whether links with plain `http` to this machine are used as they are, for sandboxes.
    public var allowsInsecureLoopback = false
    /// Which links of the PSP may open an app; any other link is kept, sealed, and never opened.
    public var clientAddresses = ClientAddresses()
    /// The time limit for opening a connection.
    public var connectDeadline: Duration = .seconds(10)
    /// The time limit for most requests.
    ///
    /// Source: payment session API, time-outs.
    public var requestDeadline: Duration = .seconds(10)
    /// The time limit for requests that involve a card's issuer or a wallet.
    ///
    /// Source: payment session API, time-outs.
    public var cardRequestDeadline: Duration = .seconds(30)
    /// The maximum size of a response in bytes.
    public var maximumResponseBytes = 1 << 20
    /// The limits for parsing a response.
    public var limits = ResponseLimits()

    /// Creates options with the defaults; change single members as needed.
    public init() {}
}
