public import EventLog

/// What the outside asks of a checkout, beside what it can ask of any session.
public enum CheckoutCommand: Hashable, Sendable {
    /// Take in a checkout with the order that it is to create.
    case open(CheckoutOpened)
    /// Lock the order to another method.
    case instrument(PaymentMethodName)
    /// Capture, cancel or reverse.
    case transact(TransactionRequest)
    /// A native session of the order takes over.
    case handOver(SessionID)
    /// That session ended, or gives the order back.
    case handBack(HandedBack)
    /// The order of a native session was read and says that it is paid.
    case confirm(OrderConfirmed)
}
