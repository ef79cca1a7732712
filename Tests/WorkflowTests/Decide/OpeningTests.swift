import EventLog
import SwedbankPay
import Testing
import Workflow
import WorkflowTesting

@Suite struct OpeningTests {
    @Test func `an opened session is read first, at its own URL`() {
        payment().when(.open(.sample()))
            .then(.opened(.sample()))
            .hasPending(.session, sending: OperationBody.none, to: .sample("session"))
            .isSettled(false)
    }

    @Test func `a session that is open cannot be opened again`() {
        payment().when(.open(.sample())).when(.open(.sample())).then(rejected: .alreadyOpen)
    }

    @Test func `an attempt in a session that was never opened is refused`() {
        payment().when(.attempt(.swish(msisdn: nil))).then(rejected: .notOpen)
    }

    @Test func `an attempt before the methods are known is refused`() {
        payment().when(.open(.sample())).when(.attempt(.swish(msisdn: nil)))
            .then(rejected: .stillOpening)
    }

    @Test func `R6: prepare-payment sends the environment before anything else`() {
        let opened = payment().when(.open(.sample())).when(response: .unprepared)
        opened.then(.fetched(by: .session)).hasPending(.preparePayment, sending: .environment)
        opened.whenRequestLeaves().then(types: "operationStarted").hasPending(effects: [
            .wait(.sessionLimit, until: ManualClock.noon + .seconds(86_400))
        ])
    }

    @Test func `R21: the methods are offered in the PSP's order, prefills by rank`() throws {
        let ready = payment().ready()
        ready.then(
            .succeeded(.preparePayment),
            .fetched(by: .preparePayment),
            .methodsOffered(.sampleSwish, .sampleCard, .sampleNewCard)
        ).hasNoPendingRequest()
            .isSettled()
        let offers = ready.state.offers
        #expect(offers.map(\.instrument) == [.swish, .card, .newCard])
        #expect(offers.map(\.method) == [.swish, .creditCard, .creditCard])
        #expect(offers[0].prefills.map(\.rank) == [1, 2])
        #expect(offers[1].prefills.map(\.rank) == [1, 2])
    }

    @Test
    func `R21: methods that change before an attempt are offered again, unchanged ones are not`() {
        let ready = payment().ready()
        let returned = ready.when(.returned(.original))
        returned.when(response: .withSwishAndCard).then(.fetched(by: .session, changed: false))
        returned.when(response: .withSwish).then(
            .fetched(by: .session),
            .methodsOffered(.sampleSwish)
        )
    }

    @Test func `F-06: methods are offered although the session could be polled`() {
        payment().when(.open(.sample())).when(response: .unprepared)
            .when(response: Snapshot.withSwish.with(.sample(.getPayment)))
            .then(
                .succeeded(.preparePayment),
                .fetched(by: .preparePayment),
                .methodsOffered(.sampleSwish)
            ).hasNoPendingRequest()
    }

    @Test(arguments: ["complete", "cancel", "payment"])
    func `R2: an order without a required URL fails at once`(missing: String) {
        var urls = Snapshot.sampleURLs
        switch missing {
        case "complete": urls.complete = nil
        case "cancel": urls.cancel = nil
        default: urls.payment = nil
        }
        var snapshot = Snapshot.withSwish
        snapshot.urls = urls
        let failed = payment().when(.open(.sample())).when(response: snapshot)
        failed.then(types: "fetched", "problem", "failed").ended(.failed).isSettled()
        #expect(failed.state.problem?.problem.kind == .configurationFailed)
        #expect(failed.state.problem?.problem.actor == .merchant)
    }

    @Test func `R2: an order with the same complete and cancel URL fails before any payment`() {
        var snapshot = Snapshot.withSwish
        snapshot.urls.cancel = snapshot.urls.complete.map { .plain($0.shown + "/") }
        payment().when(.open(.sample())).when(response: snapshot).ended(.failed)
        snapshot.urls.cancel = snapshot.urls.complete.map { .plain($0.shown + "?canceled=1") }
        payment().when(.open(.sample())).when(response: snapshot).ended(nil)
    }

    @Test func `R2: cards alone need no payment URL`() {
        var snapshot = Snapshot.withCard
        snapshot.urls.payment = nil
        payment().when(.open(.sample())).when(response: snapshot)
            .then(.fetched(by: .session), .methodsOffered(.sampleCard, .sampleNewCard)).ended(nil)
    }

    @Test func `R2: a running payment goes on when a later response lacks a URL`() {
        var snapshot = Snapshot.swishUnderWay
        snapshot.urls = OrderURLs()
        payment().expanded(.swish(msisdn: .sample("+46739000001"))).when(response: snapshot)
            .then(.succeeded(.startPaymentAttempt), .fetched(by: .startPaymentAttempt)).ended(nil)
            .hasPending(.getPayment)
    }

    @Test
    func `R2: a method that needs the payment URL and appears later does not fail the session`() {
        var cards = Snapshot.withCard
        var more = Snapshot.withSwishAndCard
        cards.urls.payment = nil
        more.urls.payment = nil
        payment().when(.open(.sample())).when(response: cards).when(.returned(.original))
            .when(response: more)
            .then(
                .fetched(by: .session),
                .methodsOffered(.sampleSwish, .sampleCard, .sampleNewCard)
            ).ended(nil)
    }

    @Test func `a preference starts an attempt by itself, only once`() {
        let chosen = Opened.sample(preferences: [.card(rank: nil)])
        let attempting = payment().ready(opened: chosen)
        attempting.then(
            .succeeded(.preparePayment),
            .fetched(by: .preparePayment),
            .methodsOffered(.sampleSwish, .sampleCard, .sampleNewCard),
            .attemptStarted(1, .card(rank: 1, token: .sample("token-of-card-1")))
        )
        .hasPending(.expandMethod, sending: .method(.creditCard))
        #expect(
            attempting.state.payment?.attempt?.choice
                == .card(rank: 1, token: .sample("token-of-card-1"))
        )
        attempting.when(outcome: .refused(403)).when(response: .withSwishAndCard)
            .then(.fetched(by: .session, changed: false)).hasNoPendingRequest()
    }

    @Test func `the first preference that is offered starts the attempt`() {
        let chosen = Opened.sample(preferences: [.swish(msisdn: nil), .card(rank: 2)])
        let attempting = payment().ready(.withCard, opened: chosen)
        #expect(
            attempting.state.payment?.attempt?.choice
                == .card(rank: 2, token: .sample("token-of-card-2"))
        )
    }

    @Test func `a preference that is not offered is a problem, and the methods stay available`() {
        let chosen = Opened.sample(preferences: [.swish(msisdn: nil)])
        let ready = payment().ready(.withCard, opened: chosen)
        ready.then(
            .succeeded(.preparePayment),
            .fetched(by: .preparePayment),
            .methodsOffered(.sampleCard, .sampleNewCard),
            .problem(
                .methodNotAvailable,
                code: "not-offered",
                isRetryable: false,
                actor: .payer
            )
        ).isSettled()
        #expect(ready.state.problem?.problem.kind == .methodNotAvailable)
        ready.when(.attempt(.card(rank: 1))).then(
            .attemptStarted(1, .card(rank: 1, token: .sample("token-of-card-1")))
        )
    }

    @Test func `a session that the PSP shows as paid at the first read is completed`() {
        payment().when(.open(.sample())).when(response: .paid)
            .then(.fetched(by: .session), .completed(.redirectToCompleteURL)).ended(.completed)
    }
}
