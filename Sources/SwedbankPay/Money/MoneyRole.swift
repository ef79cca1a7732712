/// What an event means for the money of its session.
enum MoneyRole {
    /// A request to the PSP begins.
    case requestStart
    /// A request to the PSP ended.
    case requestEnd
    /// The PSP says how the session or the order stands.
    case response
    /// The client, the payer or somebody else did something that may concern money: a response from
    /// before it does not show what became of that.
    case activity
    /// A person says what became of the money, or asks the PSP once more.
    case person
    /// The session ends.
    case end
    /// A capture, cancellation or reversal is requested, or its result is known.
    case transaction
    /// It says nothing about money.
    case none
}

extension SessionEvent {
    /// What the event means for the money.
    ///
    /// Every event is listed: one that is added has to be given its role before anything compiles.
    var moneyRole: MoneyRole {
        switch self {
        case .operationStarted: .requestStart
        case .operationSucceeded, .operationFailed: .requestEnd
        case .fetched: .response
        case .externalAppLaunched, .returned, .threeDSCompleted, .walletAuthorized, .menuRequested,
            .menuClosed, .callbackReceived:
            .activity
        case .operatorActed, .refetchRequested: .person
        case .completed, .canceled, .expired, .failed: .end
        case .opened, .methodsOffered, .attemptStarted, .externalAppRequested,
            .externalAppLaunchFailed, .threeDSMethodRequested, .threeDSMethodCompleted,
            .threeDSRequested, .threeDSShown, .threeDSClosed, .threeDSLoadFailed, .walletRequested,
            .walletCanceled, .walletFailed, .menuChosen, .menuShown, .problem,
            .problemAcknowledged, .retryRequested, .abortRequested, .noteAdded:
            .none
        case .checkout(let event): event.moneyRole
        // What a later build records in this log, this build cannot interpret.
        case .unknown: .none
        }
    }
}

extension CheckoutEvent {
    /// What the event means for the money.
    var moneyRole: MoneyRole {
        switch self {
        case .orderFetched, .orderConfirmed: .response
        case .transactionRequested, .transactionSettled: .transaction
        case .checkoutOpened, .endpointsDiscovered, .checkInOffered, .checkInRequested,
            .checkInShown, .payerCheckedIn, .checkInClosed, .checkInFailed, .instrumentChosen,
            .externalContentOpened, .navigated, .termsOfServiceOpened, .handedOver, .handedBack:
            .none
        }
    }
}
