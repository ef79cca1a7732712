internal import EventLog
internal import Inspection
internal import Sandbox
internal import SwedbankPay

/// One payment of the demonstration: the order, what the payer does, and the expected result.
struct DemoScenario: Sendable {
    /// What the payer decides.
    enum Move: Sendable {
        case attempt(AttemptRequest)
        case abort
    }

    var letter: String
    var title: String
    var reference: String
    var order: SandboxOrder
    var moves: [Move]
    var outcome: Outcome
    /// The expected states of the attempts at the PSP.
    var attempts: [LedgerAttempt.State]
    /// What another party does with the money after the payment.
    var afterwards: Act?

    /// All payments.
    static var all: [DemoScenario] { ownPayments + othersPayments }

    /// The payments on which another party also acts.
    private static var othersPayments: [DemoScenario] {
        [
            DemoScenario(
                letter: "e",
                title: "another device pays while the payer chooses here",
                reference: "demo-elsewhere",
                order: SandboxOrder(
                    description: "Tickets",
                    scenario: Scenario(faults: [
                        Fault(
                            rel: "expand-method",
                            kind: .act(.devicePays(method: "CreditCard"), isFirst: false)
                        )
                    ])
                ),
                moves: [.attempt(.swish(msisdn: nil))],
                outcome: .completed,
                attempts: [.paid]
            ),
            DemoScenario(
                letter: "f",
                title: "Swish, refunded afterwards",
                reference: "demo-reversed",
                order: SandboxOrder(description: "Returned lamp"),
                moves: [.attempt(.swish(msisdn: nil))],
                outcome: .completed,
                attempts: [.paid],
                afterwards: .methodReverses()
            ),
        ]
    }

    /// The payments on which no other party acts.
    private static var ownPayments: [DemoScenario] {
        [
            DemoScenario(
                letter: "a",
                title: "Swish on this device",
                reference: "demo-swish",
                order: SandboxOrder(description: "Coffee"),
                moves: [.attempt(.swish(msisdn: nil))],
                outcome: .completed,
                attempts: [.paid]
            ),
            DemoScenario(
                letter: "b",
                title: "a saved card, with 3DS method and challenge",
                reference: "demo-card",
                order: SandboxOrder(payerReference: "payer-1"),
                moves: [.attempt(.card(rank: 1))],
                outcome: .completed,
                attempts: [.paid]
            ),
            DemoScenario(
                letter: "c",
                title: "a declined card, then Swish on another device",
                reference: "demo-declined",
                order: SandboxOrder(
                    amount: 900_361,
                    payerReference: "payer-2",
                    scenario: Scenario(savedCards: ["4925000000000004"])
                ),
                moves: [
                    .attempt(.card(rank: 1)), .attempt(.swish(msisdn: MSISDN("+46739000001"))),
                ],
                outcome: .completed,
                attempts: [.failed, .paid]
            ),
            DemoScenario(
                letter: "d",
                title: "the payer cancels",
                reference: "demo-aborted",
                order: SandboxOrder(description: "Shoes"),
                moves: [.abort],
                outcome: .canceled,
                attempts: []
            ),
        ]
    }
}

/// The result of one payment of the demonstration.
struct DemoResult: Sendable {
    var scenario: DemoScenario
    var session: SessionID
    var log: SessionLog
    /// The result of replaying the session's log.
    var check: CheckReport
    /// The result of verifying the session's log.
    var verification: Verification
    /// The order in the sandbox's books.
    var ledger: LedgerOrder?

    /// Whether log, replay, chain and the PSP's books are all as expected.
    var isAsExpected: Bool {
        log.state.outcome == scenario.outcome && check.divergence == nil
            && verification.first == nil && ledger?.doubles == []
            && ledger?.attempts.map(\.state) == scenario.attempts && isMoneyTold
    }

    /// Whether the log is exactly as certain of the money as the PSP's books were at its newest
    /// response.
    private var isMoneyTold: Bool {
        guard let ledger else { return false }
        let isPaid = ledger.authorizedAmount > 0
        let back = scenario.afterwards == nil ? 0 : ledger.authorizedAmount
        return (log.state.money.standing == .confirmed) == isPaid
            && ledger.netAmount == ledger.authorizedAmount - back
    }
}
