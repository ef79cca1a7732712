import EventLog
import SwedbankPay
import Testing
import WorkflowTesting

@Suite struct PresentationTests {
    let reset = OperationBody.presentation(.all)

    @Test func `R11: a session locked to another method is first switched back to all methods`() {
        let locked = Snapshot.withSwishAndCard.locked(to: .creditCard)
        let spec = payment().ready(locked).when(.attempt(.swish(msisdn: nil)))
        spec.hasPending(.customizePayment, sending: reset)
        spec.when(response: .withSwishAndCard).hasPending(.expandMethod, sending: .method(.swish))
    }

    @Test func `R11: an attempt with a method that disappeared first switches back to all methods`()
    {
        payment().ready().when(.returned(.original)).when(.attempt(.swish(msisdn: nil)))
            .when(response: .withCard).hasPending(.customizePayment, sending: reset)
            .when(response: .withSwishAndCard).hasPending(.expandMethod)
    }

    @Test func `F-04: the presentation is changed twice at most, then the method is not available`()
    {
        let locked = Snapshot.withSwishAndCard.locked(to: .creditCard)
        let spec = payment().ready(locked).when(.attempt(.swish(msisdn: nil)))
            .when(response: locked).hasPending(.customizePayment, in: .seconds(2)).when(
                response: locked
            )
        spec.then(
            .succeeded(.customizePayment),
            .fetched(by: .customizePayment, changed: false),
            .problem(
                .methodNotAvailable,
                code: "not-usable",
                subject: "Swish",
                isRetryable: false,
                actor: .payer
            )
        ).hasNoPendingRequest()
        #expect(spec.state.problem?.problem.kind == .methodNotAvailable)
        #expect(spec.state.payment?.attempt == nil)
        #expect(spec.count(.customizePayment) == 2)
    }

    @Test func `R10: without customize-payment a method hidden by a lock is not available`() {
        let locked = Snapshot.withSwishAndCard.locked(to: .creditCard).without(.customizePayment)
        let spec = payment().ready(locked).when(.attempt(.swish(msisdn: nil)))
        spec.then(
            .attemptStarted(1, .swish(msisdn: nil)),
            .problem(
                .methodNotAvailable,
                code: "not-usable",
                subject: "Swish",
                isRetryable: false,
                actor: .payer
            )
        ).hasNoPendingRequest().isSettled()
        #expect(spec.state.problem?.problem.kind == .methodNotAvailable)
        spec.when(.attempt(.card(rank: 1))).then(
            .attemptStarted(2, .card(rank: 1, token: .sample("token-of-card-1")))
        )
    }

    @Test func `F-23: a session locked to new cards is switched back for a saved one`() {
        var locked = Snapshot.withCard.locked(to: .creditCard)
        locked.methods[0].prefills = []
        let spec = payment().ready().when(.returned(.original))
            .when(.attempt(.card(rank: 1))).when(response: locked)
        spec.hasPending(.customizePayment, sending: reset)
        spec.when(response: .withSwishAndCard).hasPending(
            .expandMethod,
            sending: .method(.creditCard)
        )
    }

    @Test func `an order that its merchant locked to cards can be paid with a saved card`() {
        payment().ready(.withCard.locked(to: .creditCard)).when(.attempt(.card(rank: 1)))
            .hasPending(.expandMethod)
    }

    @Test
    func `R19, F-21: a method that never offers to start an attempt is expanded twice at most`() {
        let spec = payment().ready().when(.attempt(.swish(msisdn: nil)))
            .when(response: .withSwishAndCard).hasPending(.expandMethod, in: .seconds(2))
            .when(response: .withSwishAndCard)
        spec.then(
            .succeeded(.expandMethod),
            .fetched(by: .expandMethod, changed: false),
            .problem(
                .methodNotAvailable,
                code: "no-start",
                subject: "Swish",
                isRetryable: false,
                actor: .payer
            )
        ).hasNoPendingRequest()
            .isSettled()
        #expect(spec.state.problem?.problem.kind == .methodNotAvailable)
        #expect(spec.count(.expandMethod) == 2)
    }

    @Test func `F-24: the pseudo name of the new-card entry is never sent`() {
        let pseudo = PaymentMethodName(rawValue: "NewCreditCard")
        let ready = payment().ready(.withEverything)
        ready.when(.menu(.instrument(pseudo)))
            .hasPending(.customizePayment, sending: .presentation(.instrument(.creditCard)))
        ready.when(.menu(.restricted([pseudo, .swish])))
            .hasPending(
                .customizePayment,
                sending: .presentation(.restricted([.creditCard, .swish]))
            )
    }

    @Test func `F-25: one command at a time: an attempt that ended leaves no pending command`() {
        let spec = payment().ready().when(.attempt(.swish(msisdn: nil)))
            .when(outcome: .refused(403)).when(response: .withSwishAndCard)
            .when(.attempt(.card(rank: 1)))
        spec.hasPending(.expandMethod, sending: .method(.creditCard))
        #expect(spec.state.payment?.attempt?.number == 2)
    }

    @Test
    func `a refused attempt is reported to the PSP, and another one can start once it is gone`() {
        let telling = Snapshot.running(.creditCard, .authentication(preset: "Y"))
        var running = telling
        for index in running.methods.indices {
            running.methods[index].operations.removeAll { $0.rel == .failPaymentAttempt }
        }
        let refused = payment().expanded(.card(rank: 1)).when(response: running)
            .when(outcome: .refused(400))
        refused.then(
            .failed(.createAuthentication),
            .refused(.createAuthentication, actor: .merchant)
        ).hasPending(.session)
        #expect(refused.state.money.standing == .underWay)
        // While the PSP shows the attempt, no other one is started.
        let seen = refused.when(response: running)
        seen.when(.attempt(.swish(msisdn: nil)))
            .then(rejected: .attemptRunning(number: 1, .card))
        // A PSP that offers to be notified is notified; otherwise the session is read until the
        // attempt is gone.
        refused.when(response: telling).hasPending(.failPaymentAttempt)
        seen.hasPending(.session, in: .seconds(2))
        let gone = seen.when(response: .withSwishAndCard)
        #expect(gone.state.payment?.attempt == nil)
        #expect(gone.state.money.standing == .intended)
        gone.when(.attempt(.swish(msisdn: nil))).then(.attemptStarted(2, .swish(msisdn: nil)))
            .hasPending(
                .expandMethod
            )
        seen.when(response: .paid).ended(.completed)
    }
}
