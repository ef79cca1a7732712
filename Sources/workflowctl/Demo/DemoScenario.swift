internal import Sandbox
internal import Workflow

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

    /// The four payments.
    static var all: [DemoScenario] {
        [
            DemoScenario(
                letter: "a",
                title: "Swish on this device",
                reference: "demo-swish",
                order: SandboxOrder(description: "Coffee"),
                moves: [.attempt(.swish(nil))],
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
                moves: [.attempt(.card(rank: 1)), .attempt(.swish(MSISDN("+46739000001")))],
                outcome: .completed,
                attempts: [.failed, .paid]
            ),
            DemoScenario(
                letter: "d",
                title: "the payer gives up",
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
            && ledger?.attempts.map(\.state) == scenario.attempts
    }
}
