public import EventLog

/// An action that the client was asked to perform, and its status.
public struct ClientAction: Hashable, Sendable {
    /// The identifier that a report carries.
    public var id: ActionID
    /// What to do.
    public var kind: Kind
    /// The task's key; `nil` for a page.
    package internal(set) var key: TaskKey? = nil
    /// The attempt it belongs to.
    public var attempt: Int? = nil
    /// When it was requested.
    public var requestedAt: Instant
    /// The status.
    public internal(set) var status: Status = .open
    /// For a wallet's token, the PSP's response to it.
    public internal(set) var verdict: WalletVerdict?

    /// The kinds of client actions.
    public enum Kind: Hashable, Sendable {
        /// Open another app.
        case launchApp(IntegrationTask, callbackURL: OutsideText?)
        /// Send the invisible 3-D Secure method request.
        case load3DSMethod(IntegrationTask)
        /// Show the issuer's challenge.
        case show3DS(IntegrationTask, notificationURL: Sealed?)
        /// Present a wallet.
        case authorizeWallet(IntegrationTask, method: PaymentMethodName)
        /// Show the PSP's menu.
        case showMenu(script: Sealed, mode: MenuMode)
        /// Show the PSP's check-in.
        case checkIn(script: Sealed)
    }

    /// The status of a client action.
    public enum Status: Hashable, Sendable {
        /// Delivered, or about to be; without a report.
        case open
        /// Shown, according to the client; without a final report.
        case shown
        /// Reported on.
        case reported(ReportOutcome)
        /// No longer needed, because its purpose has ended.
        case withdrawn
    }

    /// Whether the client reported that it could not perform the action, or that the payer refused.
    var hasFailed: Bool {
        switch status {
        case .reported(.failed), .reported(.launchFailed), .reported(.canceled): true
        case .reported, .open, .shown, .withdrawn: false
        }
    }

    /// Whether a report is awaited.
    public var isOpen: Bool { status == .open || status == .shown }
}

/// The PSP's response to a wallet's token, which the wallet's sheet shows; it is not the result of
/// the payment.
///
/// - Note: Source: payment session API, flaw F-20: the sheet must not guess the result of the
///   payment.
public enum WalletVerdict: String, Hashable, Sendable {
    /// The PSP accepted the token.
    case accepted
    /// The PSP refused it.
    case refused
}
