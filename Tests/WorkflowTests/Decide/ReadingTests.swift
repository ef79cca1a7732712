import EventLog
import SwedbankPay
import Testing
import Workflow
import WorkflowTesting

@Suite struct ReadingTests {
    var opening: DeciderSpec { payment().when(.open(.sample())) }
    var waiting: DeciderSpec {
        payment().expanded(SwishTests.elsewhere).when(answer: .swishUnderWay)
    }
    let garbage = ProviderAnswer.Outcome.undecodable(status: 200, raw: .sample("<html>"))

    @Test func `R0: after an empty answer the session is read at once`() {
        opening.when(answer: .unprepared).when(outcome: .empty(status: 204))
            .then(types: "operationSucceeded").hasPending(.session, in: .zero)
            .when(answer: .withSwish).then(types: "fetched", "methodsOffered")
    }

    @Test
    func `R1, F-07: an answer that can't be read is kept, and the session read once by ourselves`()
    {
        let first = opening.when(outcome: garbage)
        first.then(
            .operationSucceeded(
                OperationSucceeded(
                    effect: EffectID(rawValue: "r-1"),
                    rel: .session,
                    status: 200,
                    durationMilliseconds: 50,
                    content: .undecodable(raw: .sample("<html>"))
                )
            )
        ).hasPending(.session, in: .seconds(2)).isSettled(false)
        first.when(answer: .unprepared).hasPending(.preparePayment)
        let second = first.when(outcome: garbage)
        second.then(types: "operationSucceeded", "problem").hasNoPendingRequest().isSettled()
        #expect(second.state.problem?.problem.isRetryable == true)
        second.when(.retry(by: "operator")).hasPending(.session, in: .zero)
            .when(answer: .unprepared).hasPending(.preparePayment)
    }

    @Test func `R1: an unreadable answer to a poll does not end the payment`() {
        waiting.when(outcome: garbage).hasPending(.session, in: .seconds(2)).when(answer: .paid)
            .ended(.completed)
    }

    @Test func `an empty answer to reading is no answer: it is read once more, then a problem`() {
        opening.when(outcome: .empty(status: 204)).hasPending(.session, in: .seconds(2))
            .when(outcome: .empty(status: 204))
            .then(types: "operationSucceeded", "problem").hasNoPendingRequest()
    }

    @Test func `F-10: a 409 on reading is read once more, then a problem`() {
        for spec in [opening, waiting] {
            let once = spec.when(outcome: .refused(409)).then(types: "operationFailed")
                .hasPending(.session, in: .seconds(1))
            let twice = once.when(outcome: .refused(409))
            twice.then(types: "operationFailed", "problem").hasNoPendingRequest().isSettled()
            #expect(twice.state.problem?.problem.kind == .requestFailed)
        }
    }

    @Test func `a session that the PSP does not know any more has expired, if nothing is running`()
    {
        payment().ready().when(.returned(.original)).when(outcome: .refused(404))
            .then(types: "operationFailed", "expired").ended(.expired)
        payment().ready().when(.returned(.original)).when(outcome: .refused(410))
            .ended(.expired)
    }

    @Test func `a running attempt is not ended by a session that can't be found`() {
        let spec = waiting.when(.retry(by: "nobody")).then(rejected: .nothingToRetry)
            .when(outcome: .notSent).hasPending(.session).when(outcome: .refused(404))
        spec.then(types: "operationFailed", "problem").ended(nil).isSettled()
        #expect(spec.state.payment?.attempt?.number == 1)
        spec.when(.returned(.original)).when(answer: .paid).ended(.completed)
    }

    @Test func `a reading that nobody answered can be done again, whatever made it fail`() {
        let outcome = ProviderAnswer.Outcome.failed(
            reach: .answered,
            code: "http.too-large",
            isTransient: false
        )
        let stuck = waiting.when(outcome: outcome).hasNoPendingRequest().isSettled()
        #expect(stuck.state.problem?.problem.isRetryable == true)
        stuck.when(.retry(by: "operator")).hasPending(.session).when(answer: .paid).ended(
            .completed
        )
    }

    @Test func `a session that was never there is a failed request`() {
        let spec = opening.when(outcome: .refused(404))
        spec.then(types: "operationFailed", "problem").ended(nil).isSettled()
        spec.when(.retry(by: "operator")).then(rejected: .nothingToRetry)
        // Even then it is read once more before it expires; an unread session may be paid.
        let last = spec.whenDue(.sessionLimit).hasPending(.session).when(outcome: .refused(404))
        let expired = last.whenDue(.sessionLimit).ended(.expired)
        #expect(expired.state.money.standing == .unknown)
    }

    @Test(arguments: [401, 403])
    func `a reading that is refused while the payer chooses is told once, and choosing reads again`(
        status: Int
    ) {
        let spec = payment().ready().when(.returned(.original))
            .when(outcome: .refused(status))
        spec.then(types: "operationFailed", "problem").hasNoPendingRequest().isSettled()
        spec.when(.attempt(.swish(msisdn: nil))).then(types: "attemptStarted")
            .hasPending(.session, in: .zero).when(answer: .withSwishAndCard).hasPending(
                .expandMethod
            )
    }

    @Test(arguments: [ProviderAnswer.Outcome.notSent, .lost, .refused(502), .refused(429)])
    func `a reading that fails is tried again at its time, six times at most`(
        outcome: ProviderAnswer.Outcome
    ) {
        var spec = opening
        for _ in 0..<5 {
            spec = spec.when(outcome: outcome, retryIn: .milliseconds(700))
            spec.then(types: "operationFailed").hasPending(.session, in: .milliseconds(700))
        }
        spec = spec.when(outcome: outcome)
        spec.then(types: "operationFailed", "problem").hasNoPendingRequest().isSettled()
        #expect(spec.state.problem?.problem.isRetryable == true)
        #expect(spec.requests.map(\.call.tryNumber) == [1, 2, 3, 4, 5, 6])
    }

    @Test func `after giving up, a return, a report or an attempt makes the session go on`() {
        let polling = payment().expanded(.swish(msisdn: nil)).when(answer: .swishToLaunch)
        var down = polling
        for _ in 0..<6 { down = down.when(outcome: .lost) }
        down.hasNoPendingRequest().isSettled()
        let launched = down.when(client: .launched)
        launched.hasPending(.session, in: .zero)
        #expect(launched.state.problem == nil)
        down.when(.returned(.original)).hasPending(.session, in: .zero).when(answer: .paid)
            .ended(.completed)
        down.when(.retry(by: "payer")).hasPending(.session, in: .zero)
    }

    @Test func `a challenge that is finished while the PSP was out of reach is handed in`() {
        let shown = payment().expanded(.card(rank: 1)).when(
            answer: .running(
                .creditCard,
                .sample(.completeAuthentication, next: true, tasks: [.challenge()]),
                .sample(.getPayment, at: "poll", next: true)
            )
        )
        var down = shown
        for _ in 0..<6 { down = down.when(outcome: .lost) }
        down.hasNoPendingRequest()
        let view = Snapshot.running(
            .creditCard,
            .sample(.completeAuthentication, next: true, tasks: [.challenge()]),
            .sample(.getPayment, at: "poll", next: true)
        )
        down.when(client: .challengeCompleted(cRes: .sample("cres"))).hasPending(.session)
            .when(answer: view)
            .hasPending(.completeAuthentication, sending: .challengeResult(cRes: .sample("cres")))
    }

    @Test func `a return looks at the running attempt by its own link, without one at the session`()
    {
        waiting.when(.returned(.original)).then(.returned(Returned(form: .original)))
            .hasPending(.getPayment, in: .zero, to: .sample("poll"))
        payment().ready().when(.returned(.customScheme))
            .hasPending(.session, in: .zero, to: .sample("session"))
    }

    @Test func `a return counts as the launch of the app that it comes from`() {
        let spec = payment().expanded(.swish(msisdn: nil)).when(answer: .swishToLaunch)
            .when(.returned(.augmented))
        #expect(spec.state.actions.map(\.status) == [.answered(.launched)])
        spec.when(client: .launched).thenNothing()
        spec.when(client: .launchFailed).then(rejected: .actionAnswered(spec.newestAction))
    }

    @Test func `an address that is not the payment URL is refused, before and after the end`() {
        waiting.when(.returned(nil)).then(rejected: .notThisPaymentURL)
        waiting.when(answer: .paid).when(.returned(nil)).then(rejected: .notThisPaymentURL)
    }

    @Test func `a callback of the PSP makes the engine look, also after it gave up`() {
        let called = SessionEvent.callbackReceived(CallbackReceived(digest: .zero))
        payment().ready().given(called).hasPending(.session, in: .zero)
        var down = waiting
        for _ in 0..<6 { down = down.when(outcome: .lost) }
        down.given(called).hasPending(.session, in: .zero)
    }

    @Test func `F-03: an answer of an older request, or to a request nobody made, changes nothing`()
    {
        let answer = ProviderAnswer.Outcome.snapshot(.withCard, status: 200)
        for spec in [opening, payment().ready(), waiting, waiting.when(answer: .paid)] {
            for effect in ["r-0", "r-1000", "e-0", "e-1000", ""] {
                spec.when(
                    .answered(
                        EffectID(rawValue: effect),
                        answer,
                        durationMilliseconds: 1,
                        retryAt: spec.clock.now
                    )
                ).thenNothing()
            }
        }
        let ready = payment().ready()
        for number in 0...9 {
            ready.when(
                .answered(
                    EffectID(rawValue: "r-\(number)"),
                    .refused(404),
                    durationMilliseconds: 1,
                    retryAt: ready.clock.now
                )
            ).thenNothing()
        }
    }
}
