import EventLog
import SwedbankPay
import Testing
import WorkflowTesting

/// Apple Pay and Google Pay: presented by the client, submitted once, failures reported to the PSP.
@Suite struct WalletTests {
    static let wallets: [(ChoiceRequest, PaymentMethodName)] = [
        (.applePay(merchantIdentifier: "merchant.example.shop"), .applePay),
        (.googlePay, .googlePay),
    ]
    let token = Sealed.sample("wallet-token")

    func asked(_ request: ChoiceRequest, _ method: PaymentMethodName) -> DeciderSpec {
        payment().expanded(request, .withEverything).when(response: .authorizing(method))
    }

    @Test(arguments: wallets)
    func `R12: a wallet is presented, its token is sent, and the payment is polled to its end`(
        request: ChoiceRequest,
        method: PaymentMethodName
    ) {
        let start = payment().expanded(request, .withEverything)
        start.hasPending(.startPaymentAttempt, sending: .walletAttempt)
        let spec = start.when(response: .authorizing(method))
        spec.then(types: "operationSucceeded", "fetched", "walletRequested").isSettled()
        let authorized = spec.when(client: .authorized(payload: token))
        authorized.then(
            .onAction { .walletAuthorized(WalletAuthorized(action: $0, payload: token)) }
        )
        .hasPending(.attemptPayload, sending: .walletPayload(method: method, payload: token))
        authorized.when(response: .running(method, .sample(.getPayment, at: "poll", next: true)))
            .hasPending(.getPayment).when(response: .paid).ended(.completed)
    }

    @Test
    func `F-20: the verdict for the sheet is whether the token was accepted, not the outcome`() {
        let spec = asked(.googlePay, .googlePay).when(client: .authorized(payload: token))
        #expect(spec.state.actions.last?.verdict == nil)
        let polling = Snapshot.running(.googlePay, .sample(.getPayment, at: "poll", next: true))
        #expect(spec.when(response: polling).state.actions.last?.verdict == .accepted)
        let declined = Snapshot.withEverything.with(.sample(acknowledge: "ack-1"))
        #expect(spec.when(response: declined).state.actions.last?.verdict == .refused)
        #expect(spec.when(outcome: .refused(400)).state.actions.last?.verdict == .refused)
    }

    @Test
    func
        `F-20: after a lost response to the token a read decides whether to send it again`()
    {
        let lost = asked(.googlePay, .googlePay).when(client: .authorized(payload: token))
            .when(outcome: .lost)
        lost.hasPending(.session)
        lost.when(response: .authorizing(.googlePay))
            .hasPending(
                .attemptPayload,
                sending: .walletPayload(method: .googlePay, payload: token)
            )
        lost.when(response: .paid).ended(.completed)
        let moved = lost.when(
            response: .running(.googlePay, .sample(.getPayment, at: "p", next: true))
        )
        moved.hasPending(.getPayment)
        #expect(moved.count(.attemptPayload) == 1)
    }

    @Test func `F-20: the same view presents the wallet once`() {
        let spec = asked(.googlePay, .googlePay).when(.returned(.original))
            .when(response: .authorizing(.googlePay))
        spec.then(.fetched(by: .session, changed: false))
        #expect(spec.state.actions.count == 1)
    }

    @Test func `an accepted token is not sent again although the session still offers it`() {
        let spec = asked(.googlePay, .googlePay).when(client: .authorized(payload: token))
            .when(response: .authorizing(.googlePay))
        spec.then(.succeeded(.attemptPayload), .fetched(by: .attemptPayload, changed: false))
        #expect(spec.decider.pendingEffects(of: spec.state).requests.allSatisfy { $0.onlyReads })
    }

    @Test(arguments: wallets)
    func `a closed wallet and a failed one are reported to the PSP with different reasons`(
        request: ChoiceRequest,
        method: PaymentMethodName
    ) {
        let spec = asked(request, method)
        spec.when(client: .canceled).then(.reported { .walletCanceled($0) }).hasPending(
            .failPaymentAttempt,
            sending: .clientFailure(.userCancelled, errorCode: nil)
        )
        let failed = spec.when(client: .failed(error: .plain("no card")))
        failed.then(.reported({ .walletFailed($0) }, error: "no card")).hasPending(
            .failPaymentAttempt,
            sending: .clientFailure(.technicalError, errorCode: .plain("no card"))
        )
        let told = failed.when(response: .withEverything.with(.sample(acknowledge: "ack-1")))
            .when(outcome: .empty(status: 204)).when(response: .withEverything)
        told.isSettled().when(.attempt(.card(rank: 1))).then(
            .attemptStarted(2, .card(rank: 1, token: .sample("token-of-card-1")))
        )
    }

    @Test
    func `a closed wallet that the PSP accepts no report of ends the attempt, and a read follows`()
    {
        var view = Snapshot.authorizing(.googlePay)
        view.methods[0].operations.removeAll { $0.rel == .failPaymentAttempt }
        let spec = payment().expanded(.googlePay, .withEverything).when(response: view)
            .when(client: .canceled)
        // The PSP still shows the attempt: it is read until it is gone, and until then it may take
        // money.
        spec.then(types: "walletCanceled", "problem", "methodsOffered").hasPending(.session)
        #expect(spec.state.money.standing == .underWay)
        let gone = spec.when(response: .withEverything)
        gone.isSettled()
        #expect(gone.state.money.standing == .intended)
        #expect(spec.state.problem?.problem.kind == .walletFailed)
        #expect(spec.state.payment?.attempt == nil)
    }

    @Test
    func `a failed wallet that the PSP accepts no report of is a problem with the client's error`()
    {
        var view = Snapshot.authorizing(.googlePay)
        view.methods[0].operations.removeAll { $0.rel == .failPaymentAttempt }
        let spec = payment().expanded(.googlePay, .withEverything).when(response: view)
            .when(client: .failed(error: .plain("no card")))
        #expect(spec.state.problem?.problem.kind == .walletFailed)
        #expect(spec.state.problem?.problem.detail == .plain("no card"))
    }

    @Test func `F-35: a token goes to the attempt's own method`() {
        var view = Snapshot.authorizing(.googlePay)
        view.methods.insert(
            OfferedMethod(
                name: .applePay,
                operations: [
                    .sample(.attemptPayload, at: "apple", next: true, tasks: [.wallet()]),
                    .sample(.failPaymentAttempt, at: "apple-fail"),
                ]
            ),
            at: 0
        )
        let spec = payment().expanded(.googlePay, .withEverything).when(response: view)
        #expect(spec.state.actions.count == 1)
        spec.when(client: .authorized(payload: token))
            .hasPending(.attemptPayload, to: .sample("attempt-payload"))
        spec.when(client: .canceled).hasPending(
            .failPaymentAttempt,
            to: .sample("fail-payment-attempt")
        )
    }

    @Test func `3-D Secure may follow a wallet`() {
        let spec = asked(.googlePay, .googlePay).when(client: .authorized(payload: token))
            .when(response: .running(.googlePay, .authentication(preset: "Y")))
        spec.hasPending(.createAuthentication)
        let challenge = Snapshot.running(
            .googlePay,
            .sample(.completeAuthentication, next: true, tasks: [.challenge()])
        )
        spec.when(response: challenge).then(
            types: "operationSucceeded",
            "fetched",
            "threeDSRequested"
        )
    }

    @Test func `a second attempt with the same wallet presents it again`() {
        let spec = asked(.googlePay, .googlePay).when(client: .canceled)
            .when(response: .withEverything.with(.sample(acknowledge: "ack-1")))
            .when(outcome: .empty(status: 204)).when(response: .withEverything)
            .when(.attempt(.googlePay)).when(response: .withEverything.expanding(.googlePay))
            .when(response: .authorizing(.googlePay))
        spec.then(types: "operationSucceeded", "fetched", "walletRequested")
        #expect(spec.state.actions.count == 2)
    }

    @Test func `a wallet that is not offered is refused`() {
        payment().ready().when(.attempt(.googlePay))
            .then(rejected: .methodNotOffered(.googlePay, offered: [.swish, .card, .newCard]))
    }
}
