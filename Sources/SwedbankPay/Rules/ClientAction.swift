public import EventLog

/// What the client was asked to do, and what became of it.
public struct ClientAction: Hashable, Sendable {
    /// The identity that a report carries.
    public var id: ActionID
    /// What to do.
    public var kind: Kind
    /// The task's key; a page has none.
    package internal(set) var key: TaskKey? = nil
    /// The attempt that it belongs to.
    public var attempt: Int? = nil
    /// When it was requested.
    public var requestedAt: Instant
    /// How far it is.
    public internal(set) var status: Status = .open
    /// For a wallet's token: what the PSP answered to it.
    public internal(set) var verdict: WalletVerdict?

    /// The kinds of client actions.
    public enum Kind: Hashable, Sendable {
        /// Open another app.
        case launchApp(IntegrationTask, callbackURL: OutsideText?)
        /// Make the invisible 3-D Secure method call.
        case load3DSMethod(IntegrationTask)
        /// Show the bank's challenge.
        case show3DS(IntegrationTask, notificationURL: Sealed?)
        /// Present a wallet.
        case authorizeWallet(IntegrationTask, method: PaymentMethodName)
        /// Show the PSP's menu.
        case showMenu(script: Sealed, mode: MenuMode)
        /// Show the PSP's check-in.
        case checkIn(script: Sealed)
    }

    /// How far a client action is.
    public enum Status: Hashable, Sendable {
        /// Delivered, or about to be; not answered.
        case open
        /// The client said that it is on the screen; not answered.
        case shown
        /// Answered.
        case answered(ReportOutcome)
        /// Not wanted any more: what it was for is over.
        case withdrawn
    }

    /// Whether the client answered that it could not, or that the payer would not.
    var hasFailed: Bool {
        switch status {
        case .answered(.failed), .answered(.launchFailed), .answered(.canceled): true
        case .answered, .open, .shown, .withdrawn: false
        }
    }

    /// Whether an answer is awaited.
    public var isOpen: Bool { status == .open || status == .shown }
}

/// What the PSP answered to a wallet's token: what the wallet's sheet shows, which is not how the payment ends.
///
/// Source: payment session API, flaw F-20: the sheet must not guess at the end of the payment.
public enum WalletVerdict: String, Hashable, Sendable {
    /// The PSP took the token.
    case accepted
    /// The PSP refused it.
    case refused
}
