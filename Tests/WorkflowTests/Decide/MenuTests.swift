import EventLog
import SwedbankPay
import Testing
import WorkflowTesting

/// The PSP's own page: a menu of all methods or some of them, a single method, a new card.
@Suite struct MenuTests {
    let everything = Snapshot.withEverything
    var ready: DeciderSpec { payment().ready(everything) }
    let consent = Presentation.newCard(showsConsent: true)

    @Test func `R8: a menu of all methods is shown at once, since the session is presented so`() {
        let spec = ready.when(.menu(.menu))
        spec.then(types: "menuChosen", "menuRequested").isSettled()
        #expect(
            spec.state.actions.last?.kind == .showMenu(script: .sample("view-payment"), mode: .menu)
        )
        // The payment may end without a report, so it is polled.
        spec.hasPending(.session, in: .seconds(2))
    }

    @Test func `R9: a restricted menu is asked for, then shown`() {
        let wish = MenuMode.restricted([.swish, .sampleWeb])
        let spec = ready.when(.menu(wish))
        spec.then(types: "menuChosen")
            .hasPending(
                .customizePayment,
                sending: .presentation(.restricted([.swish, .sampleWeb]))
            )
        let shown = spec.when(answer: everything.showing([.sampleWeb, .swish]))
        shown.then(types: "operationSucceeded", "fetched", "menuRequested").isSettled()
        // This does not reduce the payer's choices.
        #expect(shown.state.offers == ready.state.offers)
    }

    @Test func `R9: one web-based method is shown in instrument mode`() {
        let spec = ready.when(.menu(.instrument(.sampleWeb)))
        spec.hasPending(.customizePayment, sending: .presentation(.instrument(.sampleWeb)))
        spec.when(answer: everything.locked(to: .sampleWeb))
            .then(types: "operationSucceeded", "fetched", "menuRequested")
    }

    @Test(arguments: [
        MenuMode.restricted([]), .restricted(Snapshot.withEverything.enabledMethods ?? []),
    ])
    func `F-04: no names and all names mean all methods`(wish: MenuMode) {
        ready.when(.menu(wish)).then(types: "menuChosen", "menuRequested").isSettled()
    }

    @Test
    func `F-04: a PSP that ignores the request is asked twice, then the method is not available`() {
        let spec = ready.when(.menu(.instrument(.sampleWeb))).when(answer: everything)
            .hasPending(.customizePayment, in: .seconds(2)).when(answer: everything)
        spec.then(types: "operationSucceeded", "fetched", "problem").hasNoPendingRequest()
            .isSettled()
        #expect(spec.state.problem?.problem.kind == .methodNotAvailable)
        #expect(spec.state.payment?.menu == nil)
        #expect(spec.count(.customizePayment) == 2)
    }

    @Test func `F-04: a name that is not offered is refused`() {
        let unknown = PaymentMethodName(rawValue: "Barter")
        let offered = (everything.enabledMethods ?? [])
        ready.when(.menu(.restricted([.swish, unknown])))
            .then(rejected: .menuMethodNotOffered(offered: offered))
        ready.when(.menu(.instrument(unknown)))
            .then(rejected: .menuMethodNotOffered(offered: offered))
    }

    @Test func `R10: without a way to change the presentation the wish is given up`() {
        let fixed = everything.without(.customizePayment)
        let spec = payment().ready(fixed).when(.menu(.instrument(.sampleWeb)))
        spec.then(types: "menuChosen", "problem").hasNoPendingRequest().isSettled()
        #expect(spec.state.problem?.problem.kind == .methodNotAvailable)
    }

    @Test func `F-21: a new card without a way to change the presentation starts nothing`() {
        let fixed = everything.without(.customizePayment)
        let spec = payment().ready(fixed).when(.attempt(.newCard(showsConsent: true)))
        spec.then(types: "attemptStarted", "problem").hasNoPendingRequest().isSettled()
        #expect(spec.state.payment?.attempt == nil)
        #expect(spec.count(.startPaymentAttempt) == 0)
    }

    @Test(arguments: [true, false])
    func `a new card is entered on the PSP's page, with or without the box for consent`(
        consent: Bool
    ) {
        let spec = ready.when(.attempt(.newCard(showsConsent: consent)))
        spec.then(types: "attemptStarted")
            .hasPending(.customizePayment, sending: .presentation(.newCard(showsConsent: consent)))
        let shown = spec.when(answer: everything.locked(to: .creditCard))
        shown.then(types: "operationSucceeded", "fetched", "menuRequested").isSettled()
        #expect(
            shown.state.actions.last?.kind
                == .showMenu(script: .sample("view-payment"), mode: .instrument(.creditCard))
        )
        shown.when(client: .shown).when(client: .completed)
            .then(types: "menuClosed").hasPending(.session).when(answer: .paid).ended(.completed)
    }

    @Test func `F-23: another word on consent is sent again`() {
        let locked = everything.locked(to: .creditCard)
        let spec = ready.when(.attempt(.newCard(showsConsent: true))).when(answer: locked)
            .when(.attempt(.newCard(showsConsent: false)))
        spec.then(types: "attemptStarted").hasPending(.session).when(answer: locked)
            .hasPending(.customizePayment, sending: .presentation(.newCard(showsConsent: false)))
    }

    @Test func `F-23: a saved card after a new one is paid with when its page is gone`() {
        let spec = ready.when(.attempt(.newCard(showsConsent: true)))
            .when(answer: everything.locked(to: .creditCard)).when(.attempt(.card(rank: 1)))
            .when(answer: everything.locked(to: .creditCard))
        spec.hasPending(.customizePayment, sending: .presentation(.all))
        spec.when(answer: everything).hasPending(.expandMethod, sending: .method(.creditCard))
    }

    @Test func `Click to Pay is the page in instrument mode`() {
        let spec = ready.when(.attempt(.clickToPay))
        spec.hasPending(.customizePayment, sending: .presentation(.instrument(.clickToPay)))
        spec.when(answer: everything.locked(to: .clickToPay))
            .then(types: "operationSucceeded", "fetched", "menuRequested")
    }

    @Test func `F-25: an attempt while the page is open closes the page`() {
        let open = ready.when(.menu(.menu))
        let action = open.state.actions[0].id
        let spec = open.when(.attempt(.swish(msisdn: nil)))
        // The payer may have paid on the page before leaving it: the session is read first.
        spec.then(types: "attemptStarted").hasPending(.session)
        spec.when(answer: everything).hasPending(.expandMethod, sending: .method(.swish))
        spec.when(answer: .paid).ended(.completed)
        #expect(spec.state.payment?.menu == nil)
        spec.when(.report(ClientReport(action: action, outcome: .completed)))
            .then(rejected: .actionWithdrawn(action))
    }

    @Test func `F-25: another page takes the place of the one that is open`() {
        let spec = ready.when(.menu(.menu)).when(.menu(.instrument(.sampleWeb)))
        spec.then(types: "menuChosen").hasPending(.session).when(answer: everything)
            .hasPending(.customizePayment)
        #expect(spec.state.actions.allSatisfy { !$0.isOpen })
        ready.when(.menu(.menu)).when(.menu(.menu)).thenNothing()
    }

    @Test func `a page is refused while an attempt is under way`() {
        ready.when(.attempt(.swish(msisdn: nil))).when(.menu(.menu))
            .then(rejected: .attemptRunning(number: 1, .swish))
    }

    @Test func `after a page for one method a native attempt switches back first`() {
        let locked = everything.locked(to: .sampleWeb)
        let spec = ready.when(.menu(.instrument(.sampleWeb))).when(answer: locked)
            .when(client: .canceled).when(answer: locked).when(answer: locked)
        spec.hasNoPendingRequest().isSettled()
        #expect(spec.state.payment?.menu == nil)
        let native = spec.when(.attempt(.swish(msisdn: nil)))
        native.hasPending(.customizePayment, sending: .presentation(.all))
        native.when(answer: everything).hasPending(.expandMethod, sending: .method(.swish))
    }

    @Test func `who finished on the page may have paid: nothing is begun before the PSP has said`()
    {
        let spec = ready.when(.menu(.menu)).when(client: .completed).when(answer: everything)
        spec.hasPending(.session, in: .seconds(2)).isSettled(false)
        spec.when(.attempt(.swish(msisdn: nil))).then(rejected: .menuResultAwaited)
        spec.when(.menu(.menu)).then(rejected: .menuResultAwaited)
        spec.when(answer: .paid).ended(.completed)
    }

    @Test func `paidMeansPaid: that the page says completed ends nothing`() {
        let spec = ready.when(.menu(.menu)).when(client: .completed)
        #expect(spec.state.outcome == nil)
        spec.when(answer: .givenUp).ended(.canceled)
    }

    @Test func `a page that was left without paying is looked after twice, then all is as before`()
    {
        let spec = ready.when(.menu(.menu)).when(client: .canceled)
        spec.then(types: "menuClosed").hasPending(.session)
        let again = spec.when(answer: everything)
        again.hasPending(.session, in: .seconds(2)).isSettled(false)
        again.when(answer: .givenUp).ended(.canceled)
        again.when(answer: everything).hasNoPendingRequest().isSettled()
            .when(.attempt(.card(rank: 1))).then(types: "attemptStarted")
    }

    @Test func `F-32: a page that failed is neither paid nor canceled`() {
        let spec = ready.when(.menu(.menu)).when(client: .failed(error: .plain("no script")))
        spec.then(types: "menuClosed", "problem").hasPending(.session)
        #expect(spec.state.problem?.problem.kind == .menuFailed)
        #expect(spec.state.problem?.problem.isRetryable == false)
        spec.when(answer: everything).isSettled().when(.menu(.menu))
            .then(types: "menuChosen", "menuRequested")
    }

    @Test func `a payment that ends on the page ends here, though nobody reports`() {
        ready.when(.menu(.menu)).when(answer: .paid).ended(.completed)
    }

    @Test func `a failed attempt on the page is the page's to tell, as long as it is open`() {
        let declined = everything.with(.sample(acknowledge: "ack-1"))
        let spec = ready.when(.menu(.menu)).when(answer: declined)
        spec.then(types: "fetched").hasPending(.session)
        spec.when(client: .canceled).when(answer: declined)
            .then(types: "fetched", "problem").hasPending(.acknowledgeFailedAttempt)
    }

    @Test func `F-37: an open page is not watched for ever`() {
        let spec = ready.when(.menu(.menu))
        let chosenAt = spec.state.payment?.menu?.chosenAt ?? 0
        let late = spec.whenDue(.menuLimit(chosenAt: chosenAt))
        late.then(types: "problem").hasPending(.session)
        late.when(answer: everything).hasNoPendingRequest().isSettled()
        #expect(late.state.problem?.problem.kind == .deadlineExceeded)
        // The payer returns after all.
        late.when(answer: everything).when(client: .completed).hasPending(.session)
    }

    @Test func `a return while the page is open reads the session and leaves the page open`() {
        let spec = ready.when(.menu(.menu)).when(.returned(.augmented)).hasPending(.session)
            .when(answer: everything)
        #expect(spec.state.actions.contains { $0.isOpen })
        spec.isSettled()
    }

    @Test func `giving up goes through while the page is open`() {
        ready.when(.menu(.menu)).when(.abort(by: "payer")).hasPending(.abortPayment)
            .when(answer: .givenUp).ended(.canceled)
    }

    @Test func `a choice made beforehand may be the PSP's page`() {
        let preferring = Opened.sample(preferences: [.newCard(showsConsent: true)])
        payment().ready(everything, opened: preferring)
            .then(types: "operationSucceeded", "fetched", "methodsOffered", "attemptStarted")
            .hasPending(.customizePayment, sending: .presentation(consent))
    }

    @Test func `a lost answer to a change of presentation is followed by reading, then told apart`()
    {
        let asked = ready.when(.attempt(.newCard(showsConsent: true))).when(outcome: .lost)
        asked.hasPending(.session)
        // The session is locked to cards; whether it hides the saved ones is unknown, so the lock
        // is requested again.
        asked.when(answer: everything.locked(to: .creditCard))
            .hasPending(.customizePayment, sending: .presentation(consent))
    }

    @Test func `an order that was made for cards only shows its page as it is`() {
        let fixed = everything.locked(to: .creditCard).without(.customizePayment)
        payment().ready(fixed).when(.attempt(.newCard(showsConsent: true)))
            .then(types: "attemptStarted", "menuRequested").isSettled()
    }

    @Test func `pages count among the client actions that a session may have`() {
        var limits = SessionLimits()
        limits.actions = 1
        let spec = payment(limits: limits).ready(everything).when(.menu(.menu))
            .when(client: .canceled).when(answer: everything).when(answer: everything)
        spec.when(.menu(.menu)).then(rejected: .limitReached("session.actions"))
    }

    @Test func `a session without a page says so`() {
        let spec = payment().ready(everything.without(.viewPayment)).when(.menu(.menu))
        spec.then(types: "menuChosen", "problem").isSettled()
        #expect(spec.state.problem?.problem.kind == .methodNotAvailable)
    }
}
