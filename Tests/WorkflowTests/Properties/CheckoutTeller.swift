import WorkflowTesting

@testable import EventLog
@testable import SwedbankPay
@testable import Workflow

/// A random history from a seed: commands, responses and reports, one after the other.
struct CheckoutTeller {
    var random: SeededRandom
    var captures = 0
    var native: UInt64 = 0

    mutating func chance(_ percent: Int) -> Bool {
        Int.random(in: 0..<100, using: &random) < percent
    }

    mutating func one<Value>(_ values: [Value]) -> Value {
        values[Int.random(in: values.indices, using: &random)]
    }

    mutating func opened() -> CheckoutOpened {
        .sample(
            one([.psp, .psp, .merchantBackend]),
            instrument: chance(40) ? .creditCard : nil,
            consumer: chance(30)
                ? ConsumerTerms(language: "sv-SE", shippingCountries: ["SE"]) : nil,
            presents: chance(80)
        )
    }

    /// Returns the outcome of the PSP or the backend; the order sometimes shows a capture.
    mutating func outcome(to request: OperationRequest) -> ProviderResponse.Outcome {
        if chance(25) {
            return one([
                .failed(reach: .maybeSent, code: "http.timeout", isTransient: true),
                .failed(reach: .notSent, code: "http.connect", isTransient: true),
                .empty(status: 204), .undecodable(status: 200, raw: nil),
                refused(400), refused(403), refused(409), refused(429), refused(503),
            ])
        }
        switch request.rel {
        case .root:
            return .endpoints(
                BackendEndpoints(consumers: .sample("consumers"), orders: .sample("orders")),
                status: 200
            )
        case .consumers:
            return .consumer(view: chance(90) ? .sample(.viewConsumer) : nil, status: 200)
        default: return .order(order(), status: 200)
        }
    }

    private func refused(_ status: Int) -> ProviderResponse.Outcome {
        .refused(
            status: status,
            document: ProblemDocument(type: "about:blank", status: status),
            retryAfter: nil
        )
    }

    private mutating func order() -> OrderSnapshot {
        switch one([0, 0, 0, 1, 2, 3]) {
        case 0: return one([.sample, .locked(to: .creditCard), .locked(to: .swish)])
        case 1: return .paid()
        case 2: return .paid().with("Capture", "CAP\(max(captures, 1))")
        default: return OrderSnapshot.sample.with(one([.aborted, .failed, .reversed, .paid]))
        }
    }

    mutating func input(in state: SessionState) -> SessionInput {
        if let action = state.actions.last, action.isOpen, chance(50) {
            return .report(
                ActionReport(
                    action: action.id,
                    outcome: one([
                        .shown, .completed, .canceled, .failed(error: nil),
                        .checkedIn(consumerProfileRef: .sample("profile")),
                        .navigated(destination: "bank.example", .webView),
                        .openedTermsOfService,
                    ])
                )
            )
        }
        native += 1
        let session = SessionID(at: Instant(microseconds: 0), random: (native / 4, 7))
        return .command(
            one([
                .abort(by: "host"), .retry(by: "host"), .refetch(by: "host"), .menu(.menu),
                .menu(.instrument(.swish)), .returned(.original), .returned(nil),
                .callback(CallbackReceived(digest: HashChain.hash([UInt8(native % 5)]))),
                .checkout(.instrument(.swish)), .checkout(.instrument(.creditCard)),
                .checkout(.handOver(session)),
                .checkout(
                    .handBack(
                        HandedBack(
                            session: session,
                            outcome: one([nil, .completed, .canceled, .failed])
                        )
                    )
                ),
                .checkout(.transact(capture())), .attempt(.swish(msisdn: nil)),
            ])
        )
    }

    private mutating func capture() -> TransactionRequest {
        if chance(60) { captures += 1 }
        return TransactionRequest(
            kind: .capture,
            payeeReference: "CAP\(max(captures, 1))",
            amount: 100,
            vatAmount: 20,
            description: "Shipment"
        )
    }
}

extension DeciderSpec {
    /// Returns a checkout with a random history from a seed.
    func checkout(toldBy seed: UInt64) -> DeciderSpec {
        var teller = CheckoutTeller(random: SeededRandom(seed: seed))
        var spec = self
        spec.foldsEachStep = false
        spec = spec.when(.checkout(.open(teller.opened())))
        for _ in 0..<40 {
            let requests = spec.decider.pendingEffects(of: spec.state).requests
            if let request = requests.first, !request.isPoll || teller.chance(10), teller.chance(70)
            {
                spec = spec.when(outcome: teller.outcome(to: request))
            } else {
                spec = spec.when(teller.input(in: spec.state))
            }
        }
        return spec
    }
}
