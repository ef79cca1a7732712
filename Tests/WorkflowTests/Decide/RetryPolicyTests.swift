import Testing
import WorkflowTesting

@testable import EventLog
@testable import SwedbankPay
@testable import Workflow

/// The criteria of a retry: first the type, then, for unknown types, the class of the status.
@Suite struct RetryPolicyTests {
    private static func row(
        _ slug: String,
        _ status: Int,
        isRetryable: Bool,
        asksFirst: Bool = false,
        delay: Duration = .zero,
        cap: RetryCap = RetryCap()
    ) -> ProblemCatalogue.Row {
        ProblemCatalogue.Row(
            slug: slug,
            status: status,
            family: "test",
            advice: ProblemAdvice(
                actor: .psp,
                isRetryable: isRetryable,
                asksFirst: asksFirst,
                delay: delay,
                cap: cap,
                newAttempt: .any,
                payerMessage: "p",
                operatorMessage: "o",
                isKnown: true
            )
        )
    }

    private static let catalogue = ProblemCatalogue(
        rows: [
            row("later", 400, isRetryable: true, delay: .seconds(5), cap: RetryCap(tries: 3)),
            row("brief", 400, isRetryable: true, cap: RetryCap(time: .seconds(4))),
            row("byhand", 400, isRetryable: true, cap: RetryCap(tries: 1)),
            row("hasty", 429, isRetryable: true),
            row("careful", 429, isRetryable: true, asksFirst: true),
            row("enough", 429, isRetryable: false),
            row("hopeless", 502, isRetryable: false),
            row("busy", 409, isRetryable: false),
        ],
        version: "test"
    )

    private let opened = Snapshot.withSwishAndCard.expanding(.swish)

    private var starting: DeciderSpec {
        var spec = payment()
        spec.decider.catalogue = Self.catalogue
        return spec.expanded(SwishTests.elsewhere)
    }

    private func refused(_ slug: String, _ status: Int) -> ProviderResponse.Outcome {
        .refused(status, .sample(slug))
    }

    @Test func `a retryable 400 is sent again after a read, up to the tries that its row allows`() {
        var spec = starting.when(outcome: refused("later", 400))
        for number in 1...2 {
            spec.then(.failed(.startPaymentAttempt, try: number, retries: true)).hasPending(
                .session,
                in: .seconds(1)
            )
            spec = spec.when(response: opened).hasPending(.startPaymentAttempt)
                .when(outcome: refused("later", 400))
        }
        spec = spec.when(response: opened)
        spec.then(
            .fetched(by: .session, changed: false),
            .refused(.startPaymentAttempt, isRetryable: true, actor: .psp)
        ).hasNoPendingRequest()
        #expect(spec.count(.startPaymentAttempt) == 3)
        #expect(spec.state.problem?.problem.isRetryable == true)
    }

    @Test func `a request is not repeated beyond the time that its row allows`() {
        var spec = starting.when(outcome: refused("brief", 400), retryIn: .seconds(2))
        spec = spec.when(response: opened).when(
            outcome: refused("brief", 400),
            retryIn: .seconds(2)
        )
        spec.hasPending(.session)
        spec = spec.when(response: opened).when(outcome: refused("brief", 400)).when(
            response: opened
        )
        spec.then(
            .fetched(by: .session, changed: false),
            .refused(.startPaymentAttempt, isRetryable: true, actor: .psp)
        ).hasNoPendingRequest()
        #expect(spec.count(.startPaymentAttempt) == 3)
    }

    @Test func `a request whose row allows one try is a retryable problem, not repeated by itself`()
    {
        let spec = starting.when(outcome: refused("byhand", 400))
        spec.then(
            .failed(.startPaymentAttempt),
            .refused(.startPaymentAttempt, isRetryable: true, actor: .psp)
        )
        #expect(spec.state.problem?.problem.isRetryable == true)
    }

    @Test func `a 429 whose row forbids a retry is a final refusal`() {
        let spec = starting.when(outcome: refused("enough", 429))
        spec.then(.failed(.startPaymentAttempt), .refused(.startPaymentAttempt, actor: .psp))
            .hasPending(.session, in: .zero)
        #expect(spec.state.problem?.problem.isRetryable == false)
        spec.when(response: .withSwishAndCard).hasNoPendingRequest().isSettled()
    }

    @Test func `with asksFirst the session is read before a request without effect is repeated`() {
        let hasty = starting.when(outcome: refused("hasty", 429), retryIn: .seconds(7))
        hasty.hasPending(.startPaymentAttempt, in: .seconds(7))
        let careful = starting.when(outcome: refused("careful", 429), retryIn: .seconds(7))
        careful.then(.failed(.startPaymentAttempt, retries: true)).hasPending(
            .session,
            in: .seconds(7)
        )
        let again = careful.when(response: opened).hasPending(.startPaymentAttempt)
        // And once more after the next refusal; a failed read is repeated.
        let second = again.when(outcome: refused("careful", 429)).hasPending(
            .session,
            in: .seconds(1)
        )
        second.when(outcome: .notSent).hasPending(.session, in: .seconds(1)).when(response: opened)
            .hasPending(.startPaymentAttempt)
        careful.when(response: .swishUnderWay).hasPending(.getPayment)
    }

    @Test
    func `a request that may have taken effect is reconciled even if its row forbids a retry`() {
        let unknown = starting.when(outcome: refused("hopeless", 502))
        unknown.then(.failed(.startPaymentAttempt, retries: true)).hasPending(
            .session,
            in: .seconds(1)
        )
        unknown.when(response: .swishUnderWay).hasPending(.getPayment).when(response: .paid)
            .ended(.completed)
        // It had no effect, and it is not repeated.
        let spec = unknown.when(response: opened)
        spec.then(
            .fetched(by: .session, changed: false),
            .refused(.startPaymentAttempt, actor: .psp)
        ).hasNoPendingRequest().isSettled()
        #expect(spec.count(.startPaymentAttempt) == 1)
        #expect(spec.state.problem?.problem.isRetryable == false)
        spec.when(.attempt(.card(rank: 1))).then(
            .attemptStarted(2, .card(rank: 1, token: .sample("token-of-card-1")))
        )
    }

    @Test func `a failed read is not repeated if its row forbids a retry`() {
        var spec = payment()
        spec.decider.catalogue = Self.catalogue
        spec.when(.open(.sample())).when(outcome: refused("hopeless", 502))
            .then(.failed(.session), .refused(.session, actor: .psp)).hasNoPendingRequest()
    }

    @Test func `a 409 means a stale view and is retried after a read, unless its row forbids it`() {
        starting.when(outcome: refused("unheard-of", 409)).then(
            .failed(.startPaymentAttempt, retries: true)
        )
        .hasPending(.session, in: .seconds(1)).when(response: opened).hasPending(
            .startPaymentAttempt
        )
        let busy = starting.when(outcome: refused("busy", 409))
        busy.then(.failed(.startPaymentAttempt), .refused(.startPaymentAttempt, actor: .psp))
            .hasPending(.session, in: .zero)
        #expect(busy.state.problem?.problem.isRetryable == false)
    }

    @Test(arguments: [
        (408, true), (425, true), (429, true), (500, true), (503, true), (599, true),
        (302, false), (400, false), (403, false), (404, false), (422, false), (451, false),
    ])
    func `an unknown problem type is classified by its status, and recorded unchanged`(
        status: Int,
        isRepeated: Bool
    ) {
        var spec = payment()
        spec.decider.catalogue = Self.catalogue
        let type = "https://shop.example/odd#Type"
        spec = spec.when(.open(.sample()))
            .when(outcome: .refused(status, ProblemDocument(type: type)))
        if isRepeated {
            spec.then(.failed(.session, retries: true)).hasPending(.session, in: .seconds(1))
        } else {
            spec.then(types: "operationFailed", "problem").hasNoPendingRequest()
            #expect(spec.state.problem?.problem.type == type)
        }
        guard case .operationFailed(let failed) = spec.newest.first else {
            return #expect(Bool(false), "nothing failed")
        }
        #expect(failed.document?.type == type && (failed.retryAt != nil) == isRepeated)
    }

    @Test func `the engine waits for the pause that a row prescribes`() throws {
        for (slug, least) in [("later", 5), ("brief", 0), ("unheard-of", 0)] {
            var core = CoreTranscript(catalogue: Self.catalogue)
            core.give(.loaded(SessionState(session: core.session), isWatched: true))
            core.ask(.command(.open(.sample())))
            core.durable()
            core.granted()
            core.respond(.refused(slug == "unheard-of" ? 503 : 400, .sample(slug)))
            guard case .operationFailed(let failed)? = core.appends.last?.events.first else {
                return #expect(Bool(false), "nothing failed")
            }
            let pause = try #require(failed.retryAt) - core.clock.now
            #expect(pause >= .seconds(least) && pause <= .seconds(least + 1), "\(slug)")
            core.durable()
            #expect(core.wake == pause)
        }
    }

    @Test func `a Retry-After takes precedence over the pause of a row`() throws {
        var core = CoreTranscript(catalogue: Self.catalogue)
        core.give(.loaded(SessionState(session: core.session), isWatched: true))
        core.ask(.command(.open(.sample())))
        core.durable()
        core.granted()
        core.respond(
            .refused(status: 400, document: .sample("later"), retryAfter: .seconds(2))
        )
        core.durable()
        #expect(core.wake == .seconds(2))
    }
}
