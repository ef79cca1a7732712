internal import EventLog

extension EventLogging {
    /// The messages about what the payer's app or browser did.
    func clientBeacons(of event: SessionEvent, at instant: Instant) -> [Beacon] {
        switch event {
        case .externalAppLaunched(let response): [launch(response.action, succeeded: true)]
        case .externalAppLaunchFailed(let failed): [launch(failed.action, succeeded: false)]
        case .returned:
            [
                Beacon(.clientAppCallback).with([
                    "callbackUrl": Self.place(of: state.orderURLs.payment)
                ])
            ]
        case .threeDSMethodCompleted(let completed):
            [
                challenge(completed.action, .scaMethodRequest, at: instant).with([
                    "methodCompletionIndicator": completed.indicator.rawValue,
                    "errorMessage": completed.timedOut ? "timeout" : nil,
                ])
            ]
        case .threeDSRequested: [.callback("show3DSecureViewController")]
        case .threeDSCompleted(let completed):
            [
                challenge(completed.action, .scaRedirectResult, at: instant).with([
                    "cresRecieved": "true"
                ]),
                .callback("dismiss3DSecureViewController"),
            ]
        case .threeDSLoadFailed(let failed):
            [
                challenge(failed.action, .scaRedirectResult, at: instant).with([
                    "cresRecieved": "false", "errorMessage": Self.text(failed.error),
                ]),
                .callback("dismiss3DSecureViewController"),
            ]
        case .threeDSClosed(let response):
            [
                challenge(response.action, .scaRedirectResult, at: instant).with([
                    "cresRecieved": "false", "errorMessage": "closed by the payer",
                ]),
                .callback("dismiss3DSecureViewController"),
            ]
        case .walletRequested(let requested):
            Instrument(offering: requested.method).loggedPresentation.map { [.asked($0)] } ?? []
        case .menuRequested: [.callback("showSwedbankPaySDKController")]
        case .menuClosed(let closed):
            [
                .callback(
                    "dismissSwedbankPaySDKController",
                    [
                        "outcome": closed.outcome.rawValue,
                        "errorDescription": Self.text(closed.error ?? closed.failure?.details),
                    ]
                )
            ]
        default: []
        }
    }

    /// The message about opening an app.
    ///
    /// - Note: Source: event logging, values of a launch.
    private func launch(_ action: ActionID, succeeded: Bool) -> Beacon {
        var (scheme, callback): (String?, OutsideText?)
        if case .launchApp(let task, let callbackURL) = state.action(action)?.kind {
            (scheme, callback) = (task.scheme, callbackURL)
        }
        return Beacon(.launchClientApp).with([
            "callbackUrl": Self.place(of: callback ?? state.orderURLs.payment),
            "clientAppLaunchUrl": scheme.map { $0 + "://" },
            "launchSucceeded": "\(succeeded)",
        ])
    }

    /// The message about the end of an issuer's page, visible or not.
    private func challenge(_ id: ActionID, _ kind: Beacon.Action, at instant: Instant) -> Beacon {
        let action = state.action(id)
        let task: IntegrationTask? =
            switch action?.kind {
            case .load3DSMethod(let task), .show3DS(let task, _): task
            default: nil
            }
        return Beacon(
            kind,
            durationMilliseconds: action.map { (instant - $0.requestedAt).wholeMilliseconds },
            request: Beacon.Request(
                url: url(of: task?.rel.rawValue ?? "3ds", task?.href),
                method: task?.method ?? "POST",
                status: nil
            )
        )
    }

    /// The message about a reported problem.
    ///
    /// - Note: Source: event logging, values of problems; the kits' names for the engine's own
    ///   ones.
    static func callback(of problem: Problem) -> Beacon {
        guard problem.origin != .session else {
            return .callback(
                "sessionProblemOccurred",
                [
                    "problemType": problem.type, "problemTitle": text(problem.title),
                    "problemStatus": problem.status.map { "\($0)" },
                    "problemDetail": text(problem.detail),
                ]
            )
        }
        return .callback(
            "sdkProblemOccurred",
            [
                "problem": problem.kind?.telemetryName ?? "internalInconsistencyError",
                "errorDescription": text(problem.title) ?? problem.code,
                "errorCode": problem.status.map { "\($0)" }, "problemType": problem.type,
            ]
        )
    }
}

extension SessionState {
    /// The client action with an identifier.
    fileprivate func action(_ id: ActionID) -> ClientAction? { self.actions.last { $0.id == id } }
}

extension EngineProblemKind {
    /// The name that the PSP's kits give to the problem; our own where they have none.
    ///
    /// - Note: Source: event logging, problem values.
    fileprivate var telemetryName: String {
        switch self {
        case .requestFailed: "paymentSessionAPIRequestFailed"
        case .inconsistency: "internalInconsistencyError"
        case .endReached: "paymentSessionEndStateReached"
        case .threeDSLoadFailed: "paymentSession3DSecureViewControllerLoadFailed"
        case .abortNotAllowed: "abortPaymentNotAllowed"
        case .configurationFailed: "automaticConfigurationFailed"
        default: rawValue
        }
    }
}

extension Beacon {
    init(
        _ action: Action,
        durationMilliseconds: Int64? = nil,
        request: Request? = nil,
        method: Method? = nil
    ) {
        // Sequence number and time are those of the event, and are set together for all its
        // messages.
        self.init(
            sequence: 0,
            created: Instant(microseconds: 0),
            action: action,
            durationMilliseconds: durationMilliseconds,
            request: request,
            method: method
        )
    }

    /// A message about a method that the host called.
    static func asked(
        _ name: String,
        _ values: KeyValuePairs<String, String?> = [:],
        succeeded: Bool = true
    ) -> Beacon {
        Beacon(.methodInvoked, method: Method(name: name, succeeded: succeeded)).with(values)
    }

    /// A message about a callback to the host.
    static func callback(_ name: String, _ values: KeyValuePairs<String, String?> = [:]) -> Beacon {
        Beacon(.callbackInvoked, method: Method(name: name, succeeded: true)).with(values)
    }

    func with(_ values: KeyValuePairs<String, String?>) -> Beacon {
        var beacon = self
        beacon.add(values)
        return beacon
    }

    /// Adds the texts that are present.
    mutating func add(_ values: KeyValuePairs<String, String?>) {
        for case (let name, let text?) in values {
            self.values.append(Value(name: name, text: text))
        }
    }
}
