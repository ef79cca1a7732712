internal import EventLog

/// What to pay with, as a host says it: in the clear, to be sealed before any rule sees it.
public enum AttemptRequest: Sendable {
    /// Swish; with a number the request goes to that telephone, without one to an app on this device.
    case swish(MSISDN?)
    /// The saved card of that rank, in the list that the client saw.
    ///
    /// `seenAt` is ``SessionState/sequence`` of the state that the list is from. When another card stands at that rank by
    /// now, nothing is paid (``Rejection/prefillChanged(rank:)``); without it, once another card ever stood there.
    case card(rank: Int, seenAt: Int64? = nil)
    /// The saved card that this token pays with.
    case cardToken(String)
    /// The saved card that looks like this to the payer.
    case seenCard(SeenCard)
    /// A card entered on the PSP's page.
    case newCard(showsConsent: Bool)
    /// Apple Pay.
    case applePay(merchantIdentifier: String)
    /// Google Pay.
    case googlePay
    /// Click to Pay.
    case clickToPay

    func sealed(in secrets: inout SecretTable, with keys: SessionKeys) -> ChoiceRequest {
        switch self {
        case .swish(let msisdn): .swish(msisdn: msisdn.map { secrets.seal($0.number, with: keys) })
        case .card(let rank, let seenAt): .card(rank: rank, seenAt: seenAt)
        case .cardToken(let token): .savedCard(.token(secrets.seal(token, with: keys)))
        case .seenCard(let seen): .savedCard(.seen(seen))
        case .newCard(let showsConsent): .newCard(showsConsent: showsConsent)
        case .applePay(let identifier): .applePay(merchantIdentifier: identifier)
        case .googlePay: .googlePay
        case .clickToPay: .clickToPay
        }
    }
}

/// A choice made before the methods are known, as a host says it.
public enum PreferenceRequest: Sendable {
    /// Swish, on another device when a number is given.
    case swish(MSISDN?)
    /// A saved card: the one with this rank, else the first.
    case card(rank: Int?)
    /// The saved card that this token pays with.
    case cardToken(String)
    /// The saved card that looks like this to the payer.
    case seenCard(SeenCard)
    /// A card entered on the PSP's page.
    case newCard(showsConsent: Bool)
    /// Apple Pay.
    case applePay(merchantIdentifier: String)
    /// Google Pay.
    case googlePay
    /// Click to Pay.
    case clickToPay

    func sealed(in secrets: inout SecretTable, with keys: SessionKeys) -> Preference {
        switch self {
        case .swish(let msisdn): .swish(msisdn: msisdn.map { secrets.seal($0.number, with: keys) })
        case .card(let rank): .card(rank: rank)
        case .cardToken(let token): .savedCard(.token(secrets.seal(token, with: keys)))
        case .seenCard(let seen): .savedCard(.seen(seen))
        case .newCard(let showsConsent): .newCard(showsConsent: showsConsent)
        case .applePay(let identifier): .applePay(merchantIdentifier: identifier)
        case .googlePay: .googlePay
        case .clickToPay: .clickToPay
        }
    }
}

/// What a client did about an action, as it says it.
public enum ClientAnswer: Sendable {
    /// The app was opened.
    case launched
    /// The app could not be opened.
    case launchFailed
    /// The page is on the screen.
    case shown
    /// The 3-D Secure method call was made.
    case done
    /// It failed; the client's own words.
    case failed(error: String?)
    /// The PSP's page gave up: its terminal failure, as the page reported it.
    case pageFailed(origin: String?, messageID: String?, details: String?)
    /// The challenge gave this response.
    case challengeCompleted(cRes: String)
    /// The wallet gave this token.
    case authorized(payload: String)
    /// The menu went to the complete URL.
    case completed
    /// The payer closed it.
    case canceled
    /// The check-in gave this reference.
    case checkedIn(consumerProfileRef: String)
    /// The page led to this host, or to an app of this scheme; it stays open.
    ///
    /// The whole address is kept, sealed, where the checkout's options want it.
    case navigated(destination: String?, Navigated.Place, url: String? = nil)
    /// The page sent the payer to a bank or an app; it stays open.
    ///
    /// The whole address is kept as with ``navigated(destination:_:url:)``.
    case leftForExternalContent(destination: String?, Navigated.Place, url: String? = nil)
    /// The payer asked for the merchant's terms; the page stays open.
    case openedTermsOfService

    func sealed(in secrets: inout SecretTable, with keys: SessionKeys) -> ReportOutcome {
        switch self {
        case .launched: return .launched
        case .launchFailed: return .launchFailed
        case .shown: return .shown
        case .done: return .done
        case .failed(let error):
            return .failed(
                error: error.map {
                    OutsideTextScreen.text($0, keys: keys, secrets: &secrets)
                }
            )
        case .pageFailed(let origin, let messageID, let details):
            func screened(_ text: String?) -> OutsideText? {
                text.map { OutsideTextScreen.text($0, keys: keys, secrets: &secrets) }
            }
            return .pageFailed(
                PageFailure(
                    origin: screened(origin),
                    messageID: screened(messageID),
                    details: screened(details)
                )
            )
        case .challengeCompleted(let cRes):
            return .challengeCompleted(cRes: secrets.seal(cRes, with: keys))
        case .authorized(let payload):
            return .authorized(payload: secrets.seal(payload, with: keys))
        case .completed: return .completed
        case .canceled: return .canceled
        case .checkedIn(let reference):
            return .checkedIn(consumerProfileRef: secrets.seal(reference, with: keys))
        case .navigated(let destination, let place, let url):
            let sealed = url.flatMap(Self.address).map { secrets.seal($0, with: keys) }
            return .navigated(destination: Self.harmless(destination), place, url: sealed)
        case .leftForExternalContent(let destination, let place, let url):
            let sealed = url.flatMap(Self.address).map { secrets.seal($0, with: keys) }
            return .leftForExternalContent(
                destination: Self.harmless(destination),
                place,
                url: sealed
            )
        case .openedTermsOfService: return .openedTermsOfService
        }
    }

    /// An address of a length that is kept.
    private static func address(_ text: String) -> String? {
        text.isEmpty || text.utf8.count > SessionAddress.maximumLength ? nil : text
    }

    /// A host or scheme as it may stand in a log; nil for anything longer or odder.
    private static func harmless(_ destination: String?) -> String? {
        guard let destination else { return nil }
        let name = destination.hasSuffix(":") ? String(destination.dropLast()) : destination
        return APIAddress.isPlainHost(name) ? destination.lowercased() : nil
    }
}
