import EventLog
import SwedbankPay
import Testing
import WorkflowTesting

@Suite struct ReportTests {
    var launching: DeciderSpec {
        payment().expanded(.swish(msisdn: nil)).when(response: .swishToLaunch)
    }
    var challenging: DeciderSpec {
        payment().expanded(.card(rank: 1))
            .when(response: .running(.creditCard, .authentication(preset: "Y")))
            .when(response: .challenging())
    }

    @Test func `a report on an unknown client action is refused`() {
        let report = ActionReport(action: ActionID(rawValue: "a-99"), outcome: .launched)
        launching.when(.report(report)).then(rejected: .unknownAction(report.action))
    }

    @Test func `a client action's ID is the sequence number of the event that requested it`() {
        #expect(launching.newestAction == ActionID(requestedAt: launching.state.sequence))
    }

    @Test func `a repeated report changes nothing`() {
        launching.when(client: .launched).when(client: .launched).thenNothing()
        launching.when(client: .launchFailed).when(client: .launchFailed).thenNothing()
        let cRes = ReportOutcome.challengeCompleted(cRes: .sample("cres"))
        challenging.when(client: .shown).when(client: .shown).thenNothing()
        challenging.when(client: cRes).when(client: cRes).thenNothing()
        // Reported late, and already known.
        challenging.when(client: cRes).when(client: .shown).thenNothing()
        let failed = ReportOutcome.failed(error: .plain("net"))
        challenging.when(client: failed).when(client: failed).thenNothing()
    }

    @Test func `a failed 3-D Secure method may be reported again, even with another error`() {
        let spec = payment().expanded(.card(rank: 1))
            .when(response: .running(.creditCard, .authentication(method: "data")))
        let failed = spec.when(client: .failed(error: .plain("net")))
        failed.when(client: .failed(error: .plain("net"))).thenNothing()
        failed.when(client: .failed(error: nil)).thenNothing()
        failed.when(client: .done).then(rejected: .actionAlreadyReported(spec.newestAction))
    }

    @Test func `a report that contradicts the one before is refused`() {
        launching.when(client: .launched).when(client: .launchFailed)
            .then(rejected: .actionAlreadyReported(launching.newestAction))
        challenging.when(client: .challengeCompleted(cRes: .sample("one")))
            .when(client: .challengeCompleted(cRes: .sample("two")))
            .then(rejected: .actionAlreadyReported(challenging.newestAction))
        challenging.when(client: .failed(error: nil))
            .when(client: .challengeCompleted(cRes: .sample("one")))
            .then(rejected: .actionAlreadyReported(challenging.newestAction))
    }

    @Test func `a report with an impossible outcome is refused with the list of allowed ones`() {
        launching.when(client: .done).then(
            rejected: .outcomeNotPossible(
                launching.newestAction,
                allowed: ["launched", "launch-failed"]
            )
        )
        challenging.when(client: .launched).then(
            rejected: .outcomeNotPossible(
                challenging.newestAction,
                allowed: ["shown", "completed", "canceled", "failed"]
            )
        )
        challenging.when(client: .timedOut).then(
            rejected: .outcomeNotPossible(
                challenging.newestAction,
                allowed: ["shown", "completed", "canceled", "failed"]
            )
        )
    }

    @Test func `a report on a withdrawn client action is refused`() {
        let spec = launching.when(response: .swishUnderWay)
        spec.when(client: .launched).then(rejected: .actionWithdrawn(spec.newestAction))
    }

    @Test func `a challenge may be reported as completed without being reported as shown`() {
        challenging.when(client: .challengeCompleted(cRes: .sample("cres")))
            .then(
                .onAction { .threeDSCompleted(ThreeDSCompleted(action: $0, cRes: .sample("cres"))) }
            )
    }

    @Test func `a retry without a failure is refused`() {
        payment().ready().when(.retry(by: "payer")).then(rejected: .nothingToRetry)
        launching.when(.retry(by: "payer")).then(rejected: .nothingToRetry)
    }

    @Test func `a retry before the retry time of a request reads the session at once`() {
        let spec = payment().expanded(SwishTests.elsewhere)
            .when(outcome: .refused(429), retryIn: .seconds(300))
        spec.hasPending(.startPaymentAttempt, in: .seconds(300))
        spec.when(.retry(by: "payer")).hasPending(.session, in: .zero)
    }

    @Test func `the number of client actions is limited`() {
        var limits = SessionLimits()
        limits.actions = 3
        var spec = payment(limits: limits).expanded(.swish(msisdn: nil))
        for number in 1...4 {
            spec = spec.when(
                response: .running(
                    .swish,
                    .sample(.getPayment, at: "poll", next: true, tasks: [.launch("\(number)")])
                )
            )
        }
        #expect(spec.state.actions.count == 3)
        #expect(spec.state.problem?.problem.kind == .inconsistency)
        spec.hasNoPendingRequest().isSettled()
    }
}
