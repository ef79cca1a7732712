import EventLog
import SwedbankPay
import TestSupport
import Testing
import WorkflowTesting

@Suite struct EndingTests {
    var waiting: DeciderSpec {
        payment().expanded(SwishTests.elsewhere).when(response: .swishUnderWay)
    }

    @Test(
        .feature("N-33"),
        arguments: [RedirectTarget.elsewhere(host: "evil.example"), .payment, .unreadable]
    )
    func `R22: a redirect to an unexpected URL ends the session as failed, with a problem`(
        target: RedirectTarget
    ) {
        let spec = waiting.when(response: .redirecting(to: target))
        spec.then(types: "fetched", "problem", "failed").ended(.failed).isSettled()
        #expect(spec.state.problem?.problem.kind == .endReached)
        let host: String? = if case .elsewhere(let host) = target { host } else { nil }
        #expect(spec.newest.last == .failed(Failed(reason: .endReached, host: host)))
    }

    @Test func `F-26: a redirect without a URL ends the session as failed, never as canceled`() {
        let spec = waiting.when(response: .redirecting(to: nil, hasHref: false))
        spec.ended(.failed)
        #expect(spec.count("canceled") == 0)
    }

    @Test func `R5: a redirect that is not marked as next ends the session as well`() {
        var snapshot = Snapshot.swishUnderWay
        snapshot.operations.append(.sample(.redirectPayer, target: .complete))
        waiting.when(response: snapshot).then(
            .fetched(by: .getPayment),
            .completed(.redirectToCompleteURL)
        )
    }

    @Test func `R23: a session that offers nothing is read once more before it fails`() {
        let nothing = Snapshot(urls: Snapshot.sampleURLs, operations: [.sample(.eventLogging)])
        let once = payment().when(.open(.sample())).when(response: nothing)
        once.then(.fetched(by: .session)).hasPending(.session, in: .seconds(2))
        once.when(response: nothing).then(
            .fetched(by: .session, changed: false),
            .problem(
                .endReached,
                code: "no-operation",
                isRetryable: false,
                actor: .merchant
            ),
            .sessionFailed(.endReached)
        ).ended(.failed)
        once.when(response: .withSwish).then(.fetched(by: .session), .methodsOffered(.sampleSwish))
            .ended(nil)
    }

    @Test
    func `R23: once an attempt began, an empty session is read three more times before it fails`() {
        let nothing = Snapshot(urls: Snapshot.sampleURLs, operations: [.sample(.eventLogging)])
        var spec = waiting.when(response: nothing)
        for _ in 0..<2 {
            spec = spec.hasPending(.session, in: .seconds(2)).when(response: nothing).ended(nil)
        }
        spec.when(response: .paid).ended(.completed)
        spec.when(response: nothing).then(
            .fetched(by: .session, changed: false),
            .problem(
                .endReached,
                code: "no-operation",
                isRetryable: false,
                actor: .merchant
            ),
            .sessionFailed(.endReached)
        ).ended(.failed)
    }

    @Test(arguments: Outcome.allCases)
    func `after the end nothing is recorded except an operator action`(outcome: Outcome) {
        let ended: DeciderSpec =
            switch outcome {
            case .completed: waiting.when(response: .paid)
            case .canceled: waiting.when(response: .givenUp)
            case .failed: waiting.when(response: .redirecting(to: .payment))
            case .expired:
                payment().ready().whenDue(.sessionLimit).when(response: .withSwishAndCard)
                    .whenDue(.sessionLimit)
            }
        ended.ended(outcome).isSettled().hasPending(effects: [])
        ended.when(.attempt(.swish(msisdn: nil))).then(rejected: .sessionEnded(outcome))
        ended.when(.abort(by: "payer")).then(rejected: .sessionEnded(outcome))
        ended.when(.retry(by: "payer")).then(rejected: .sessionEnded(outcome))
        ended.when(.open(.sample())).then(rejected: .alreadyOpen)
        ended.when(.returned(.original)).thenNothing()
        ended.when(.resumed).thenNothing()
        for timer in [SessionTimer.sessionLimit, .attemptLimit(number: 1)] {
            ended.after(.seconds(100_000)).when(.timerFired(timer)).thenNothing()
        }
        for request in ended.requests {
            ended.when(.starting(request.sent.id)).thenNothing()
            ended.when(.interrupted(request.sent.id, retryAt: ended.clock.now)).thenNothing()
            ended.when(
                .requestEnded(
                    request.sent.id,
                    .snapshot(.givenUp, status: 200),
                    durationMilliseconds: 1,
                    retryAt: ended.clock.now
                )
            ).thenNothing()
        }
        ended.when(.recordOperator(OperatorActed(by: "ops", action: "reveal")))
            .then(.operatorActed(OperatorActed(by: "ops", action: "reveal"))).ended(outcome)
    }

    @Test(.feature("N-16")) func `the end of a session withdraws its open client actions`() {
        let spec = payment().expanded(.swish(msisdn: nil)).when(response: .swishToLaunch)
            .when(response: .paid)
        #expect(spec.state.actions.map(\.status) == [.withdrawn])
        spec.when(client: .launched).then(rejected: .actionWithdrawn(spec.newestAction))
    }

    @Test(.guarantee(.boundedEverything)) func `the number of attempts is limited`() {
        var limits = SessionLimits()
        limits.attempts = 2
        var spec = payment(limits: limits).ready()
        for _ in 0..<2 {
            spec = spec.when(.attempt(.swish(msisdn: nil))).when(outcome: .refused(403))
                .when(response: .withSwishAndCard)
        }
        spec.when(.attempt(.swish(msisdn: nil)))
            .then(rejected: .limitReached("session.attempts"))
    }

    @Test func `a session at its limit of events sends nothing more, and still expires`() {
        var limits = SessionLimits()
        limits.events = 20
        var spec = payment(limits: limits).expanded(SwishTests.elsewhere)
            .when(response: .swishUnderWay)
        while spec.state.sequence < 20 { spec = spec.when(response: .swishUnderWay) }
        spec.hasNoPendingRequest().isSettled()
        spec.when(.retry(by: "payer")).then(rejected: .limitReached("session.events"))
        spec.whenDue(.attemptLimit(number: 1)).whenDue(.sessionLimit).ended(.expired)
    }
}
