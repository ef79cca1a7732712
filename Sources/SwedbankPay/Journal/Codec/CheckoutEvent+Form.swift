package import EventLog

extension CheckoutEvent {
    /// The event's type.
    var type: EventType {
        switch self {
        case .checkoutOpened: .checkoutOpened
        case .endpointsDiscovered: .endpointsDiscovered
        case .checkInOffered: .checkInOffered
        case .checkInRequested: .checkInRequested
        case .checkInShown: .checkInShown
        case .payerCheckedIn: .payerCheckedIn
        case .checkInClosed: .checkInClosed
        case .checkInFailed: .checkInFailed
        case .orderFetched: .orderFetched
        case .instrumentChosen: .instrumentChosen
        case .externalContentOpened: .externalContentOpened
        case .navigated: .navigated
        case .termsOfServiceOpened: .termsOfServiceOpened
        case .handedOver: .handedOver
        case .handedBack: .handedBack
        case .orderConfirmed: .orderConfirmed
        case .transactionRequested: .transactionRequested
        case .transactionSettled: .transactionSettled
        }
    }

    /// Writes the event's `data`.
    func writeData(to writer: inout CanonicalWriter) {
        switch self {
        case .checkoutOpened(let data): data.write(to: &writer)
        case .endpointsDiscovered(let data): data.write(to: &writer)
        case .checkInOffered(let data): data.write(to: &writer)
        case .checkInRequested(let data): data.write(to: &writer)
        case .checkInShown(let data): data.write(to: &writer)
        case .payerCheckedIn(let data): data.write(to: &writer)
        case .checkInClosed(let data): data.write(to: &writer)
        case .checkInFailed(let data): data.write(to: &writer)
        case .orderFetched(let data): data.write(to: &writer)
        case .instrumentChosen(let data): data.write(to: &writer)
        case .externalContentOpened(let data): data.write(to: &writer)
        case .navigated(let data): data.write(to: &writer)
        case .termsOfServiceOpened(let data): data.write(to: &writer)
        case .handedOver(let data): data.write(to: &writer)
        case .handedBack(let data): data.write(to: &writer)
        case .orderConfirmed(let data): data.write(to: &writer)
        case .transactionRequested(let data): data.write(to: &writer)
        case .transactionSettled(let data): data.write(to: &writer)
        }
    }

    /// Reads the `data` of an event of a checkout's type.
    package static func read(
        _ type: EventType,
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> CheckoutEvent {
        switch type {
        case .checkoutOpened: .checkoutOpened(try .read(from: &reader))
        case .endpointsDiscovered: .endpointsDiscovered(try .read(from: &reader))
        case .checkInOffered: .checkInOffered(try .read(from: &reader))
        case .checkInRequested: .checkInRequested(try .read(from: &reader))
        case .checkInShown: .checkInShown(try .read(from: &reader))
        case .payerCheckedIn: .payerCheckedIn(try .read(from: &reader))
        case .checkInClosed: .checkInClosed(try .read(from: &reader))
        case .checkInFailed: .checkInFailed(try .read(from: &reader))
        case .orderFetched: .orderFetched(try .read(from: &reader))
        case .instrumentChosen: .instrumentChosen(try .read(from: &reader))
        case .externalContentOpened: .externalContentOpened(try .read(from: &reader))
        case .navigated: .navigated(try .read(from: &reader))
        case .termsOfServiceOpened: .termsOfServiceOpened(try .read(from: &reader))
        case .handedOver: .handedOver(try .read(from: &reader))
        case .handedBack: .handedBack(try .read(from: &reader))
        case .orderConfirmed: .orderConfirmed(try .read(from: &reader))
        case .transactionRequested: .transactionRequested(try .read(from: &reader))
        case .transactionSettled: .transactionSettled(try .read(from: &reader))
        default: throw .unknownValue("CheckoutEvent")
        }
    }
}
