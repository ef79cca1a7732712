public import EventLog

/// The messages that report a session to the PSP through `event-logging`: a projection of its log.
///
/// It is pure and uses only recorded events: the same log gives the same messages at any time, on
/// any machine, also after redaction. It needs all events from the first one on, because an event
/// contains only what is new.
///
/// - Note: Source: event logging, recommended design and redaction.
public struct EventLogging: Sendable {
    /// The fold of the events so far.
    public private(set) var state: SessionState
    /// The operation to which the messages are sent, from the newest response of the PSP that had
    /// one.
    public private(set) var href: Sealed?
    /// When the session ended.
    public private(set) var endedAt: Instant?

    /// Creates the projection of a session without events.
    public init(session: SessionID) { state = SessionState(session: session) }

    /// Folds the next event of the log.
    ///
    /// - Returns: The messages to the PSP about it, in order; empty for events that are not
    ///   reported.
    public mutating func apply(_ recorded: RecordedEvent) -> [Beacon] {
        var beacons = beacons(of: recorded.event, at: recorded.at)
        let before = state.outcome
        state.apply(recorded.event, at: recorded.at)
        if before == nil, state.outcome != nil { endedAt = recorded.at }
        if case .fetched(let fetched) = recorded.event,
            let newest = fetched.snapshot?.sessionOperation(.eventLogging)?.href
        {
            href = newest
        }
        for index in beacons.indices {
            beacons[index].sequence = recorded.sequence
            beacons[index].created = recorded.at
        }
        return beacons
    }

    /// The messages about an event that is about to be folded into the state.
    private func beacons(of event: SessionEvent, at instant: Instant) -> [Beacon] {
        switch event {
        case .opened, .refetchRequested: return [.asked("startPaymentSession")]
        case .attemptStarted(let started): return [asked(for: started.choice)]
        case .abortRequested:
            let isOffered = state.payment?.snapshot?.sessionOperation(.abortPayment) != nil
            return [.asked("abortPaymentSession", succeeded: isOffered)]
        case .menuChosen(let chosen):
            return [.asked("createSwedbankPaySDKController", Self.values(of: chosen.mode))]
        case .methodsOffered(let offered):
            var names: [String] = []
            for name in offered.methods.map(\.method.rawValue) where !names.contains(name) {
                names.append(name)
            }
            return [
                .callback("paymentSessionFetched", ["instruments": names.joined(separator: ";")])
            ]
        case .problem(let problem): return [Self.callback(of: problem)]
        case .completed: return [.callback("paymentSessionComplete")]
        case .canceled: return [.callback("paymentSessionCanceled")]
        case .expired(let expired):
            return [
                .callback(
                    "sdkProblemOccurred",
                    [
                        "problem": "paymentSessionEndStateReached",
                        "errorDescription": "expired: \(expired.reason.rawValue)",
                    ]
                )
            ]
        case .fetched(let fetched):
            // The response to another operation is reported with that operation.
            guard fetched.cause.onlyReads else { return [] }
            return [
                request(fetched.cause, status: 200, duration: fetched.durationMilliseconds ?? 0)
            ]
        case .operationSucceeded(let succeeded):
            return [
                request(
                    succeeded.rel,
                    status: succeeded.status,
                    duration: succeeded.durationMilliseconds
                )
            ]
        case .operationFailed(let failed): return [failure(failed)]
        default: return clientBeacons(of: event, at: instant)
        }
    }

    /// The message about an attempt that the host started.
    ///
    /// - Note: Source: event logging, values of an attempt.
    private func asked(for choice: Choice) -> Beacon {
        var values: KeyValuePairs<String, String?>
        switch choice {
        case .card(let chosen):
            let card = (state.payment?.offers ?? []).flatMap(\.prefills).lazy.compactMap {
                prefill in
                if case .card(let card) = prefill, card.rank == chosen.rank { card } else { nil }
            }.first
            values = [
                "paymentToken": Self.mark(chosen.token),
                "cardNumber": card?.maskedPan.map { String($0.suffix(4)) },
                "cardExpiryMonth": card?.expiry.map { "\($0.month)" },
                "cardExpiryYear": card?.expiry.map { "\($0.year)" },
            ]
        case .newCard(let showsConsent): values = ["showConsentAffirmation": "\(showsConsent)"]
        default: values = ["msisdn": choice.msisdn.map(Self.mark)]
        }
        var beacon = Beacon.asked("makePaymentAttempt", ["instrument": choice.method.rawValue])
        beacon.add(values)
        return beacon
    }

    /// The values that describe the mode of a page.
    ///
    /// - Note: Source: event logging, values of the hosted view.
    private static func values(of mode: MenuMode) -> KeyValuePairs<String, String?> {
        switch mode {
        case .menu: ["mode": "menu"]
        case .restricted(let names):
            [
                "mode": "menu",
                "restrictedToInstruments": names.map(\.rawValue).joined(separator: ";"),
            ]
        case .instrument(let name): ["mode": "instrumentMode", "instrument": name.rawValue]
        }
    }
}
