import EventLog
import SwedbankPay
import TestSupport
import Testing
import WorkflowTesting

@Suite struct AbortTests {
    let abort = SessionCommand.abort(by: "payer")
    var waiting: DeciderSpec {
        payment().expanded(SwishTests.elsewhere).when(response: .swishUnderWay)
    }

    @Test func `R7: an abort takes precedence and ends at the cancel URL`() {
        let asked = waiting.when(abort)
        asked.then(.exactly(.abortRequested(AbortRequested(by: "payer"))))
            .hasPending(.abortPayment, sending: OperationBody.none, in: .zero).isSettled(false)
        asked.when(response: .givenUp).then(
            .succeeded(.abortPayment),
            .fetched(by: .abortPayment),
            .canceled(by: .client)
        )
        .ended(.canceled).isSettled()
    }

    @Test func `the record says who aborted: the client or the PSP`() {
        let ours = payment().ready().when(abort).when(response: .givenUp)
        #expect(ours.newest.last == .canceled(Canceled(by: .client)))
        let theirs = waiting.when(response: .givenUp)
        #expect(theirs.newest.last == .canceled(Canceled(by: .psp)))
    }

    @Test(.feature("N-32")) func `an abort before the first read of the session is refused`() {
        payment().when(.open(.sample())).when(abort).then(rejected: .stillOpening)
    }

    @Test func `F-22: an abort that the PSP does not offer is a problem, and the payment goes on`()
    {
        let spec = payment().expanded(SwishTests.elsewhere)
            .when(response: Snapshot.swishUnderWay.without(.abortPayment)).when(abort)
        spec.then(
            .exactly(.abortRequested(AbortRequested(by: "payer"))),
            .problem(
                .abortNotAllowed,
                code: "no-abort",
                rel: .abortPayment,
                isRetryable: false,
                actor: .payer
            )
        ).hasPending(.getPayment)
        #expect(spec.state.problem?.problem.kind == .abortNotAllowed)
    }

    @Test func `an abort that the PSP refuses is a problem, and the payment goes on`() {
        let refused = waiting.when(abort).when(outcome: .refused(409, .operationNotAllowed))
        refused.then(
            .failed(.abortPayment),
            .refused(.abortPayment, .abortNotAllowed, actor: .payer)
        ).hasPending(.session, in: .zero)
        #expect(refused.state.problem?.problem.kind == .abortNotAllowed)
        let looking = refused.when(response: .swishUnderWay).hasPending(.getPayment)
        #expect(looking.count("problem") == 1)
        looking.when(response: .paid).ended(.completed)
    }

    @Test func `an abort may be requested again after the PSP refused it`() {
        let again = waiting.when(abort).when(outcome: .refused(409, .operationNotAllowed))
            .when(response: .swishUnderWay).when(abort)
        again.then(.exactly(.abortRequested(AbortRequested(by: "payer")))).hasPending(.abortPayment)
        again.when(response: .givenUp).ended(.canceled)
    }

    @Test func `after a 409 that does not refuse the abort, a read precedes the next try`() {
        waiting.when(abort).when(outcome: .refused(409)).then(.failed(.abortPayment, retries: true))
            .hasPending(.session, in: .seconds(1)).when(response: .swishUnderWay)
            .hasPending(.abortPayment).when(response: .givenUp).ended(.canceled)
    }

    @Test(arguments: [ProviderResponse.Outcome.refused(503), .lost])
    func `an abort with an unknown outcome is reconciled before it is sent again`(
        outcome: ProviderResponse.Outcome
    ) {
        let unknown = waiting.when(abort).when(outcome: outcome).hasPending(
            .session,
            in: .seconds(1)
        )
        unknown.when(response: .givenUp).ended(.canceled)
        unknown.when(response: .swishUnderWay).hasPending(.abortPayment)
        unknown.when(response: .paid).ended(.completed)
    }

    @Test(arguments: [400, 403, 404])
    func
        `F-11: an abort refused otherwise is a failed request, and polling goes on`(
            status: Int
        )
    {
        let refused = waiting.when(abort).when(outcome: .refused(status))
        refused.then(.failed(.abortPayment), .refused(.abortPayment, actor: .merchant)).hasPending(
            .session
        )
        #expect(refused.state.problem?.problem.kind == .requestFailed)
        #expect(refused.state.problem?.problem.rel == .abortPayment)
        let looking = refused.when(response: .swishUnderWay).hasPending(.getPayment)
        #expect(looking.count("problem") == 1)
        #expect(looking.count(.abortPayment) == 1)
    }

    @Test func `F-11: the refusal of another request is not taken for a refused abort`() {
        let spec = waiting.when(abort).when(outcome: .lost).when(response: .unprepared)
            .hasPending(.preparePayment).when(outcome: .refused(409, .operationNotAllowed))
        spec.then(.failed(.preparePayment, retries: true)).hasPending(.session)
        #expect(spec.state.problem == nil)
    }

    @Test func `an accepted abort is not sent again; the session is read instead`() {
        var spec = waiting.when(abort).when(outcome: .empty(status: 204)).hasPending(
            .session,
            in: .zero
        )
        .when(response: .swishUnderWay)
        spec.hasPending(.session, in: .seconds(2)).isSettled(false)
        spec.when(response: .givenUp).ended(.canceled)
        for _ in 0..<10 where spec.state.problem == nil {
            spec = spec.when(response: .swishUnderWay)
        }
        spec.hasPending(.getPayment)
        #expect(spec.state.problem?.problem.kind == .abortNotAllowed)
        #expect(spec.count(.abortPayment) == 1)
    }

    @Test func `two abort commands lead to one abort request`() {
        waiting.when(abort).when(abort).thenNothing().hasPending(.abortPayment)
        waiting.when(abort).whenRequestLeaves().when(abort).thenNothing().hasNoPendingRequest()
    }

    @Test func `no attempt starts while an abort is pending`() {
        payment().ready().when(abort).when(.attempt(.swish(msisdn: nil)))
            .then(rejected: .limitReached("session.abort-under-way"))
    }

    @Test func `F-25: an abort replaces an attempt that has not begun`() {
        payment().expanded(.swish(msisdn: nil)).when(abort).hasPending(.abortPayment)
            .when(response: .givenUp).ended(.canceled)
    }

    @Test func `an abort that failed for good can be requested again`() {
        var spec = waiting.when(abort)
        for _ in 0..<6 { spec = spec.when(outcome: .lost).when(response: .swishUnderWay) }
        spec.then(
            .fetched(by: .session, changed: false),
            .problem(
                .requestFailed,
                code: "http.timeout",
                rel: .abortPayment,
                isRetryable: true,
                actor: .psp
            )
        )
        #expect(spec.state.problem?.problem.kind == .requestFailed)
        spec.hasNoPendingRequest().isSettled()
        spec.when(abort).then(.exactly(.abortRequested(AbortRequested(by: "payer")))).hasPending(
            .session
        )
        .when(response: .swishUnderWay).hasPending(.abortPayment)
    }
}
