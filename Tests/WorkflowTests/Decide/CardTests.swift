import EventLog
import SwedbankPay
import TestSupport
import Testing
import WorkflowTesting

@Suite struct CardTests {
    static let request = ChoiceRequest.card(rank: 1)

    func started(_ snapshot: Snapshot) -> DeciderSpec {
        payment().expanded(Self.request).when(response: snapshot)
    }

    func authenticating(
        method: String? = nil,
        preset: String? = nil,
        notification: Bool = true
    ) -> DeciderSpec {
        started(
            .running(
                .creditCard,
                .authentication(method: method, preset: preset, notification: notification)
            )
        )
    }

    static func handingIn(_ indicator: CompletionIndicator) -> OperationBody {
        .authentication(indicator: indicator, notificationURL: .sample("notification"))
    }

    @Test(.feature("N-13"))
    func `a saved card pays with the token of its rank, not of its index in the list`() {
        payment().expanded(.card(rank: 2)).hasPending(
            .startPaymentAttempt,
            sending: .cardAttempt(token: .sample("token-of-card-2"))
        )
    }

    @Test func `a card rank or a method that is not offered is refused`() {
        payment().ready().when(.attempt(.card(rank: 3)))
            .then(rejected: .prefillNotOffered(rank: 3, offered: [1, 2]))
        payment().ready(.withSwish).when(.attempt(.card(rank: 1)))
            .then(rejected: .methodNotOffered(.card, offered: [.swish]))
        payment().ready(.withCard).when(.attempt(.swish(msisdn: nil)))
            .then(rejected: .methodNotOffered(.swish, offered: [.card, .newCard]))
    }

    @Test func `a frictionless card payment is polled until it is paid`() {
        started(.cardUnderWay).hasPending(.getPayment, in: .seconds(2)).when(response: .paid)
            .ended(.completed)
        started(.paid).then(
            .succeeded(.startPaymentAttempt),
            .fetched(by: .startPaymentAttempt),
            .completed(.redirectToCompleteURL)
        )
        .ended(.completed)
    }

    @Test(
        .feature("N-14"),
        arguments: [
            (ReportOutcome.done, CompletionIndicator.completed), (.failed(error: nil), .failed),
        ]
    )
    func `R13: the result of the 3-D Secure method is sent with create-authentication`(
        report: ReportOutcome,
        indicator: CompletionIndicator
    ) {
        let asked = authenticating(method: "data-1", preset: "U")
        asked.then(types: "operationSucceeded", "fetched", "threeDSMethodRequested")
            .hasNoPendingRequest().isSettled()
        asked.when(client: report).then(
            .onAction {
                .threeDSMethodCompleted(
                    ThreeDSMethodCompleted(action: $0, indicator: indicator)
                )
            }
        )
        .hasPending(.createAuthentication, sending: Self.handingIn(indicator), in: .zero)
    }

    @Test func `R13: after ten seconds without a report the 3-D Secure method's result is unknown`()
    {
        let asked = authenticating(method: "data-1", preset: "Y")
        let late = asked.whenDue(.methodLimit(asked.newestAction))
        #expect(late.clock.now == asked.clock.now + .seconds(10))
        late.then(
            .threeDSMethodCompleted(
                ThreeDSMethodCompleted(
                    action: asked.newestAction,
                    indicator: .unknown,
                    timedOut: true
                )
            )
        )
        .hasPending(.createAuthentication, sending: Self.handingIn(.unknown))
    }

    @Test(
        arguments: [
            ("Y", CompletionIndicator.completed), ("N", .failed), ("U", .unknown), ("?", .unknown),
            (nil, .unknown),
        ] as [(String?, CompletionIndicator)]
    )
    func `F-13: without a 3-D Secure method the preset indicator is sent, otherwise unknown`(
        preset: String?,
        indicator: CompletionIndicator
    ) {
        authenticating(preset: preset)
            .hasPending(.createAuthentication, sending: Self.handingIn(indicator))
    }

    @Test func `a 3-D Secure method without a URL is skipped`() {
        var operation = Operation.authentication(method: "data-1", preset: "N")
        operation.tasks[0].href = nil
        started(.running(.creditCard, operation))
            .then(.succeeded(.startPaymentAttempt), .fetched(by: .startPaymentAttempt))
            .hasPending(.createAuthentication, sending: Self.handingIn(.failed))
    }

    @Test
    func `an authentication without a notification URL is a problem; a retry reads again`() {
        let spec = authenticating(notification: false)
        spec.then(
            .succeeded(.startPaymentAttempt),
            .fetched(by: .startPaymentAttempt),
            .problem(
                .inconsistency,
                code: "no-notification-url",
                isRetryable: true,
                actor: .psp
            )
        ).hasNoPendingRequest()
            .isSettled()
        #expect(spec.state.problem?.problem.kind == .inconsistency)
        spec.when(.retry(by: "operator")).hasPending(.session)
            .when(response: .running(.creditCard, .authentication(preset: "Y")))
            .hasPending(.createAuthentication, sending: Self.handingIn(.completed))
    }

    @Test
    func `R15: a challenge is shown with its notification URL, and its result is sent once`() {
        let shown = authenticating(preset: "Y").when(response: .challenging())
        shown.then(types: "operationSucceeded", "fetched", "threeDSRequested").isSettled()
        #expect(
            shown.state.actions.last?.kind
                == .show3DS(.challenge(), notificationURL: .sample("notification"))
        )
        shown.hasNoPendingRequest().when(client: .shown).then(.reported { .threeDSShown($0) })
            .isSettled()
        let done = shown.when(client: .challengeCompleted(cRes: .sample("cres")))
        done.then(
            .onAction { .threeDSCompleted(ThreeDSCompleted(action: $0, cRes: .sample("cres"))) }
        )
        .hasPending(
            .completeAuthentication,
            sending: .challengeResult(cRes: .sample("cres")),
            in: .zero
        )
        done.when(response: .paid).ended(.completed)
        let waiting = done.when(response: .cardUnderWay).hasPending(.getPayment)
        #expect(waiting.count(.completeAuthentication) == 1)
    }

    @Test func `with both a 3-D Secure method and a challenge, each is requested once`() {
        let spec = authenticating(method: "data-1").when(client: .done)
            .when(response: .challenging())
            .when(client: .challengeCompleted(cRes: .sample("cres"))).when(response: .paid)
        spec.ended(.completed)
        #expect(spec.count("threeDSMethodRequested") == 1)
        #expect(spec.count("threeDSRequested") == 1)
        #expect(spec.count(.createAuthentication) == 1)
        #expect(spec.count(.completeAuthentication) == 1)
    }

    @Test
    func
        `F-19: in a second attempt the same challenge is requested and its result sent again`()
    {
        let first = authenticating(preset: "Y").when(response: .challenging())
            .when(client: .challengeCompleted(cRes: .sample("cres")))
            .when(response: Snapshot.withSwishAndCard.with(.sample()))
            .when(outcome: .empty(status: 204)).when(response: .withSwishAndCard)
        let second = first.when(.attempt(Self.request))
            .when(response: Snapshot.withSwishAndCard.expanding(.creditCard))
            .when(response: .challenging())
        second.then(types: "operationSucceeded", "fetched", "threeDSRequested")
        second.when(client: .challengeCompleted(cRes: .sample("cres")))
            .hasPending(.completeAuthentication, sending: .challengeResult(cRes: .sample("cres")))
    }

    @Test func `F-18: a 3-D Secure method without data is distinguished from a later one`() {
        var bare = Operation.authentication(method: "data-1")
        bare.tasks[0].expects = []
        let first = started(.running(.creditCard, bare)).when(client: .failed(error: nil))
            .hasPending(.createAuthentication, sending: Self.handingIn(.failed))
        let second = first.when(
            response: .running(.creditCard, .authentication(method: "data-2"))
        )
        second.then(types: "operationSucceeded", "fetched", "threeDSMethodRequested")
    }

    @Test
    func `F-16: a challenge that did not load is a problem, and a retry requests it again`() {
        let failed = authenticating(preset: "Y").when(response: .challenging())
            .when(client: .failed(error: .plain("timeout")))
        failed.then(
            .reported({ .threeDSLoadFailed($0) }, error: "timeout"),
            .problem(
                .threeDSLoadFailed,
                origin: .client,
                detail: "timeout",
                isRetryable: true,
                actor: .payer
            )
        ).hasNoPendingRequest().isSettled()
        #expect(failed.state.problem?.problem.kind == .threeDSLoadFailed)
        #expect(failed.state.problem?.problem.origin == .client)
        let again = failed.when(.retry(by: "payer")).then(
            .exactly(.retryRequested(RetryRequested(by: "payer")))
        )
        .hasPending(.session).when(response: .challenging())
        again.then(types: "fetched", "threeDSRequested")
        #expect(again.state.problem == nil)
        again.when(client: .challengeCompleted(cRes: .sample("cres")))
            .hasPending(.completeAuthentication)
    }

    @Test func `F-16: an abandoned challenge has a time limit, and a late result is still sent`() {
        let late = authenticating(preset: "Y").when(response: .challenging())
            .whenDue(.attemptLimit(number: 1))
        late.then(
            .payerTooLate
        ).hasPending(.session).when(response: .challenging())
            .hasNoPendingRequest()
        // The result may still come; then the payment continues, with a new time limit.
        late.when(response: .challenging())
            .when(client: .challengeCompleted(cRes: .sample("cres")))
            .hasPending(.completeAuthentication).when(response: .cardUnderWay).hasPending(
                .getPayment
            )
    }

    @Test func `F-16: after a closed challenge the session is read, then the PSP gets a report`() {
        let closed = authenticating(preset: "Y").when(response: .challenging()).when(
            client: .canceled
        )
        closed.then(.reported { .threeDSClosed($0) }).hasPending(.session)
        let told = closed.when(response: .challenging())
        told.hasPending(
            .failPaymentAttempt,
            sending: .clientFailure(.userCancelled, errorCode: nil)
        )
        // The issuer may have responded before.
        closed.when(response: .paid).ended(.completed)
        told.when(.report(ActionReport(action: told.newestAction, outcome: .canceled)))
            .thenNothing()
    }

    @Test
    func `F-16: a closed challenge that the PSP accepts no report of is shown again on retry`() {
        var view = Snapshot.challenging()
        view.methods[0].operations.removeAll { $0.rel == .failPaymentAttempt }
        let closed = authenticating(preset: "Y").when(response: view).when(client: .canceled)
            .when(response: view)
        closed.then(
            .fetched(by: .session, changed: false),
            .problem(
                .challengeClosed,
                origin: .client,
                isRetryable: true,
                actor: .payer
            )
        ).isSettled()
        #expect(closed.state.problem?.problem.kind == .challengeClosed)
        #expect(closed.state.payment?.attempt?.number == 1)
        closed.when(.retry(by: "payer")).hasPending(.session).when(response: view)
            .then(types: "fetched", "threeDSRequested")
    }

    @Test func `F-17: a challenge without a result ends neither the session nor the attempt`() {
        let spec = authenticating(preset: "Y").when(response: .challenging())
            .when(client: .failed(error: nil))
        spec.ended(nil)
        #expect(spec.state.payment?.attempt?.number == 1)
    }

    @Test func `a challenge without a URL is a problem`() {
        var task = IntegrationTask.challenge()
        task.href = nil
        let spec = started(
            .running(.creditCard, .sample(.completeAuthentication, next: true, tasks: [task]))
        )
        #expect(spec.state.problem?.problem.kind == .inconsistency)
        #expect(spec.state.actions.isEmpty)
    }

    @Test func `create-authentication is sent three times at most if the PSP keeps offering it`() {
        var spec = authenticating(preset: "Y")
        let same = Snapshot.running(.creditCard, .authentication(preset: "Y"))
        spec = spec.when(response: same).hasPending(.createAuthentication, in: .seconds(2))
        spec = spec.when(response: same).hasPending(.createAuthentication, in: .seconds(2))
        spec = spec.when(response: same).hasNoPendingRequest().isSettled()
        #expect(spec.state.problem?.problem.kind == .inconsistency)
        #expect(spec.count(.createAuthentication) == 3)
    }
}
