import EventLog
import SwedbankPay
import TestSupport
import Testing
import Workflow
import WorkflowTesting

/// The PSP never receives two starts for one attempt.
@Suite(.guarantee(.noDoublePay)) struct UnknownOutcomeTests {
    let opened = Snapshot.withSwishAndCard.expanding(.swish)
    var starting: DeciderSpec { payment().expanded(SwishTests.elsewhere) }

    @Test(arguments: [
        ProviderResponse.Outcome.lost, .refused(500), .refused(503), .refused(409), .refused(408),
        .failed(reach: .maybeSent, code: "http.tls", isTransient: false),
        .failed(reach: .responded, code: "http.too-large", isTransient: false),
    ])
    func `F-09: after an unknown outcome the session is read before anything else`(
        outcome: ProviderResponse.Outcome
    ) {
        let unknown = starting.when(outcome: outcome)
        unknown.then(.failed(.startPaymentAttempt, retries: true)).hasPending(
            .session,
            in: .seconds(1)
        ).isSettled(
            false
        )
        #expect(unknown.state.payment?.attempt?.number == 1)
        // Still offered: the first had no effect.
        let again = unknown.when(response: opened).hasPending(.startPaymentAttempt)
        again.when(response: .swishUnderWay).hasPending(.getPayment)
    }

    @Test func `F-09: an attempt that the PSP shows as begun is never started again`() {
        let unknown = starting.when(outcome: .lost)
        for view in [
            Snapshot.swishUnderWay, .swishToLaunch,
            .running(.swish, .sample(.getPayment, at: "poll")),
        ] {
            let spec = unknown.when(response: view)
            #expect(spec.state.payment?.attempt?.isStarted == true)
            spec.hasPending(.getPayment)
            #expect(spec.count(.startPaymentAttempt) == 1)
        }
        unknown.when(response: .paid).ended(.completed)
    }

    @Test func `F-09: an attempt with a get-payment has begun even if its start is still offered`()
    {
        var view = Snapshot.withSwishAndCard.expanding(.swish)
        view.methods[0].operations.append(.sample(.getPayment, at: "poll", next: true))
        let spec = starting.when(outcome: .lost).when(response: view)
        spec.hasPending(.getPayment)
        #expect(spec.state.payment?.attempt?.isStarted == true)
    }

    @Test
    func `F-09: after a retry an attempt whose start was lost has begun if the PSP shows one`() {
        let retried = starting.when(outcome: .lost).when(.retry(by: "payer"))
        retried.then(.exactly(.retryRequested(RetryRequested(by: "payer")))).hasPending(
            .session,
            in: .zero
        )
        let spec = retried.when(response: .swishUnderWay)
        #expect(spec.state.payment?.attempt?.isStarted == true)
        // Only another method is visible: the method is not switched during an attempt.
        let elsewhere = retried.when(response: .cardUnderWay)
        #expect(elsewhere.state.payment?.attempt?.isStarted == true)
        elsewhere.hasPending(.getPayment)
    }

    @Test func `a failed attempt whose start was lost is recorded, and not started again`() {
        let problem = SessionProblem.sample("swish/swishdeclined")
        let spec = starting.when(outcome: .lost).when(response: opened.with(problem))
        spec.then(.fetched(by: .session), .declined()).hasPending(.acknowledgeFailedAttempt)
        #expect(spec.state.payment?.attempt == nil)
        let after = spec.when(outcome: .empty(status: 204)).when(response: opened)
        #expect(spec.count(.startPaymentAttempt) == 1)
        // The lost request may still be on its way: until it no longer can be, its outcome is
        // unknown.
        #expect(after.state.money.standing == .unknown)
        let resolved = after.hasPending(.session, in: .milliseconds(58_800)).when(response: opened)
        #expect(resolved.state.money.standing == .intended)
        resolved.hasNoPendingRequest().isSettled()
    }

    @Test func `a request of a process that died has an unknown outcome and is reconciled`() {
        let left = starting.whenRequestLeaves()
        let id = left.requests[left.requests.count - 1].sent.id
        let dead = left.when(.interrupted(id, retryAt: left.clock.now + .seconds(1)))
        // As long as the request could take, plus five seconds.
        dead.then(types: "operationFailed").hasPending(.session, in: .seconds(15))
        dead.when(response: .swishUnderWay).hasPending(.getPayment)
        dead.when(response: opened).hasPending(.startPaymentAttempt)
        // A late response has no effect.
        dead.when(
            .requestEnded(
                id,
                .snapshot(.paid, status: 200),
                durationMilliseconds: 1,
                retryAt: dead.clock.now
            )
        ).thenNothing()
        left.when(.interrupted(EffectID(rawValue: "e-99"), retryAt: left.clock.now)).thenNothing()
    }

    @Test func `a retry does not send a request again that may still take effect at the PSP`() {
        let left = starting.whenRequestLeaves()
        let id = left.requests[left.requests.count - 1].sent.id
        let dead = left.after(.milliseconds(200))
            .when(.interrupted(id, retryAt: left.clock.now + .seconds(1)))
        dead.hasPending(.session, in: .milliseconds(14_800))
        let hasty = dead.when(.retry(by: "payer")).hasPending(.session, in: .zero).when(
            response: opened
        )
        hasty.hasPending(.session, in: .milliseconds(14_750))
        #expect(hasty.count(.startPaymentAttempt) == 1)
        hasty.when(response: opened).hasPending(.startPaymentAttempt)
    }

    @Test(arguments: [ProviderResponse.Outcome.notSent, .refused(429)])
    func `a request that certainly had no effect is sent again unchanged at its retry time`(
        outcome: ProviderResponse.Outcome
    ) {
        let spec = starting.when(outcome: outcome, retryIn: .seconds(7))
        spec.then(.failed(.startPaymentAttempt, retries: true)).hasPending(
            .startPaymentAttempt,
            in: .seconds(7)
        )
        let second = spec.when(response: .swishUnderWay)
        second.hasPending(.getPayment)
        #expect(second.requests.map(\.sent.tryNumber).suffix(2) == [1, 2])
        #expect(Set(second.requests.map(\.sent.id)).count == second.requests.count)
    }

    @Test(arguments: [400, 401, 403, 404, 422])
    func `F-33: a refusal is a problem with the PSP's texts, not repeated, and the methods stay`(
        status: Int
    ) {
        let spec = starting.when(outcome: .refused(status, .sample("something")))
        spec.then(.failed(.startPaymentAttempt), .refused(.startPaymentAttempt, actor: .merchant))
            .hasPending(.session, in: .zero)
        let problem = spec.state.problem?.problem
        #expect(problem?.kind == .requestFailed)
        #expect(problem?.type == ProblemCatalogue.typePrefix + "something")
        #expect(problem?.title == .plain("A title"))
        #expect(problem?.detail == .plain("A detail"))
        #expect(problem?.status == status)
        #expect(spec.state.payment?.attempt == nil)
        let ready = spec.when(response: opened).hasNoPendingRequest().isSettled()
        #expect(ready.count("problem") == 1)
        ready.when(.attempt(.card(rank: 1))).hasPending(.expandMethod)
    }

    @Test func `a request to a host that is not allowed is a problem at once`() {
        let refusal = ProviderResponse.Outcome.failed(
            reach: .notSent,
            code: "http.host-not-allowed",
            isTransient: false
        )
        let spec = starting.when(outcome: refusal)
        spec.then(
            .failed(.startPaymentAttempt),
            .problem(
                .requestFailed,
                code: "http.host-not-allowed",
                rel: .startPaymentAttempt,
                isRetryable: false,
                actor: .psp
            )
        )
        #expect(spec.state.problem?.problem.code == "http.host-not-allowed")
        #expect(spec.state.problem?.problem.isRetryable == false)
        #expect(spec.state.payment?.attempt == nil)
    }

    @Test(.feature("N-31"))
    func `a failing request is a problem after six tries, and a retry sends it again`() {
        var spec = starting
        for _ in 0..<6 { spec = spec.when(outcome: .notSent, retryIn: .milliseconds(250)) }
        spec.then(
            .failed(.startPaymentAttempt, try: 6, retries: true),
            .problem(
                .requestFailed,
                code: "http.connect",
                rel: .startPaymentAttempt,
                isRetryable: true,
                actor: .psp
            )
        ).hasNoPendingRequest().isSettled()
        #expect(spec.state.problem?.problem.kind == .requestFailed)
        #expect(spec.state.problem?.problem.isRetryable == true)
        #expect(spec.count(.startPaymentAttempt) == 6)
        spec.when(.retry(by: "payer")).hasPending(.session, in: .zero).when(response: opened)
            .hasPending(.startPaymentAttempt, in: .zero)
        spec.when(.attempt(.card(rank: 1))).then(rejected: .attemptRunning(number: 1, .swish))
    }

    @Test(arguments: [(SwishTests.elsewhere, 3), (CardTests.request, 4)])
    func `F-12: card requests are retried for a longer period than Swish requests`(
        request: ChoiceRequest,
        tries: Int
    ) {
        var spec = payment().expanded(request)
        while spec.state.problem == nil, spec.count(.startPaymentAttempt) < 10 {
            spec = spec.when(outcome: .notSent, retryIn: .seconds(10))
        }
        #expect(spec.count(.startPaymentAttempt) == tries)
    }

    @Test func `an attempt whose start got a response without a snapshot has begun`() {
        for outcome in [
            ProviderResponse.Outcome.empty(status: 204),
            .undecodable(status: 200, raw: .sample("<html>")),
        ] {
            let spec = starting.when(outcome: outcome)
            spec.hasPending(.session)
            let looked = spec.when(response: opened)
            #expect(looked.count(.startPaymentAttempt) == 1)
            #expect(looked.state.payment?.attempt?.isStarted == true)
            looked.hasPending(.session)
        }
    }
}
