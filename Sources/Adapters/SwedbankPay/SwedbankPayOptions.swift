public import SwedbankPay

/// How the payment session API is called; each value has a default.
public struct SwedbankPayOptions: Sendable {
    /// Whether links with plain `http` to this machine are called as they are, for sandboxes.
    public var allowsInsecureLoopback = false
    /// Which links of the PSP may open an app; another one is kept, sealed, and not acted upon.
    public var clientAddresses = ClientAddresses()
    /// How long a connection may take to open.
    public var connectDeadline: Duration = .seconds(10)
    /// How long most requests may take.
    ///
    /// Source: payment session API, time-outs.
    public var requestDeadline: Duration = .seconds(10)
    /// How long those may take that a card's issuer or a wallet is asked for.
    ///
    /// Source: payment session API, time-outs.
    public var cardRequestDeadline: Duration = .seconds(30)
    /// How many bytes an answer may have.
    public var maximumResponseBytes = 1 << 20
    /// The bounds within which an answer is read.
    public var limits = AnswerLimits()

    /// The defaults, to be changed member by member.
    public init() {}
}
