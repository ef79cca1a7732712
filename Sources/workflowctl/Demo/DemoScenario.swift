internal import EventLog
internal import Inspection
internal import Sandbox
internal import SwedbankPay

/// One payment of the demonstration: the order, what the payer does, and what must come of it.
struct DemoScenario: Sendable {
    /// What the payer decides to do when it is the payer's turn.
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
    /// How the attempts end at the PSP.
    var attempts: [LedgerAttempt.State]
    /// What somebody else does with the money when the payment is over.
    var afterwards: Act?

    /// The payments.
    static var all: [DemoScenario] { ownPayments + othersPayments }

    /// Those on which somebody else acts, too.
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

    /// Those of which nobody else knows.
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

/// What came of one payment of the demonstration.
struct DemoResult: Sendable {
    var scenario: DemoScenario
    var session: SessionID
    var log: SessionLog
    /// The session's log, taken anew.
    var check: CheckReport
    /// The session's log, verified.
    var verification: Verification
    /// What the sandbox has on its books.
    var ledger: LedgerOrder?

    /// Whether log, replay, chain and the PSP's books all say what they must.
    var isAsExpected: Bool {
        log.state.outcome == scenario.outcome && check.divergence == nil
            && verification.first == nil && ledger?.doubles == []
            && ledger?.attempts.map(\.state) == scenario.attempts && isMoneyTold
    }

    /// Whether the log is as certain of the money as the PSP's books were at its newest answer, and no more.
    private var isMoneyTold: Bool {
        guard let ledger else { return false }
        let isPaid = ledger.authorizedAmount > 0
        let back = scenario.afterwards == nil ? 0 : ledger.authorizedAmount
        return (log.state.money.standing == .confirmed) == isPaid
            && ledger.netAmount == ledger.authorizedAmount - back
    }
}
