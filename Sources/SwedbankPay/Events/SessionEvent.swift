// Written by scripts/list-events from the files of this folder.

public import EventLog

/// An event of a payment session: a fact in the past tense that is stored permanently.
///
/// The names are those in the log (`attemptStarted` and so on); a case's payload is the event's
/// `data`. A case with a large payload is indirect, so that other events stay small.
public enum SessionEvent: Hashable, Sendable {
    /// The session was opened.
    case opened(Opened)
    /// The PSP's view of the session was read or changed.
    indirect case fetched(Fetched)
    /// The methods were offered to the client.
    case methodsOffered(MethodsOffered)
    /// The payer chose an instrument.
    case attemptStarted(AttemptStarted)
    /// A request that changes something is about to be sent.
    case operationStarted(OperationStarted)
    /// The PSP responded with success.
    case operationSucceeded(OperationSucceeded)
    /// The request failed, or its outcome is unknown.
    case operationFailed(OperationFailed)
    /// The client was asked to open another app.
    case externalAppRequested(ExternalAppRequested)
    /// The client opened the app.
    case externalAppLaunched(ActionReported)
    /// The client could not open the app.
    case externalAppLaunchFailed(ActionFailed)
    /// The payer returned through the payment URL.
    case returned(Returned)
    /// The client was asked to send the invisible 3-D Secure method request.
    case threeDSMethodRequested(TaskRequested)
    /// The 3-D Secure method request ended.
    case threeDSMethodCompleted(ThreeDSMethodCompleted)
    /// The client was asked to show the issuer's challenge.
    case threeDSRequested(TaskRequested)
    /// The challenge is shown to the payer.
    case threeDSShown(ActionReported)
    /// The challenge returned a result.
    case threeDSCompleted(ThreeDSCompleted)
    /// The payer closed the challenge without completing it.
    case threeDSClosed(ActionReported)
    /// The challenge's page could not be loaded.
    case threeDSLoadFailed(ActionFailed)
    /// The client was asked to present a wallet.
    case walletRequested(WalletRequested)
    /// The payer authorized in the wallet.
    case walletAuthorized(WalletAuthorized)
    /// The payer closed the wallet.
    case walletCanceled(ActionReported)
    /// The wallet could not be presented.
    case walletFailed(ActionFailed)
    /// The payer chose to pay on the PSP's own page.
    case menuChosen(MenuChosen)
    /// The client was asked to show the PSP's menu.
    case menuRequested(MenuRequested)
    /// The menu is shown to the payer.
    case menuShown(ActionReported)
    /// The menu was left.
    case menuClosed(MenuClosed)
    /// A problem occurred.
    case problem(Problem)
    /// A problem was acknowledged at the PSP, or the PSP refused the acknowledgement.
    case problemAcknowledged(ProblemAcknowledged)
    /// A failed request is to be retried.
    case retryRequested(RetryRequested)
    /// The address of a known session was submitted again.
    case refetchRequested(RefetchRequested)
    /// The session is to end unpaid.
    case abortRequested(AbortRequested)
    /// The session ended unpaid in an orderly way.
    case canceled(Canceled)
    /// The PSP reports that the payment is complete.
    case completed(Completed)
    /// The session was not finished in time.
    case expired(Expired)
    /// The session ended without a regular result.
    case failed(Failed)
    /// The PSP sent a callback to the merchant's callback URL.
    case callbackReceived(CallbackReceived)
    /// An operator added a note.
    case noteAdded(NoteAdded)
    /// An operator read sealed values or intervened.
    case operatorActed(OperatorActed)
    /// An event that only checkouts have, or that concerns the order of a session that came from
    /// one.
    case checkout(CheckoutEvent)
    /// An event of a type that this build does not know: kept, shown and skipped, never dropped.
    case unknown(UnknownEvent)
}

extension SessionEvent {
    /// Passes the event's type and data to a visitor; an event that this build does not know is
    /// ignored.
    func show(to visitor: inout some PayloadVisitor) {
        switch self {
        case .opened(let payload): visitor.visit(.opened, payload)
        case .fetched(let payload): visitor.visit(.fetched, payload)
        case .methodsOffered(let payload): visitor.visit(.methodsOffered, payload)
        case .attemptStarted(let payload): visitor.visit(.attemptStarted, payload)
        case .operationStarted(let payload): visitor.visit(.operationStarted, payload)
        case .operationSucceeded(let payload): visitor.visit(.operationSucceeded, payload)
        case .operationFailed(let payload): visitor.visit(.operationFailed, payload)
        case .externalAppRequested(let payload): visitor.visit(.externalAppRequested, payload)
        case .externalAppLaunched(let payload): visitor.visit(.externalAppLaunched, payload)
        case .externalAppLaunchFailed(let payload): visitor.visit(.externalAppLaunchFailed, payload)
        case .returned(let payload): visitor.visit(.returned, payload)
        case .threeDSMethodRequested(let payload): visitor.visit(.threeDSMethodRequested, payload)
        case .threeDSMethodCompleted(let payload): visitor.visit(.threeDSMethodCompleted, payload)
        case .threeDSRequested(let payload): visitor.visit(.threeDSRequested, payload)
        case .threeDSShown(let payload): visitor.visit(.threeDSShown, payload)
        case .threeDSCompleted(let payload): visitor.visit(.threeDSCompleted, payload)
        case .threeDSClosed(let payload): visitor.visit(.threeDSClosed, payload)
        case .threeDSLoadFailed(let payload): visitor.visit(.threeDSLoadFailed, payload)
        case .walletRequested(let payload): visitor.visit(.walletRequested, payload)
        case .walletAuthorized(let payload): visitor.visit(.walletAuthorized, payload)
        case .walletCanceled(let payload): visitor.visit(.walletCanceled, payload)
        case .walletFailed(let payload): visitor.visit(.walletFailed, payload)
        case .menuChosen(let payload): visitor.visit(.menuChosen, payload)
        case .menuRequested(let payload): visitor.visit(.menuRequested, payload)
        case .menuShown(let payload): visitor.visit(.menuShown, payload)
        case .menuClosed(let payload): visitor.visit(.menuClosed, payload)
        case .problem(let payload): visitor.visit(.problem, payload)
        case .problemAcknowledged(let payload): visitor.visit(.problemAcknowledged, payload)
        case .retryRequested(let payload): visitor.visit(.retryRequested, payload)
        case .refetchRequested(let payload): visitor.visit(.refetchRequested, payload)
        case .abortRequested(let payload): visitor.visit(.abortRequested, payload)
        case .canceled(let payload): visitor.visit(.canceled, payload)
        case .completed(let payload): visitor.visit(.completed, payload)
        case .expired(let payload): visitor.visit(.expired, payload)
        case .failed(let payload): visitor.visit(.failed, payload)
        case .callbackReceived(let payload): visitor.visit(.callbackReceived, payload)
        case .noteAdded(let payload): visitor.visit(.noteAdded, payload)
        case .operatorActed(let payload): visitor.visit(.operatorActed, payload)
        case .checkout(let event): event.show(to: &visitor)
        case .unknown: break
        }
    }
}

extension EventType: CaseIterable {
    /// All types that this build knows.
    public static let allCases: [EventType] = [
        .opened, .fetched, .methodsOffered, .attemptStarted, .operationStarted, .operationSucceeded,
        .operationFailed, .externalAppRequested, .externalAppLaunched, .externalAppLaunchFailed,
        .returned, .threeDSMethodRequested, .threeDSMethodCompleted, .threeDSRequested,
        .threeDSShown, .threeDSCompleted, .threeDSClosed, .threeDSLoadFailed, .walletRequested,
        .walletAuthorized, .walletCanceled, .walletFailed, .menuChosen, .menuRequested, .menuShown,
        .menuClosed, .problem, .problemAcknowledged, .retryRequested, .refetchRequested,
        .abortRequested, .canceled, .completed, .expired, .failed, .callbackReceived, .noteAdded,
        .operatorActed, .checkoutOpened, .endpointsDiscovered, .checkInOffered, .checkInRequested,
        .checkInShown, .payerCheckedIn, .checkInClosed, .checkInFailed, .orderFetched,
        .instrumentChosen, .externalContentOpened, .navigated, .termsOfServiceOpened, .handedOver,
        .handedBack, .orderConfirmed, .transactionRequested, .transactionSettled,
    ]
}
