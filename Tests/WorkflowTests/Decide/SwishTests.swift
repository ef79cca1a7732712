import EventLog
import SwedbankPay
import TestSupport
import Testing
import WorkflowTesting

@Suite struct SwishTests {
    static let here = ChoiceRequest.swish(msisdn: nil)
    static let elsewhere = ChoiceRequest.swish(msisdn: .sample("+46739000001"))

    /// A payment whose Swish app is about to be opened.
    var launching: DeciderSpec { payment().expanded(Self.here).when(response: .swishToLaunch) }

    /// A payment that waits for Swish on another device.
    var waiting: DeciderSpec { payment().expanded(Self.elsewhere).when(response: .swishUnderWay) }

    @Test func `R19: an attempt first expands its method`() {
        payment().ready().when(.attempt(Self.here)).then(.attemptStarted(1, .swish(msisdn: nil)))
            .hasPending(
                .expandMethod,
                sending: .method(.swish),
                in: .zero,
                to: .sample("expand-Swish")
            )
    }

    @Test(arguments: [nil, "+46739000001"])
    func `R18: an expanded method starts the attempt, with a number only for another device`(
        number: String?
    ) {
        let number = number.map { Sealed.sample($0) }
        payment().expanded(.swish(msisdn: number))
            .hasPending(.startPaymentAttempt, sending: .swishAttempt(msisdn: number), in: .zero)
    }

    @Test(.feature("N-09"))
    func `R17: the app on this device is requested with the callback URL`() {
        let spec = launching
        spec.then(types: "operationSucceeded", "fetched", "externalAppRequested").isSettled()
        #expect(
            spec.state.actions.map(\.kind)
                == [.launchApp(.launch(), callbackURL: "https://shop.example/pay?id=1")]
        )
        #expect(spec.state.actions.map(\.attempt) == [1])
    }

    @Test func `a link of another app contains no callback URL`() {
        var task = IntegrationTask.launch()
        task.scheme = "bankid"
        let spec = payment().expanded(Self.here).when(
            response: .running(.swish, .sample(.getPayment, next: true, tasks: [task]))
        )
        #expect(spec.state.actions.map(\.kind) == [.launchApp(task, callbackURL: nil)])
    }

    @Test(arguments: [
        "javascript", "file", "http", "data", "intent", "content", "tel", "sms", "view-source",
        "ms-settings", "", nil,
    ])
    func `a launch link with an unsafe or missing scheme is never given to a client`(
        scheme: String?
    ) {
        var task = IntegrationTask.launch()
        task.scheme = scheme
        let spec = payment().expanded(Self.here).when(
            response: .running(.swish, .sample(.getPayment, next: true, tasks: [task]))
        )
        #expect(spec.state.actions.isEmpty)
        #expect(spec.state.problem?.problem.kind == .inconsistency)
    }

    @Test func `F-28: the payment is polled before and after the app is reported as launched`() {
        launching.hasPending(.getPayment, in: .seconds(2), to: .sample("poll"))
        launching.when(client: .launched).then(.reported { .externalAppLaunched($0) })
            .hasPending(.getPayment).when(response: .paid)
            .then(.fetched(by: .getPayment), .completed(.redirectToCompleteURL)).ended(.completed)
            .isSettled()
    }

    @Test func `F-38: the app is requested once, and the client action stays open until a report`()
    {
        let spec = launching.when(response: .swishToLaunch).when(response: .swishToLaunch)
        #expect(spec.count("externalAppRequested") == 1)
        #expect(spec.state.actions.map(\.status) == [.open])
    }

    @Test func `a second app link in the same attempt replaces the first client action`() {
        let spec = launching.when(
            response: .running(
                .swish,
                .sample(.getPayment, at: "poll", next: true, tasks: [.launch("token-2")])
            )
        )
        spec.then(types: "fetched", "externalAppRequested")
        #expect(spec.state.actions.map(\.status) == [.withdrawn, .open])
    }

    @Test func `an app link that the PSP withdraws and offers again is requested again`() {
        let spec = launching.when(response: .swishUnderWay)
        #expect(spec.state.actions.map(\.status) == [.withdrawn])
        spec.when(response: .swishToLaunch).then(types: "fetched", "externalAppRequested")
    }

    @Test
    func `an app that could not be launched is reported to the PSP, which returns the problem`() {
        let failing = launching.when(client: .launchFailed)
        failing.then(.reported({ .externalAppLaunchFailed($0) }, error: nil))
            .hasPending(
                .failPaymentAttempt,
                sending: .clientFailure(.appLaunchFailed, errorCode: nil),
                in: .zero
            )
        let problem = SessionProblem.sample("paymentorders/clientapplaunchfailed")
        let failed = failing.when(response: Snapshot.withSwishAndCard.with(problem))
        failed.then(
            .succeeded(.failPaymentAttempt),
            .fetched(by: .failPaymentAttempt),
            .declined(isRetryable: true)
        )
        .hasPending(.acknowledgeFailedAttempt)
        #expect(failed.state.payment?.attempt == nil)
    }

    @Test func `an app that could not be launched is a problem if the PSP accepts no report of it`()
    {
        var snapshot = Snapshot.swishToLaunch
        snapshot.methods[0].operations.removeAll { $0.rel == .failPaymentAttempt }
        let failed = payment().expanded(Self.here).when(response: snapshot)
            .when(client: .launchFailed)
        failed.then(
            .reported({ .externalAppLaunchFailed($0) }, error: nil),
            .problem(
                .appLaunchFailed,
                origin: .client,
                isRetryable: true,
                actor: .payer
            )
        ).hasPending(.getPayment)
        #expect(failed.state.problem?.problem.kind == .appLaunchFailed)
        #expect(failed.state.problem?.problem.origin == .client)
        failed.when(.retry(by: "payer")).hasPending(.session).when(response: snapshot)
            .then(types: "fetched", "externalAppRequested")
    }

    @Test
    func `a failed launch is reported three times at most if the PSP keeps offering the app`() {
        var spec = launching.when(client: .launchFailed)
        for _ in 0..<3 {
            spec = spec.hasPending(.failPaymentAttempt).when(response: .swishToLaunch)
        }
        spec.hasNoPendingRequest().isSettled()
        #expect(spec.state.problem?.problem.kind == .inconsistency)
        #expect(spec.count(.failPaymentAttempt) == 3)
    }

    @Test func `Swish on another device is polled without any client action`() {
        waiting.then(.succeeded(.startPaymentAttempt), .fetched(by: .startPaymentAttempt))
            .hasPending(
                .getPayment,
                in: .seconds(2)
            )
            .isSettled(false)
        #expect(waiting.state.actions.isEmpty)
        waiting.when(response: .paid).then(
            .fetched(by: .getPayment),
            .completed(.redirectToCompleteURL)
        ).ended(.completed)
    }

    @Test func `F-02: a second attempt is refused while one is running`() {
        let refusal = Rejection.attemptRunning(number: 1, .swish)
        payment().ready().when(.attempt(Self.here)).when(.attempt(Self.here))
            .then(rejected: refusal)
        waiting.when(.attempt(.card(rank: 1))).then(rejected: refusal)
        waiting.whenRequestLeaves().when(.attempt(Self.here)).then(rejected: refusal)
    }

    @Test func `F-02: a return or an abort during a poll makes no second chain of requests`() {
        let polling = waiting.whenRequestLeaves()
        let sent = polling.requests[polling.requests.count - 1].sent
        let returned = polling.when(.returned(.augmented))
        // The read in progress is the one that the return needs.
        returned.hasPending(.getPayment, in: .zero)
        #expect(returned.decider.pendingEffects(of: returned.state).requests.map(\.id) == [sent.id])
        let aborting = polling.when(.abort(by: "payer")).hasPending(.abortPayment)
            .whenRequestLeaves()
        aborting.when(
            .requestEnded(
                sent.id,
                .snapshot(.paid, status: 200),
                durationMilliseconds: 1,
                retryAt: aborting.clock.now
            )
        ).thenNothing()
    }

    @Test func `F-05: a method's own get-payment is polled with the same pause`() {
        let spec = payment().ready().when(.attempt(Self.here))
            .when(response: .running(.swish, .sample(.getPayment, at: "poll")))
        spec.hasPending(.getPayment, in: .seconds(2), to: .sample("poll"))
        spec.when(response: .running(.swish, .sample(.getPayment, at: "poll")))
            .hasPending(.getPayment, in: .seconds(2))
    }
}
