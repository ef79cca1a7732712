import EventLog
import SwedbankPay
import Testing
import Workflow
import WorkflowTesting

@Suite struct ReadingTests {
    var opening: DeciderSpec { payment().when(.open(.sample())) }
    var waiting: DeciderSpec {
        payment().expanded(SwishTests.elsewhere).when(response: .swishUnderWay)
    }
    let garbage = ProviderResponse.Outcome.undecodable(status: 200, raw: .sample("<html>"))

    @Test func `R0: after an empty response the session is read at once`() {
        opening.when(response: .unprepared).when(outcome: .empty(status: 204))
            .then(.succeeded(.preparePayment)).hasPending(.session, in: .zero)
            .when(response: .withSwish).then(.fetched(by: .session), .methodsOffered(.sampleSwish))
    }

    @Test
    func `R1, F-07: an undecodable response is kept, and the session is read once more`() {
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
        first.when(response: .unprepared).hasPending(.preparePayment)
        let second = first.when(outcome: garbage)
        second.then(
            .succeeded(.session),
            .responsesUnreadable
        ).hasNoPendingRequest().isSettled()
        #expect(second.state.problem?.problem.isRetryable == true)
        second.when(.retry(by: "operator")).hasPending(.session, in: .zero)
            .when(response: .unprepared).hasPending(.preparePayment)
    }

    @Test func `R1: an undecodable response to a poll does not end the payment`() {
        waiting.when(outcome: garbage).hasPending(.session, in: .seconds(2)).when(response: .paid)
            .ended(.completed)
    }

    @Test
    func `after an empty response to a read, one more read follows; a second one is a problem`() {
        opening.when(outcome: .empty(status: 204)).hasPending(.session, in: .seconds(2))
            .when(outcome: .empty(status: 204))
            .then(
                .succeeded(.session),
                .responsesUnreadable
            ).hasNoPendingRequest()
    }

    @Test func `F-10: after a 409 on a read, one more read follows; a second 409 is a problem`() {
        for (spec, rel) in [(opening, Rel.session), (waiting, .getPayment)] {
            let once = spec.when(outcome: .refused(409)).then(.failed(rel, retries: true))
                .hasPending(.session, in: .seconds(1))
            let twice = once.when(outcome: .refused(409))
            twice.then(types: "operationFailed", "problem").hasNoPendingRequest().isSettled()
            #expect(twice.state.problem?.problem.kind == .requestFailed)
        }
    }

    @Test func `a session that the PSP no longer finds has expired if no attempt is running`() {
        payment().ready().when(.returned(.original)).when(outcome: .refused(404))
            .then(.failed(.session), .expired(.goneAtPSP)).ended(.expired)
        payment().ready().when(.returned(.original)).when(outcome: .refused(410))
            .ended(.expired)
    }

    @Test func `a 404 for the session does not end a running attempt`() {
        let spec = waiting.when(.retry(by: "nobody")).then(rejected: .nothingToRetry)
            .when(outcome: .notSent).hasPending(.session).when(outcome: .refused(404))
        spec.then(
            .failed(.session, try: 2),
            .refused(.session, isRetryable: true, actor: .merchant)
        ).ended(nil).isSettled()
        #expect(spec.state.payment?.attempt?.number == 1)
        spec.when(.returned(.original)).when(response: .paid).ended(.completed)
    }

    @Test func `a read whose response is too large is a retryable problem`() {
        let outcome = ProviderResponse.Outcome.failed(
            reach: .responded,
            code: "http.too-large",
            isTransient: false
        )
        let stuck = waiting.when(outcome: outcome).hasNoPendingRequest().isSettled()
        #expect(stuck.state.problem?.problem.isRetryable == true)
        stuck.when(.retry(by: "operator")).hasPending(.session).when(response: .paid).ended(
            .completed
        )
    }

    @Test(arguments: [(404, MoneyState.Standing.none), (403, .unknown), (410, .unknown)])
    func `a session that the PSP does not have is a problem, and expires without money in doubt`(
        status: Int,
        money: MoneyState.Standing
    ) {
        let spec = opening.when(outcome: .refused(status))
        spec.then(.failed(.session), .refused(.session, actor: .merchant)).ended(nil).isSettled()
        spec.when(.retry(by: "operator")).then(rejected: .nothingToRetry)
        // It is read once more before it expires; one that was refused may be paid.
        let last = spec.whenDue(.sessionLimit).hasPending(.session).when(outcome: .refused(status))
        let expired = last.whenDue(.sessionLimit).ended(.expired)
        #expect(expired.state.money.standing == money)
    }

    @Test(arguments: [401, 403])
    func `a refused read before an attempt is a problem, and the attempt reads again`(
        status: Int
    ) {
        let spec = payment().ready().when(.returned(.original))
            .when(outcome: .refused(status))
        spec.then(.failed(.session), .refused(.session, actor: .merchant)).hasNoPendingRequest()
            .isSettled()
        spec.when(.attempt(.swish(msisdn: nil))).then(.attemptStarted(1, .swish(msisdn: nil)))
            .hasPending(.session, in: .zero).when(response: .withSwishAndCard).hasPending(
                .expandMethod
            )
    }

    @Test(arguments: [ProviderResponse.Outcome.notSent, .lost, .refused(502), .refused(429)])
    func `a failing read is repeated at its retry time, with six tries at most`(
        outcome: ProviderResponse.Outcome
    ) {
        var spec = opening
        for number in 1...5 {
            spec = spec.when(outcome: outcome, retryIn: .milliseconds(700))
            spec.then(.failed(.session, try: number, retries: true)).hasPending(
                .session,
                in: .milliseconds(700)
            )
        }
        spec = spec.when(outcome: outcome)
        spec.then(types: "operationFailed", "problem").hasNoPendingRequest().isSettled()
        #expect(spec.state.problem?.problem.isRetryable == true)
        #expect(spec.requests.map(\.sent.tryNumber) == [1, 2, 3, 4, 5, 6])
    }

    @Test
    func `after the last try failed, a return, a report or a retry reads the session at once`() {
        let polling = payment().expanded(.swish(msisdn: nil)).when(response: .swishToLaunch)
        var down = polling
        for _ in 0..<6 { down = down.when(outcome: .lost) }
        down.hasPending(.session, in: .seconds(11)).isSettled()
        let launched = down.when(client: .launched)
        launched.hasPending(.session, in: .zero)
        #expect(launched.state.problem == nil)
        down.when(.returned(.original)).hasPending(.session, in: .zero).when(response: .paid)
            .ended(.completed)
        down.when(.retry(by: "payer")).hasPending(.session, in: .zero)
    }

    @Test
    func `the result of a challenge that ends while the PSP is unreachable is sent after a read`() {
        let shown = payment().expanded(.card(rank: 1)).when(
            response: .running(
                .creditCard,
                .sample(.completeAuthentication, next: true, tasks: [.challenge()]),
                .sample(.getPayment, at: "poll", next: true)
            )
        )
        var down = shown
        for _ in 0..<6 { down = down.when(outcome: .lost) }
        down.hasPending(.session, in: .seconds(11)).isSettled()
        let view = Snapshot.running(
            .creditCard,
            .sample(.completeAuthentication, next: true, tasks: [.challenge()]),
            .sample(.getPayment, at: "poll", next: true)
        )
        down.when(client: .challengeCompleted(cRes: .sample("cres"))).hasPending(.session)
            .when(response: view)
            .hasPending(.completeAuthentication, sending: .challengeResult(cRes: .sample("cres")))
    }

    @Test func `a return polls the running attempt by its own link, or else reads the session`() {
        waiting.when(.returned(.original)).then(.returned(Returned(form: .original)))
            .hasPending(.getPayment, in: .zero, to: .sample("poll"))
        payment().ready().when(.returned(.customScheme))
            .hasPending(.session, in: .zero, to: .sample("session"))
    }

    @Test func `a return counts as the report that the app was launched`() {
        let spec = payment().expanded(.swish(msisdn: nil)).when(response: .swishToLaunch)
            .when(.returned(.augmented))
        #expect(spec.state.actions.map(\.status) == [.reported(.launched)])
        spec.when(client: .launched).thenNothing()
        spec.when(client: .launchFailed).then(rejected: .actionAlreadyReported(spec.newestAction))
    }

    @Test func `a return to another URL than the payment URL is refused, before and after the end`()
    {
        waiting.when(.returned(nil)).then(rejected: .notThisPaymentURL)
        waiting.when(response: .paid).when(.returned(nil)).then(rejected: .notThisPaymentURL)
    }

    @Test func `a callback leads to a read, even after the last try failed`() {
        let called = SessionEvent.callbackReceived(CallbackReceived(digest: .zero))
        payment().ready().given(called).hasPending(.session, in: .zero)
        var down = waiting
        for _ in 0..<6 { down = down.when(outcome: .lost) }
        down.given(called).hasPending(.session, in: .zero)
    }

    @Test func `F-03: a response to an older or an unknown request changes nothing`() {
        let response = ProviderResponse.Outcome.snapshot(.withCard, status: 200)
        for spec in [opening, payment().ready(), waiting, waiting.when(response: .paid)] {
            for effect in ["r-0", "r-1000", "e-0", "e-1000", ""] {
                spec.when(
                    .requestEnded(
                        EffectID(rawValue: effect),
                        response,
                        durationMilliseconds: 1,
                        retryAt: spec.clock.now
                    )
                ).thenNothing()
            }
        }
        let ready = payment().ready()
        for number in 0...9 {
            ready.when(
                .requestEnded(
                    EffectID(rawValue: "r-\(number)"),
                    .refused(404),
                    durationMilliseconds: 1,
                    retryAt: ready.clock.now
                )
            ).thenNothing()
        }
    }
}
