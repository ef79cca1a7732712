import EventLog
import SwedbankPay
import TestSupport
import Testing
import WorkflowTesting

@Suite struct ProblemTests {
    /// Returns a card attempt that was declined, with a link to acknowledge it.
    func declined(
        _ problem: SessionProblem = .sample(),
        offering snapshot: Snapshot = .withSwishAndCard
    ) -> DeciderSpec {
        payment().expanded(.card(rank: 1)).when(response: .cardUnderWay)
            .when(response: snapshot.with(problem))
    }

    @Test
    func `R3: a failed attempt is recorded once and acknowledged, then the session is read`() {
        let told = declined()
        told.then(.fetched(by: .getPayment), .declined())
            .hasPending(
                .acknowledgeFailedAttempt,
                sending: OperationBody.none,
                to: .sample("ack-1")
            )
        #expect(told.state.payment?.attempt == nil)
        let done = told.when(outcome: .empty(status: 204))
        done.then(.succeeded(.acknowledgeFailedAttempt), .acknowledged())
            .hasPending(.session, in: .zero)
        let ready = done.when(response: .withSwishAndCard)
        ready.hasNoPendingRequest().isSettled()
        #expect(ready.count("problem") == 1)
        #expect(ready.count(.acknowledgeFailedAttempt) == 1)
        #expect(ready.state.problem?.problem.origin == .session)
    }

    @Test(.feature("N-29"))
    func `F-33: a problem contains the PSP's type, status and texts, and the catalogue's actor`() {
        let spec = declined()
        let problem = spec.state.problem?.problem
        #expect(problem?.type == ProblemCatalogue.typePrefix + "creditcard/carddeclined")
        #expect(problem?.status == 403)
        #expect(problem?.title == .plain("Declined"))
        #expect(problem?.detail == .plain("declined"))
        #expect(problem?.actor == .payer)
        #expect(problem?.reference == .sample("ack-1"))
    }

    @Test func `R3: a failure in the final snapshot is recorded and acknowledged before the end`() {
        let told = payment().expanded(.card(rank: 1)).when(response: .cardUnderWay)
            .when(response: Snapshot.givenUp.with(.sample()))
        told.then(.fetched(by: .getPayment), .declined()).hasPending(.acknowledgeFailedAttempt)
            .ended(nil)
        told.when(outcome: .empty(status: 204)).when(response: .givenUp).ended(.canceled)
    }

    @Test
    func `F-01: while an acknowledgement is under way nothing follows from an outdated view`() {
        let told = declined()
        let waiting = told.whenRequestLeaves()
        waiting.hasNoPendingRequest().isSettled(false)
        #expect(waiting.state.actions.isEmpty)
        // A response with a snapshot is not the current view either.
        told.when(response: .cardUnderWay)
            .then(
                .succeeded(.acknowledgeFailedAttempt),
                .fetched(by: .acknowledgeFailedAttempt),
                .acknowledged()
            ).hasPending(
                .session
            )
    }

    @Test
    func
        `a problem still shown after its acknowledgement is not recorded or acknowledged again`()
    {
        let stale = Snapshot.withSwishAndCard.with(.sample())
        let spec = declined().when(outcome: .empty(status: 204)).when(response: stale)
        spec.then(.fetched(by: .session, changed: false)).hasNoPendingRequest()
        spec.when(.attempt(.swish(msisdn: nil))).when(response: stale.expanding(.swish))
            .hasPending(.startPaymentAttempt)
    }

    @Test
    func `a problem whose link keeps changing is recorded once and acknowledged three times`() {
        var spec = declined()
        for number in 2...9 {
            spec = spec.when(outcome: .empty(status: 204))
                .when(
                    response: .withSwishAndCard.with(.sample(acknowledge: "ack-\(number)"))
                )
            if spec.decider.pendingEffects(of: spec.state).requests.isEmpty { break }
        }
        spec.hasNoPendingRequest().isSettled()
        #expect(spec.count("problem") == 1)
        #expect(spec.count(.acknowledgeFailedAttempt) == 3)
    }

    @Test func `the same failure is recorded again after a view without it`() {
        let again = declined().when(outcome: .empty(status: 204)).when(response: .withSwishAndCard)
            .when(.returned(.original))
            .when(response: .withSwishAndCard.with(.sample(acknowledge: "ack-2")))
        again.then(.fetched(by: .session), .declined()).hasPending(.acknowledgeFailedAttempt)
    }

    @Test
    func `F-08: an acknowledgement that fails is tried three times, then the session goes on`() {
        var spec = declined()
        for _ in 0..<2 {
            spec = spec.when(outcome: .refused(503)).hasPending(.session, in: .seconds(1))
                .when(response: .withSwishAndCard.with(.sample()))
                .hasPending(.acknowledgeFailedAttempt)
        }
        spec = spec.when(outcome: .refused(503)).when(response: .withSwishAndCard.with(.sample()))
        spec.then(.fetched(by: .session, changed: false), .acknowledged(accepted: false))
            .hasNoPendingRequest().isSettled()
        guard case .problemAcknowledged(let done) = spec.newest.last else { return }
        #expect(done.accepted == false)
        #expect(spec.count("problem") == 1)
        #expect(spec.count(.acknowledgeFailedAttempt) == 3)
        spec.when(.attempt(.swish(msisdn: nil))).hasPending(.expandMethod)
    }

    /// The PSP's snapshot until a failed attempt is acknowledged: methods without operations.
    private var held: Snapshot {
        var held = Snapshot.withSwishAndCard.with(.sample())
        for index in held.methods.indices { held.methods[index].operations = [] }
        return held
    }

    /// Returns a declined attempt whose acknowledgement was given up, and another one for which the
    /// PSP offers nothing.
    private func heldUp() -> DeciderSpec {
        var spec = declined(offering: held)
        for _ in 0..<3 { spec = spec.when(outcome: .refused(503)).when(response: held) }
        return spec.when(.attempt(.swish(msisdn: nil))).when(response: held)
    }

    @Test
    func `F-08: a session that an unacknowledged failure blocks continues on a retry`() {
        let stuck = heldUp()
        stuck.then(
            .fetched(by: .session, changed: false),
            .problem(
                .requestFailed,
                code: "session.unacknowledged",
                rel: .acknowledgeFailedAttempt,
                isRetryable: true,
                actor: .psp
            )
        ).isSettled().ended(nil)
        let problem = stuck.state.problem?.problem
        #expect(problem?.kind == .requestFailed)
        #expect(problem?.isRetryable == true)
        let again = stuck.when(.retry(by: "host")).when(response: held)
        again.hasPending(.acknowledgeFailedAttempt, to: .sample("ack-1"))
        again.when(outcome: .empty(status: 204)).when(response: .withSwishAndCard)
            .hasPending(.expandMethod)
        // An acknowledgement that arrived after all is not repeated.
        stuck.when(.retry(by: "host")).when(response: .withSwishAndCard).hasPending(.expandMethod)
    }

    @Test func `F-08: after an acknowledgement that was never sent the session is read`() {
        var spec = declined()
        for _ in 0..<3 { spec = spec.when(outcome: .notSent) }
        spec.then(
            .failed(.acknowledgeFailedAttempt, try: 3, retries: true),
            .acknowledged(accepted: false)
        ).hasPending(.session)
            .when(response: .withSwishAndCard.with(.sample())).hasNoPendingRequest().isSettled()
    }

    @Test
    func `a refused acknowledgement is not repeated and is no problem of its own`() {
        let spec = declined().when(outcome: .refused(404))
        let read = spec.then(.failed(.acknowledgeFailedAttempt)).hasPending(.session, in: .zero)
            .when(response: .withSwishAndCard.with(.sample()))
        read.then(.fetched(by: .session, changed: false), .acknowledged(accepted: false))
            .hasNoPendingRequest().isSettled()
        #expect(read.state.problem?.problem.origin == .session)
        #expect(read.count(.acknowledgeFailedAttempt) == 1)
    }

    @Test func `a problem that is gone after a lost acknowledgement is not acknowledged again`() {
        declined().when(outcome: .lost).hasPending(.session).when(response: .withSwishAndCard)
            .then(.fetched(by: .session)).hasNoPendingRequest().isSettled()
    }

    @Test func `R4: a problem without a link is recorded once, and the session goes on`() {
        let spec = declined(.sample(acknowledge: nil))
        spec.then(.fetched(by: .getPayment), .declined()).hasNoPendingRequest().isSettled()
        let still = spec.when(.returned(.original))
            .when(response: .withSwishAndCard.with(.sample(acknowledge: nil)))
        still.then(.fetched(by: .session, changed: false))
    }

    @Test func `R4: the same problem of a second attempt is recorded again`() {
        let problem = SessionProblem.sample(acknowledge: nil)
        let first = declined(problem)
        let second = first.when(.attempt(.card(rank: 1)))
            .when(response: Snapshot.withSwishAndCard.expanding(.creditCard).with(problem))
            .then(.succeeded(.expandMethod), .fetched(by: .expandMethod)).hasPending(
                .startPaymentAttempt
            )
            .when(response: .cardUnderWay)
            .when(response: Snapshot.withSwishAndCard.with(problem))
        second.then(.fetched(by: .getPayment), .declined())
        #expect(second.count("problem") == 2)
    }

    @Test func `an operation with another name is not followed as an acknowledgement`() {
        var problem = SessionProblem.sample()
        problem.acknowledge?.rel = Rel(rawValue: "grant-wish")
        declined(problem).then(.fetched(by: .getPayment), .declined(acknowledged: false))
            .hasNoPendingRequest()
    }

    @Test func `after a failure the payer pays with another instrument in the same session`() {
        let spec = declined().when(outcome: .empty(status: 204)).when(response: .withSwishAndCard)
            .when(.attempt(.swish(msisdn: .sample("+46739000001"))))
        spec.then(.attemptStarted(2, .swish(msisdn: .sample("+46739000001")))).hasPending(
            .expandMethod,
            sending: .method(.swish)
        )
        #expect(spec.state.payment?.attempt?.number == 2)
        #expect(spec.state.problem == nil)
        spec.when(response: Snapshot.withSwishAndCard.expanding(.swish))
            .when(response: .swishUnderWay).when(response: .paid).ended(.completed)
    }

    @Test func `a failure that the PSP shows after a refusal is recorded and acknowledged first`() {
        let refused = payment().expanded(.card(rank: 1))
            .when(response: .running(.creditCard, .authentication(preset: "Y")))
            .when(outcome: .refused(400)).hasPending(.session)
        let spec = refused.when(response: Snapshot.withSwishAndCard.with(.sample()))
        spec.then(.fetched(by: .session), .declined()).hasPending(.acknowledgeFailedAttempt)
        #expect(spec.state.payment?.attempt == nil)
        spec.when(outcome: .empty(status: 204)).when(response: .withSwishAndCard)
            .when(.attempt(.swish(msisdn: nil))).hasPending(.expandMethod)
    }

    @Test func `a failure in the response to expand-method ends that attempt`() {
        let spec = payment().ready().when(.attempt(.swish(msisdn: nil)))
            .when(response: Snapshot.withSwishAndCard.with(.sample("swish/swishdeclined")))
        spec.then(.succeeded(.expandMethod), .fetched(by: .expandMethod), .declined())
        #expect(spec.state.payment?.attempt == nil)
    }

    @Test func `a failure withdraws open client actions`() {
        let spec = payment().expanded(.swish(msisdn: nil)).when(response: .swishToLaunch)
            .when(response: Snapshot.withSwishAndCard.with(.sample("swish/swishdeclined")))
        #expect(spec.state.actions.map(\.status) == [.withdrawn])
        spec.when(client: .launched).then(rejected: .actionWithdrawn(spec.newestAction))
    }

    @Test
    func `a failure that is marked retryable needs a new attempt: a retry command is refused`() {
        let spec = declined(.sample("paymentorders/clientapplaunchfailed"))
        #expect(spec.state.problem?.problem.isRetryable == true)
        // The engine does not retry this itself: the payer chooses again.
        spec.when(outcome: .empty(status: 204)).when(response: .withSwishAndCard)
            .when(.retry(by: "payer")).then(rejected: .nothingToRetry)
    }
}
