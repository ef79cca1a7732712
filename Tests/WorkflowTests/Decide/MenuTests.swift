import EventLog
import SwedbankPay
import TestSupport
import Testing
import WorkflowTesting

/// The PSP's own page: a menu of all methods or some of them, a single method, a new card.
@Suite struct MenuTests {
    let everything = Snapshot.withEverything
    var ready: DeciderSpec { payment().ready(everything) }
    let consent = Presentation.newCard(showsConsent: true)

    @Test func `R8: a menu of all methods is shown at once if the session presents all of them`() {
        let spec = ready.when(.menu(.menu))
        spec.then(.menuChosen(.menu), .menuRequested(.menu)).isSettled()
        #expect(
            spec.state.actions.last?.kind == .showMenu(script: .sample("view-payment"), mode: .menu)
        )
        // The payment may end without a report, so it is polled.
        spec.hasPending(.session, in: .seconds(2))
    }

    @Test(.feature("N-37"))
    func `R9: a restricted menu is requested with customize-payment, then shown`() {
        let wish = MenuMode.restricted([.swish, .sampleWeb])
        let spec = ready.when(.menu(wish))
        spec.then(.menuChosen(.restricted([.swish, .sampleWeb])))
            .hasPending(
                .customizePayment,
                sending: .presentation(.restricted([.swish, .sampleWeb]))
            )
        let shown = spec.when(response: everything.showing([.sampleWeb, .swish]))
        shown.then(
            .succeeded(.customizePayment),
            .fetched(by: .customizePayment),
            .menuRequested(.restricted([.swish, .sampleWeb]))
        ).isSettled()
        // This does not reduce the payer's choices.
        #expect(shown.state.offers == ready.state.offers)
    }

    @Test(.feature("N-38")) func `R9: one web-based method is shown in instrument mode`() {
        let spec = ready.when(.menu(.instrument(.sampleWeb)))
        spec.hasPending(.customizePayment, sending: .presentation(.instrument(.sampleWeb)))
        spec.when(response: everything.locked(to: .sampleWeb))
            .then(
                .succeeded(.customizePayment),
                .fetched(by: .customizePayment),
                .menuRequested(.instrument(.sampleWeb))
            )
    }

    @Test(arguments: [
        MenuMode.restricted([]), .restricted(Snapshot.withEverything.enabledMethods ?? []),
    ])
    func `F-04: an empty list and a complete list of methods both mean all methods`(wish: MenuMode)
    {
        ready.when(.menu(wish)).then(.menuChosen(wish), .menuRequested(wish)).isSettled()
    }

    @Test
    func `F-04: an ignored customize-payment is sent twice, then the method is not available`() {
        let spec = ready.when(.menu(.instrument(.sampleWeb))).when(response: everything)
            .hasPending(.customizePayment, in: .seconds(2)).when(response: everything)
        spec.then(
            .succeeded(.customizePayment),
            .fetched(by: .customizePayment, changed: false),
            .problem(
                .methodNotAvailable,
                code: "not-shown",
                subject: "Trustly",
                isRetryable: false,
                actor: .payer
            )
        ).hasNoPendingRequest()
            .isSettled()
        #expect(spec.state.problem?.problem.kind == .methodNotAvailable)
        #expect(spec.state.payment?.menu == nil)
        #expect(spec.count(.customizePayment) == 2)
    }

    @Test func `F-04: a menu with a method that is not offered is refused`() {
        let unknown = PaymentMethodName(rawValue: "Barter")
        let offered = (everything.enabledMethods ?? [])
        ready.when(.menu(.restricted([.swish, unknown])))
            .then(rejected: .menuMethodNotOffered(offered: offered))
        ready.when(.menu(.instrument(unknown)))
            .then(rejected: .menuMethodNotOffered(offered: offered))
    }

    @Test func `R10: without customize-payment a page for one method is not available`() {
        let fixed = everything.without(.customizePayment)
        let spec = payment().ready(fixed).when(.menu(.instrument(.sampleWeb)))
        spec.then(
            .menuChosen(.instrument(.sampleWeb)),
            .problem(
                .methodNotAvailable,
                code: "not-shown",
                subject: "Trustly",
                isRetryable: false,
                actor: .payer
            )
        ).hasNoPendingRequest().isSettled()
        #expect(spec.state.problem?.problem.kind == .methodNotAvailable)
    }

    @Test func `F-21: without customize-payment a new card is a problem, and no attempt is sent`() {
        let fixed = everything.without(.customizePayment)
        let spec = payment().ready(fixed).when(.attempt(.newCard(showsConsent: true)))
        spec.then(
            .attemptStarted(1, .newCard(showsConsent: true)),
            .problem(
                .methodNotAvailable,
                code: "not-shown",
                subject: "new card",
                isRetryable: false,
                actor: .payer
            )
        ).hasNoPendingRequest().isSettled()
        #expect(spec.state.payment?.attempt == nil)
        #expect(spec.count(.startPaymentAttempt) == 0)
    }

    @Test(arguments: [true, false])
    func `a new card is entered on the PSP's page, with or without the consent checkbox`(
        consent: Bool
    ) {
        let spec = ready.when(.attempt(.newCard(showsConsent: consent)))
        spec.then(.attemptStarted(1, .newCard(showsConsent: consent)))
            .hasPending(.customizePayment, sending: .presentation(.newCard(showsConsent: consent)))
        let shown = spec.when(response: everything.locked(to: .creditCard))
        shown.then(
            .succeeded(.customizePayment),
            .fetched(by: .customizePayment),
            .menuRequested(.instrument(.creditCard))
        ).isSettled()
        #expect(
            shown.state.actions.last?.kind
                == .showMenu(script: .sample("view-payment"), mode: .instrument(.creditCard))
        )
        shown.when(client: .shown).when(client: .completed)
            .then(.menuClosed(.completed)).hasPending(.session).when(response: .paid).ended(
                .completed
            )
    }

    @Test func `F-23: a new card with another choice of consent changes the presentation again`() {
        let locked = everything.locked(to: .creditCard)
        let spec = ready.when(.attempt(.newCard(showsConsent: true))).when(response: locked)
            .when(.attempt(.newCard(showsConsent: false)))
        spec.then(.attemptStarted(2, .newCard(showsConsent: false))).hasPending(.session).when(
            response: locked
        )
        .hasPending(.customizePayment, sending: .presentation(.newCard(showsConsent: false)))
    }

    @Test func `F-23: after a new card's page, a saved card first switches back to all methods`() {
        let spec = ready.when(.attempt(.newCard(showsConsent: true)))
            .when(response: everything.locked(to: .creditCard)).when(.attempt(.card(rank: 1)))
            .when(response: everything.locked(to: .creditCard))
        spec.hasPending(.customizePayment, sending: .presentation(.all))
        spec.when(response: everything).hasPending(.expandMethod, sending: .method(.creditCard))
    }

    @Test func `Click to Pay shows the page in instrument mode`() {
        let spec = ready.when(.attempt(.clickToPay))
        spec.hasPending(.customizePayment, sending: .presentation(.instrument(.clickToPay)))
        spec.when(response: everything.locked(to: .clickToPay))
            .then(
                .succeeded(.customizePayment),
                .fetched(by: .customizePayment),
                .menuRequested(.instrument(.init(rawValue: "ClickToPay")))
            )
    }

    @Test func `F-25: an attempt while the page is open closes the page`() {
        let open = ready.when(.menu(.menu))
        let action = open.state.actions[0].id
        let spec = open.when(.attempt(.swish(msisdn: nil)))
        // The payer may have paid on the page before leaving it: the session is read first.
        spec.then(.attemptStarted(1, .swish(msisdn: nil))).hasPending(.session)
        spec.when(response: everything).hasPending(.expandMethod, sending: .method(.swish))
        spec.when(response: .paid).ended(.completed)
        #expect(spec.state.payment?.menu == nil)
        spec.when(.report(ActionReport(action: action, outcome: .completed)))
            .then(rejected: .actionWithdrawn(action))
    }

    @Test func `F-25: another page replaces the one that is open, after a read`() {
        let spec = ready.when(.menu(.menu)).when(.menu(.instrument(.sampleWeb)))
        spec.then(.menuChosen(.instrument(.sampleWeb))).hasPending(.session).when(
            response: everything
        )
        .hasPending(.customizePayment)
        #expect(spec.state.actions.allSatisfy { !$0.isOpen })
        ready.when(.menu(.menu)).when(.menu(.menu)).thenNothing()
    }

    @Test func `a page is refused while an attempt is under way`() {
        ready.when(.attempt(.swish(msisdn: nil))).when(.menu(.menu))
            .then(rejected: .attemptRunning(number: 1, .swish))
    }

    @Test func `after a page for one method a native attempt first switches back to all methods`() {
        let locked = everything.locked(to: .sampleWeb)
        let spec = ready.when(.menu(.instrument(.sampleWeb))).when(response: locked)
            .when(client: .canceled).when(response: locked).when(response: locked)
        spec.hasNoPendingRequest().isSettled()
        #expect(spec.state.payment?.menu == nil)
        let native = spec.when(.attempt(.swish(msisdn: nil)))
        native.hasPending(.customizePayment, sending: .presentation(.all))
        native.when(response: everything).hasPending(.expandMethod, sending: .method(.swish))
    }

    @Test func `after the page reports completed nothing starts until the PSP shows the result`() {
        let spec = ready.when(.menu(.menu)).when(client: .completed).when(response: everything)
        spec.hasPending(.session, in: .seconds(2)).isSettled(false)
        spec.when(.attempt(.swish(msisdn: nil))).then(rejected: .menuResultAwaited)
        spec.when(.menu(.menu)).then(rejected: .menuResultAwaited)
        spec.when(response: .paid).ended(.completed)
    }

    @Test func `paidMeansPaid: a page that reports completed does not end the session`() {
        let spec = ready.when(.menu(.menu)).when(client: .completed)
        #expect(spec.state.outcome == nil)
        spec.when(response: .givenUp).ended(.canceled)
    }

    @Test func `after a page is closed without paying the session is read twice, then ready again`()
    {
        let spec = ready.when(.menu(.menu)).when(client: .canceled)
        spec.then(.menuClosed(.canceled)).hasPending(.session)
        let again = spec.when(response: everything)
        again.hasPending(.session, in: .seconds(2)).isSettled(false)
        again.when(response: .givenUp).ended(.canceled)
        again.when(response: everything).hasNoPendingRequest().isSettled()
            .when(.attempt(.card(rank: 1))).then(
                .attemptStarted(1, .card(rank: 1, token: .sample("token-of-card-1")))
            )
    }

    @Test func `F-32: a page that failed is neither paid nor canceled`() {
        let spec = ready.when(.menu(.menu)).when(client: .failed(error: .plain("no script")))
        spec.then(
            .menuClosed(.failed, error: "no script"),
            .problem(
                .menuFailed,
                origin: .client,
                detail: "no script",
                isRetryable: false,
                actor: .payer
            )
        ).hasPending(.session)
        #expect(spec.state.problem?.problem.kind == .menuFailed)
        #expect(spec.state.problem?.problem.isRetryable == false)
        spec.when(response: everything).isSettled().when(.menu(.menu))
            .then(.menuChosen(.menu), .menuRequested(.menu))
    }

    @Test func `a payment completed on the page ends the session without a client's report`() {
        ready.when(.menu(.menu)).when(response: .paid).ended(.completed)
    }

    @Test
    func `a failed attempt on the page is recorded as a problem only after the page is closed`() {
        let declined = everything.with(.sample(acknowledge: "ack-1"))
        let spec = ready.when(.menu(.menu)).when(response: declined)
        spec.then(.fetched(by: .session)).hasPending(.session)
        spec.when(client: .canceled).when(response: declined)
            .then(.fetched(by: .session, changed: false), .declined()).hasPending(
                .acknowledgeFailedAttempt
            )
    }

    @Test func `F-37: polling of an open page stops at its time limit`() {
        let spec = ready.when(.menu(.menu))
        let chosenAt = spec.state.payment?.menu?.chosenAt ?? 0
        let late = spec.whenDue(.menuLimit(chosenAt: chosenAt))
        late.then(
            .payerTooLate
        ).hasPending(.session)
        late.when(response: everything).hasNoPendingRequest().isSettled()
        #expect(late.state.problem?.problem.kind == .deadlineExceeded)
        // The payer returns after all.
        late.when(response: everything).when(client: .completed).hasPending(.session)
    }

    @Test func `a return while the page is open reads the session and leaves the page open`() {
        let spec = ready.when(.menu(.menu)).when(.returned(.augmented)).hasPending(.session)
            .when(response: everything)
        #expect(spec.state.actions.contains { $0.isOpen })
        spec.isSettled()
    }

    @Test func `an abort is sent while the page is open`() {
        ready.when(.menu(.menu)).when(.abort(by: "payer")).hasPending(.abortPayment)
            .when(response: .givenUp).ended(.canceled)
    }

    @Test func `a preference for a new card starts an attempt on the PSP's page`() {
        let preferring = Opened.sample(preferences: [.newCard(showsConsent: true)])
        payment().ready(everything, opened: preferring)
            .then(types: "operationSucceeded", "fetched", "methodsOffered", "attemptStarted")
            .hasPending(.customizePayment, sending: .presentation(consent))
    }

    @Test
    func `after a lost customize-payment the session is read, and an ambiguous view resends it`() {
        let asked = ready.when(.attempt(.newCard(showsConsent: true))).when(outcome: .lost)
        asked.hasPending(.session)
        // The session is locked to cards; whether it hides the saved ones is unknown, so the lock
        // is requested again.
        asked.when(response: everything.locked(to: .creditCard))
            .hasPending(.customizePayment, sending: .presentation(consent))
    }

    @Test func `an order locked to cards shows its page for a new card without customize-payment`()
    {
        let fixed = everything.locked(to: .creditCard).without(.customizePayment)
        payment().ready(fixed).when(.attempt(.newCard(showsConsent: true)))
            .then(
                .attemptStarted(1, .newCard(showsConsent: true)),
                .menuRequested(.instrument(.creditCard))
            ).isSettled()
    }

    @Test func `pages count toward the limit of client actions`() {
        var limits = SessionLimits()
        limits.actions = 1
        let spec = payment(limits: limits).ready(everything).when(.menu(.menu))
            .when(client: .canceled).when(response: everything).when(response: everything)
        spec.when(.menu(.menu)).then(rejected: .limitReached("session.actions"))
    }

    @Test func `a command to show the page of a session without one is a problem`() {
        let spec = payment().ready(everything.without(.viewPayment)).when(.menu(.menu))
        spec.then(
            .menuChosen(.menu),
            .problem(
                .methodNotAvailable,
                code: "no-page",
                isRetryable: false,
                actor: .payer
            )
        ).isSettled()
        #expect(spec.state.problem?.problem.kind == .methodNotAvailable)
    }
}
