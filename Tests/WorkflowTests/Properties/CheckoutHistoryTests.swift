import Testing
import WorkflowTesting

@testable import EventLog
@testable import Inspection
@testable import SwedbankPay
@testable import Workflow

/// Checkouts in which anything may happen at any time.
@Suite struct CheckoutHistoryTests {
    /// A history, told by a seed: what is asked, answered and reported, one after the other.
    private struct Teller {
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

        /// What the PSP or the backend answers; the order shows a capture now and then.
        mutating func outcome(to call: OperationCall) -> ProviderAnswer.Outcome {
            if chance(25) {
                return one([
                    .failed(reach: .maybeSent, code: "http.timeout", isTransient: true),
                    .failed(reach: .notSent, code: "http.connect", isTransient: true),
                    .empty(status: 204), .undecodable(status: 200, raw: nil),
                    refused(400), refused(403), refused(409), refused(429), refused(503),
                ])
            }
            switch call.rel {
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

        private func refused(_ status: Int) -> ProviderAnswer.Outcome {
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
                    ClientReport(
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

    @Test(arguments: [UInt64](1...12).map { $0 * 1_000_003 })
    func `whatever happens, the log folds, replays alike, and no capture is sent again unseen`(
        base: UInt64
    ) throws {
        for seed in base..<(base + 25) {
            var teller = Teller(random: SeededRandom(seed: seed))
            var spec = payment()
            spec.foldsEachStep = false
            spec = spec.when(.checkout(.open(teller.opened())))
            for _ in 0..<40 {
                let calls = spec.decider.effects(owedBy: spec.state).compactMap { effect in
                    if case .call(let call) = effect { call } else { nil }
                }
                if let call = calls.first, !call.isPoll || teller.chance(10), teller.chance(70) {
                    spec = spec.when(outcome: teller.outcome(to: call))
                } else {
                    spec = spec.when(teller.input(in: spec.state))
                }
            }
            try check(spec, seed: seed)
        }
    }

    private func check(_ spec: DeciderSpec, seed: UInt64) throws {
        let log = spec.log
        var folded = SessionState(session: spec.state.session)
        var replay = ReplayCheck(of: spec.state.session, by: spec.decider)
        var seenSince = true
        var ends = 0
        for (index, entry) in log.enumerated() {
            // A capture that may have happened is not sent again before the order was read.
            if case .operationStarted(let started) = entry.event, started.rel == .capture {
                #expect(seenSince, "seed \(seed): a capture was sent again unseen")
                seenSince = false
            }
            if case .checkout(.orderFetched(let fetched)) = entry.event, fetched.cause == .order {
                seenSince = true
            }
            switch entry.event {
            case .completed(let completed):
                ends += 1
                let status = folded.checkout?.order?.status
                #expect(
                    completed.evidence == .completeURLReached || status == .paid
                        || status == .reversed,
                    "seed \(seed): completed without the PSP's word"
                )
            case .canceled, .failed, .expired: ends += 1
            case .checkout(.orderConfirmed):
                #expect(folded.checkout?.order?.status == .paid, "seed \(seed)")
            default: break
            }
            try replay.take(
                RecordedEvent(
                    stream: spec.state.session,
                    sequence: Int64(index + 1),
                    at: entry.at,
                    event: entry.event,
                    metadata: EventMetadata(build: "1", catalogue: "1", cause: "test", node: "n")
                ),
                followedBy: index + 1 < log.count ? log[index + 1].event : nil
            )
            folded.apply(entry.event, at: entry.at)
        }
        #expect(ends <= 1, "seed \(seed): \(ends) ends")
        #expect(folded == spec.state, "seed \(seed): the fold is not the live state")
        #expect(log.count < 400, "seed \(seed): \(log.count) events")
    }
}
