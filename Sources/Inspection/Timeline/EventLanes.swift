package import SwedbankPay

/// Who an event goes from and to, among those who take part in a payment.
package struct EventLanes: Hashable, Sendable {
    /// Those who take part, from the payer's side to the bank's.
    package enum Lane: Int, CaseIterable, Comparable, Sendable {
        /// The person who pays.
        case payer
        /// The merchant's app or web page.
        case app
        /// This engine.
        case engine
        /// The payment service provider.
        case psp
        /// The bank's page, or the app of Swish or a wallet.
        case bank

        package static func < (left: Lane, right: Lane) -> Bool { left.rawValue < right.rawValue }

        /// The lane's name, of letters alone.
        var name: String {
            switch self {
            case .payer: "payer"
            case .app: "app"
            case .engine: "engine"
            case .psp: "psp"
            case .bank: "bank"
            }
        }

        /// The lane's name as a heading.
        var heading: String { self == .psp ? "PSP" : name }
    }

    /// Where it comes from.
    var from: Lane
    /// Where it goes; the same lane when it stays there.
    var to: Lane

    package init(_ from: Lane, _ to: Lane? = nil) {
        self.from = from
        self.to = to ?? from
    }

    /// The lanes of an event.
    package init(_ event: SessionEvent) {
        switch event {
        case .opened, .refetchRequested, .retryRequested, .abortRequested: self.init(.app, .engine)
        case .fetched, .operationSucceeded, .operationFailed, .callbackReceived:
            self.init(.psp, .engine)
        case .methodsOffered, .externalAppRequested, .threeDSMethodRequested, .walletRequested,
            .menuRequested:
            self.init(.engine, .app)
        case .attemptStarted, .menuChosen, .returned: self.init(.payer, .engine)
        case .operationStarted, .problemAcknowledged: self.init(.engine, .psp)
        case .externalAppLaunched, .externalAppLaunchFailed, .walletFailed, .threeDSLoadFailed:
            self.init(.app, .engine)
        case .threeDSMethodCompleted, .threeDSCompleted: self.init(.bank, .engine)
        case .threeDSRequested: self.init(.engine, .bank)
        case .threeDSShown: self.init(.bank, .payer)
        case .threeDSClosed, .walletAuthorized, .walletCanceled, .menuClosed:
            self.init(.payer, .engine)
        case .menuShown: self.init(.psp, .payer)
        case .problem(let problem):
            switch problem.origin {
            case .session: self.init(.psp)
            case .engine: self.init(.engine)
            case .client: self.init(.app)
            }
        case .completed, .canceled: self.init(.psp, .engine)
        case .expired, .failed, .noteAdded, .operatorActed, .unknown: self.init(.engine)
        case .checkout(let event): self.init(event)
        }
    }

    private init(_ event: CheckoutEvent) {
        switch event {
        case .checkoutOpened, .handedOver, .handedBack, .transactionRequested:
            self.init(.app, .engine)
        case .endpointsDiscovered, .checkInOffered, .orderFetched, .orderConfirmed,
            .transactionSettled:
            self.init(.psp, .engine)
        case .checkInRequested: self.init(.engine, .app)
        case .checkInShown, .navigated, .externalContentOpened: self.init(.psp, .payer)
        case .payerCheckedIn, .checkInClosed, .instrumentChosen, .termsOfServiceOpened:
            self.init(.payer, .engine)
        case .checkInFailed: self.init(.app, .engine)
        }
    }
}
