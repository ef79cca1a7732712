public import EventLog

/// The types of events that this build knows, by their names in the log.
public enum EventType: String, LoggedEventType {
    case opened
    case fetched
    case methodsOffered
    case attemptStarted
    case operationStarted
    case operationSucceeded
    case operationFailed
    case externalAppRequested
    case externalAppLaunched
    case externalAppLaunchFailed
    case returned
    case threeDSMethodRequested
    case threeDSMethodCompleted
    case threeDSRequested
    case threeDSShown
    case threeDSCompleted
    case threeDSClosed
    case threeDSLoadFailed
    case walletRequested
    case walletAuthorized
    case walletCanceled
    case walletFailed
    case menuChosen
    case menuRequested
    case menuShown
    case menuClosed
    case problem
    case problemAcknowledged
    case retryRequested
    case refetchRequested
    case abortRequested
    case canceled
    case completed
    case expired
    case failed
    case callbackReceived
    case noteAdded
    case operatorActed
    case checkoutOpened
    case endpointsDiscovered
    case checkInOffered
    case checkInRequested
    case checkInShown
    case payerCheckedIn
    case checkInClosed
    case checkInFailed
    case orderFetched
    case instrumentChosen
    case externalContentOpened
    case navigated
    case termsOfServiceOpened
    case handedOver
    case handedBack
    case orderConfirmed
    case transactionRequested
    case transactionSettled

    /// The type of that name.
    public init?(name: String) {
        guard let type = Self.byName[name] else { return nil }
        self = type
    }

    /// Its name in the log.
    public var name: String { rawValue }

    private static let byName = Dictionary(
        uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) }
    )
}

extension SessionEvent {
    /// The names of the types that this build knows, as the log has them.
    package static var typeNames: [String] { EventType.allCases.map(\.rawValue) }
}
