import SwedbankPay
import TestSupport
import Testing
import WorkflowTesting

/// Flaws of other clients that no single rule covers: returns, addresses, methods that are not
/// native.
@Suite struct FlawTests {
    @Test
    func `F-27: a return without a get-payment reads the session; after the end it does nothing`() {
        let waiting = payment().expanded(.swish(msisdn: nil)).when(response: .swishToLaunch)
            .when(client: .launched)
        waiting.when(.returned(.augmented)).hasPending(.getPayment)
        var bare = Snapshot.swishToLaunch
        bare.methods[0].operations = [.sample(.failPaymentAttempt)]
        let silent = waiting.when(response: bare).when(.returned(.original))
        silent.hasPending(.session).when(response: .paid).ended(.completed)
            .when(.returned(.original)).thenNothing()
        // The same address comes twice when a browser reloads its page.
        waiting.when(.returned(.original)).when(.returned(.original)).hasPending(.getPayment)
    }

    @Test func `F-31: an order's URLs outlive a response without them, and stay in their session`()
    {
        var later = Snapshot.withSwish
        later.urls = OrderURLs()
        let spec = payment().ready().when(.returned(.original)).when(response: later)
        #expect(spec.state.orderURLs == Snapshot.sampleURLs)
        #expect(payment().when(.open(.sample())).state.orderURLs == OrderURLs())
    }

    static let preferences: [(Preference, Choice)] = [
        (.newCard(showsConsent: false), .newCard(showsConsent: false)),
        (.applePay(merchantIdentifier: "m"), .applePay(merchantIdentifier: "m")),
        (.googlePay, .googlePay), (.clickToPay, .clickToPay),
    ]

    @Test(arguments: preferences)
    func `a preference starts an attempt if it is offered, and is a problem otherwise`(
        preference: Preference,
        choice: Choice
    ) {
        let opened = Opened.sample(preferences: [preference])
        #expect(
            payment().ready(.withEverything, opened: opened).state.payment?.attempt?.choice
                == choice
        )
        let refused = payment().ready(.withSwish, opened: opened)
        #expect(refused.state.payment?.attempt == nil)
        #expect(refused.state.problem?.problem.kind == .methodNotAvailable)
    }

    @Test func `an operation without a URL is not performed, and is a problem`() {
        var view = Snapshot.unprepared
        view.operations[0].href = nil
        let spec = payment().when(.open(.sample())).when(response: view)
        spec.hasNoPendingRequest()
        #expect(spec.state.problem?.problem.kind == .inconsistency)
    }

    @Test(.feature("N-39"))
    func `F-36: a web-based method's get-payment is followed like any other`() {
        var view = Snapshot.withEverything
        let index = view.methods.firstIndex { $0.name == .sampleWeb } ?? 0
        view.methods[index].operations = [.sample(.getPayment, at: "web-poll", next: true)]
        payment().ready(.withEverything).when(.menu(.menu)).when(response: view)
            .hasPending(.getPayment, to: .sample("web-poll"))
    }
}
