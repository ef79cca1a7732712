public import EventLog

/// The commands of a checkout, in addition to those of any session.
public enum CheckoutCommand: Hashable, Sendable {
    /// Open a checkout with the order that it is to create.
    case open(CheckoutOpened)
    /// Lock the order to another method.
    case instrument(PaymentMethodName)
    /// Capture, cancel or reverse.
    case transact(TransactionRequest, currency: String? = nil)
    /// Hand the order over to a native session.
    case handOver(SessionID)
    /// The native session ended, or hands the order back.
    case handBack(HandedBack)
    /// The order of a native session was read and is paid.
    case confirm(OrderConfirmed)
    /// The checkout of a native session's order reports what the order shows about its money.
    case report(OrderFetched)
}
