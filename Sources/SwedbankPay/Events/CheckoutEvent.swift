// Written by scripts/list-events from the files of this folder.

/// An event of a checkout session, in addition to the events of any session: a fact in the past
/// tense that is stored permanently.
///
/// A checkout creates a payment order and lets the payer pay it on the PSP's page. It shares the
/// log's form, requests, problems and endings with sessions that pay natively. A case with a large
/// payload is indirect, so that other events stay small.
public enum CheckoutEvent: Hashable, Sendable {
    /// A checkout was opened, with the order that it is to create.
    case checkoutOpened(CheckoutOpened)
    /// The merchant backend's root document was read.
    case endpointsDiscovered(EndpointsDiscovered)
    /// The PSP returned the check-in page.
    case checkInOffered(CheckInOffered)
    /// The client was asked to show the check-in.
    case checkInRequested(CheckInRequested)
    /// The check-in is shown to the payer.
    case checkInShown(ActionReported)
    /// The payer was identified.
    case payerCheckedIn(PayerCheckedIn)
    /// The payer continued without checking in.
    case checkInClosed(ActionReported)
    /// The check-in could not be shown, or failed.
    case checkInFailed(ActionFailed)
    /// The order was created, read or changed.
    indirect case orderFetched(OrderFetched)
    /// The payer chose another method for an order that is locked to one.
    case instrumentChosen(InstrumentChosen)
    /// The PSP's page redirected the payer to a bank or an app.
    case externalContentOpened(Navigated)
    /// The PSP's page navigated to another page, in a checkout whose navigation is recorded.
    case navigated(Navigated)
    /// The payer opened the merchant's terms.
    case termsOfServiceOpened(ActionReported)
    /// The order was handed over to a native session.
    case handedOver(HandedOver)
    /// The native session ended, or handed the order back.
    case handedBack(HandedBack)
    /// The order was read and is paid as ordered.
    case orderConfirmed(OrderConfirmed)
    /// A capture, cancellation or reversal was requested.
    case transactionRequested(TransactionRequest)
    /// The transaction ended.
    case transactionSettled(TransactionSettled)
}

extension CheckoutEvent {
    /// Passes the event's type and data to a visitor.
    func show(to visitor: inout some PayloadVisitor) {
        switch self {
        case .checkoutOpened(let payload): visitor.visit(.checkoutOpened, payload)
        case .endpointsDiscovered(let payload): visitor.visit(.endpointsDiscovered, payload)
        case .checkInOffered(let payload): visitor.visit(.checkInOffered, payload)
        case .checkInRequested(let payload): visitor.visit(.checkInRequested, payload)
        case .checkInShown(let payload): visitor.visit(.checkInShown, payload)
        case .payerCheckedIn(let payload): visitor.visit(.payerCheckedIn, payload)
        case .checkInClosed(let payload): visitor.visit(.checkInClosed, payload)
        case .checkInFailed(let payload): visitor.visit(.checkInFailed, payload)
        case .orderFetched(let payload): visitor.visit(.orderFetched, payload)
        case .instrumentChosen(let payload): visitor.visit(.instrumentChosen, payload)
        case .externalContentOpened(let payload): visitor.visit(.externalContentOpened, payload)
        case .navigated(let payload): visitor.visit(.navigated, payload)
        case .termsOfServiceOpened(let payload): visitor.visit(.termsOfServiceOpened, payload)
        case .handedOver(let payload): visitor.visit(.handedOver, payload)
        case .handedBack(let payload): visitor.visit(.handedBack, payload)
        case .orderConfirmed(let payload): visitor.visit(.orderConfirmed, payload)
        case .transactionRequested(let payload): visitor.visit(.transactionRequested, payload)
        case .transactionSettled(let payload): visitor.visit(.transactionSettled, payload)
        }
    }
}
