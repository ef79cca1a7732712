public import EventLog

extension SessionEvent: LoggedEvent {
    /// The event's type; nil for one that this build does not know.
    public var eventType: EventType? {
        switch self {
        case .opened: .opened
        case .fetched: .fetched
        case .methodsOffered: .methodsOffered
        case .attemptStarted: .attemptStarted
        case .operationStarted: .operationStarted
        case .operationSucceeded: .operationSucceeded
        case .operationFailed: .operationFailed
        case .externalAppRequested: .externalAppRequested
        case .externalAppLaunched: .externalAppLaunched
        case .externalAppLaunchFailed: .externalAppLaunchFailed
        case .returned: .returned
        case .threeDSMethodRequested: .threeDSMethodRequested
        case .threeDSMethodCompleted: .threeDSMethodCompleted
        case .threeDSRequested: .threeDSRequested
        case .threeDSShown: .threeDSShown
        case .threeDSCompleted: .threeDSCompleted
        case .threeDSClosed: .threeDSClosed
        case .threeDSLoadFailed: .threeDSLoadFailed
        case .walletRequested: .walletRequested
        case .walletAuthorized: .walletAuthorized
        case .walletCanceled: .walletCanceled
        case .walletFailed: .walletFailed
        case .menuChosen: .menuChosen
        case .menuRequested: .menuRequested
        case .menuShown: .menuShown
        case .menuClosed: .menuClosed
        case .problem: .problem
        case .problemAcknowledged: .problemAcknowledged
        case .retryRequested: .retryRequested
        case .refetchRequested: .refetchRequested
        case .abortRequested: .abortRequested
        case .canceled: .canceled
        case .completed: .completed
        case .expired: .expired
        case .failed: .failed
        case .callbackReceived: .callbackReceived
        case .noteAdded: .noteAdded
        case .operatorActed: .operatorActed
        case .checkout(let event): event.type
        case .unknown: nil
        }
    }

    /// The event as it was found, if this build does not know it.
    public var unknownEvent: UnknownEvent? {
        if case .unknown(let event) = self { event } else { nil }
    }

    /// Writes the event's `data`.
    public func writeData(to writer: inout CanonicalWriter) {
        switch self {
        case .opened(let data): data.write(to: &writer)
        case .fetched(let data): data.write(to: &writer)
        case .methodsOffered(let data): data.write(to: &writer)
        case .attemptStarted(let data): data.write(to: &writer)
        case .operationStarted(let data): data.write(to: &writer)
        case .operationSucceeded(let data): data.write(to: &writer)
        case .operationFailed(let data): data.write(to: &writer)
        case .externalAppRequested(let data): data.write(to: &writer)
        case .externalAppLaunched(let data): data.write(to: &writer)
        case .externalAppLaunchFailed(let data): data.write(to: &writer)
        case .returned(let data): data.write(to: &writer)
        case .threeDSMethodRequested(let data): data.write(to: &writer)
        case .threeDSMethodCompleted(let data): data.write(to: &writer)
        case .threeDSRequested(let data): data.write(to: &writer)
        case .threeDSShown(let data): data.write(to: &writer)
        case .threeDSCompleted(let data): data.write(to: &writer)
        case .threeDSClosed(let data): data.write(to: &writer)
        case .threeDSLoadFailed(let data): data.write(to: &writer)
        case .walletRequested(let data): data.write(to: &writer)
        case .walletAuthorized(let data): data.write(to: &writer)
        case .walletCanceled(let data): data.write(to: &writer)
        case .walletFailed(let data): data.write(to: &writer)
        case .menuChosen(let data): data.write(to: &writer)
        case .menuRequested(let data): data.write(to: &writer)
        case .menuShown(let data): data.write(to: &writer)
        case .menuClosed(let data): data.write(to: &writer)
        case .problem(let data): data.write(to: &writer)
        case .problemAcknowledged(let data): data.write(to: &writer)
        case .retryRequested(let data): data.write(to: &writer)
        case .refetchRequested(let data): data.write(to: &writer)
        case .abortRequested(let data): data.write(to: &writer)
        case .canceled(let data): data.write(to: &writer)
        case .completed(let data): data.write(to: &writer)
        case .expired(let data): data.write(to: &writer)
        case .failed(let data): data.write(to: &writer)
        case .callbackReceived(let data): data.write(to: &writer)
        case .noteAdded(let data): data.write(to: &writer)
        case .operatorActed(let data): data.write(to: &writer)
        case .checkout(let event): event.writeData(to: &writer)
        case .unknown(let event):
            writer.verbatim(event.data, sealed: SealedPlaces.values(in: event.data))
        }
    }

    /// Reads the `data` of an event of a known type.
    public static func read(
        _ type: EventType,
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> SessionEvent {
        switch type {
        case .opened: .opened(try .read(from: &reader))
        case .fetched: .fetched(try .read(from: &reader))
        case .methodsOffered: .methodsOffered(try .read(from: &reader))
        case .attemptStarted: .attemptStarted(try .read(from: &reader))
        case .operationStarted: .operationStarted(try .read(from: &reader))
        case .operationSucceeded: .operationSucceeded(try .read(from: &reader))
        case .operationFailed: .operationFailed(try .read(from: &reader))
        case .externalAppRequested: .externalAppRequested(try .read(from: &reader))
        case .externalAppLaunched: .externalAppLaunched(try .read(from: &reader))
        case .externalAppLaunchFailed: .externalAppLaunchFailed(try .read(from: &reader))
        case .returned: .returned(try .read(from: &reader))
        case .threeDSMethodRequested: .threeDSMethodRequested(try .read(from: &reader))
        case .threeDSMethodCompleted: .threeDSMethodCompleted(try .read(from: &reader))
        case .threeDSRequested: .threeDSRequested(try .read(from: &reader))
        case .threeDSShown: .threeDSShown(try .read(from: &reader))
        case .threeDSCompleted: .threeDSCompleted(try .read(from: &reader))
        case .threeDSClosed: .threeDSClosed(try .read(from: &reader))
        case .threeDSLoadFailed: .threeDSLoadFailed(try .read(from: &reader))
        case .walletRequested: .walletRequested(try .read(from: &reader))
        case .walletAuthorized: .walletAuthorized(try .read(from: &reader))
        case .walletCanceled: .walletCanceled(try .read(from: &reader))
        case .walletFailed: .walletFailed(try .read(from: &reader))
        case .menuChosen: .menuChosen(try .read(from: &reader))
        case .menuRequested: .menuRequested(try .read(from: &reader))
        case .menuShown: .menuShown(try .read(from: &reader))
        case .menuClosed: .menuClosed(try .read(from: &reader))
        case .problem: .problem(try .read(from: &reader))
        case .problemAcknowledged: .problemAcknowledged(try .read(from: &reader))
        case .retryRequested: .retryRequested(try .read(from: &reader))
        case .refetchRequested: .refetchRequested(try .read(from: &reader))
        case .abortRequested: .abortRequested(try .read(from: &reader))
        case .canceled: .canceled(try .read(from: &reader))
        case .completed: .completed(try .read(from: &reader))
        case .expired: .expired(try .read(from: &reader))
        case .failed: .failed(try .read(from: &reader))
        case .callbackReceived: .callbackReceived(try .read(from: &reader))
        case .noteAdded: .noteAdded(try .read(from: &reader))
        case .operatorActed: .operatorActed(try .read(from: &reader))
        case .checkoutOpened, .endpointsDiscovered, .checkInOffered, .checkInRequested,
            .checkInShown, .payerCheckedIn, .checkInClosed, .checkInFailed,
            .orderFetched, .instrumentChosen, .externalContentOpened, .navigated,
            .termsOfServiceOpened, .handedOver, .handedBack, .orderConfirmed,
            .transactionRequested, .transactionSettled:
            .checkout(try .read(type, from: &reader))
        }
    }
}
