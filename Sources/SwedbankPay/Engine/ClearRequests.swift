internal import EventLog

extension PaymentChoice where Number == MSISDN {
    /// The host's choice with its secrets sealed.
    func sealed<Rank>(
        in secrets: inout SecretTable,
        with keys: SessionKeys
    ) -> PaymentChoice<Sealed, CardReference<Rank, Sealed>>
    where Card == CardReference<Rank, String> {
        map {
            secrets.seal($0.number, with: keys)
        } card: {
            $0.mapToken { secrets.seal($0, with: keys) }
        }
    }
}

/// A client's report about an action, in the clear.
public enum ClientReport: Hashable, Sendable {
    /// The app was opened.
    case launched
    /// The app could not be opened.
    case launchFailed
    /// The page is shown.
    case shown
    /// The 3-D Secure method request was sent.
    case done
    /// It failed; the client's error text.
    case failed(error: String?)
    /// The PSP's page failed: its terminal failure, as the page reported it.
    case pageFailed(origin: String?, messageID: String?, details: String?)
    /// The challenge returned this response.
    case challengeCompleted(cRes: String)
    /// The wallet returned this token.
    case authorized(payload: String)
    /// The menu navigated to the complete URL.
    case completed
    /// The payer closed it.
    case canceled
    /// The check-in returned this reference.
    case checkedIn(consumerProfileRef: String)
    /// The page led to this host, or to an app with this scheme; it stays open.
    ///
    /// The whole address is kept, sealed, when the checkout's options require it.
    case navigated(destination: String?, Navigated.Place, url: String? = nil)
    /// The page redirected the payer to a bank or an app; it stays open.
    ///
    /// The whole address is kept as with ``navigated(destination:_:url:)``.
    case leftForExternalContent(destination: String?, Navigated.Place, url: String? = nil)
    /// The payer opened the merchant's terms; the page stays open.
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

    /// The address, if it is short enough to be kept.
    private static func address(_ text: String) -> String? {
        text.isEmpty || text.utf8.count > SessionAddress.maximumLength ? nil : text
    }

    /// A host or scheme that may be stored in a log; `nil` for anything longer or unusual.
    private static func harmless(_ destination: String?) -> String? {
        guard let destination else { return nil }
        let name = destination.hasSuffix(":") ? String(destination.dropLast()) : destination
        return APIAddress.isPlainHost(name) ? destination.lowercased() : nil
    }
}
