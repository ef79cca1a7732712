import EventLog
import SwedbankPay

/// Creates the PSP's snapshots of an order, and seals the secrets in them.
struct SnapshotPainter {
    let order: SimulatedProvider.Order
    var secrets: SimulatedSecrets
    private let stage: SimulatedProvider.Order.Stage

    init(order: SimulatedProvider.Order, secrets: SimulatedSecrets) {
        self.order = order
        self.secrets = secrets
        stage = order.stage
    }

    /// Returns the PSP's current snapshot of the order.
    mutating func snapshot() -> Snapshot {
        var snapshot = Snapshot(
            culture: "sv-SE",
            urls: OrderURLs(
                complete: "https://shop.example/complete",
                cancel: "https://shop.example/cancel",
                payment: "https://shop.example/pay?id=7f0c",
                hosts: ["https://shop.example/"]
            )
        )
        let abort = Operation(rel: .abortPayment, method: "POST", href: sealed("abort"))
        switch stage {
        case .created:
            snapshot.operations = [
                Operation(
                    rel: .preparePayment,
                    method: "POST",
                    href: sealed("prepare"),
                    isNext: true
                )
            ]
        case .prepared, .expanded: snapshot.operations = [abort]
        case .started, .authenticating, .challenged: snapshot.operations = [abort]
        case .problem:
            snapshot.operations = [abort]
            snapshot.problem = SessionProblem(
                type: "https://api.payex.com/psp/errordetail/creditcard/carddeclined",
                status: 403,
                acknowledge: Operation(
                    rel: .acknowledgeFailedAttempt,
                    method: "POST",
                    href: sealed("acknowledge-\(order.problems)")
                )
            )
        case .paid:
            snapshot.operations = [redirect(to: .complete)]
            return snapshot
        case .aborted:
            snapshot.operations = [redirect(to: .cancel)]
            return snapshot
        }
        if stage != .created { snapshot.methods = [swish(), card()] }
        return snapshot
    }

    private mutating func swish() -> OfferedMethod {
        OfferedMethod(name: .swish, operations: operations(of: .swish))
    }

    private mutating func card() -> OfferedMethod {
        OfferedMethod(
            name: .creditCard,
            prefills: [
                .card(
                    SavedCard(
                        rank: 1,
                        token: sealed("token"),
                        brand: "Visa",
                        maskedPan: "476173******1416",
                        expiry: CardExpiry(year: 2030, month: 12)
                    )
                )
            ],
            operations: operations(of: .creditCard)
        )
    }

    private mutating func operations(of method: PaymentMethodName) -> [Operation] {
        switch stage {
        case .prepared:
            return [expand(method)]
        case .expanded(let open):
            guard open == method else { return [expand(method)] }
            return [
                Operation(
                    rel: .startPaymentAttempt,
                    method: "POST",
                    href: sealed("start-\(method)")
                )
            ]
        case .started(let running) where running == method:
            let launch = IntegrationTask(
                rel: .launchClientApp,
                href: sealed("swish-\(order.attempts)"),
                scheme: "swish"
            )
            return [
                Operation(
                    rel: .getPayment,
                    method: "GET",
                    href: sealed("get"),
                    isNext: true,
                    tasks: [launch]
                ),
                Operation(rel: .failPaymentAttempt, method: "POST", href: sealed("fail")),
            ]
        case .authenticating where method == .creditCard: return [createAuthentication()]
        case .challenged where method == .creditCard: return [completeAuthentication()]
        case .created, .started, .authenticating, .challenged, .problem, .paid, .aborted:
            return []
        }
    }

    private mutating func createAuthentication() -> Operation {
        let hasMethod = order.authentication != .challenge
        let method = IntegrationTask(
            rel: .scaMethodRequest,
            href: sealed("acs-method"),
            scheme: "https",
            method: "POST",
            expects: [
                Expectation(
                    name: "threeDSMethodData",
                    value: .sealed(sealed("method-\(order.attempts)"))
                )
            ]
        )
        return Operation(
            rel: .createAuthentication,
            method: "POST",
            href: sealed("create"),
            isNext: true,
            tasks: hasMethod ? [method] : [],
            expects: [
                Expectation(name: "NotificationUrl", value: .sealed(sealed("notification")))
            ]
        )
    }

    private mutating func completeAuthentication() -> Operation {
        let challenge = IntegrationTask(
            rel: .scaRedirect,
            href: sealed("acs"),
            scheme: "https",
            method: "POST",
            expects: [Expectation(name: "creq", value: .sealed(sealed("creq")))]
        )
        return Operation(
            rel: .completeAuthentication,
            method: "POST",
            href: sealed("finish"),
            isNext: true,
            tasks: [challenge]
        )
    }

    private mutating func expand(_ method: PaymentMethodName) -> Operation {
        Operation(
            rel: .expandMethod,
            method: "POST",
            href: sealed("expand-\(method.rawValue)")
        )
    }

    private mutating func redirect(to target: RedirectTarget) -> Operation {
        Operation(
            rel: .redirectPayer,
            method: "GET",
            href: sealed("redirect"),
            isNext: true,
            target: target
        )
    }

    private mutating func sealed(_ name: String) -> Sealed { secrets.seal(name) }
}
