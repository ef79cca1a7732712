import EventLog
import SwedbankPay
import Testing
import Workflow
import WorkflowTesting

/// Hazards of the PSP's page and of a wallet's token.
@Suite struct PageHazardTests {
    let everything = Snapshot.withEverything
    var ready: DeciderSpec { payment().ready(everything) }
    var finished: DeciderSpec { ready.when(.menu(.menu)).when(client: .completed) }

    @Test func `a 404 while the result of a page is awaited does not expire the session`() {
        let spec = finished.when(outcome: .refused(404))
        spec.ended(nil)
        #expect(spec.state.problem?.problem.isRetryable == true)
        spec.when(.retry(by: "payer")).hasPending(.session).when(response: .paid).ended(.completed)
    }

    @Test func `after a refused read no attempt starts while the result of a page is awaited`() {
        let spec = finished.when(outcome: .refused(403))
        spec.when(.attempt(.swish(msisdn: nil))).then(rejected: .menuResultAwaited)
        spec.when(.retry(by: "payer")).hasPending(.session)
    }

    @Test func `while a page is open its own time limit applies, not the session's`() {
        let timers = ready.when(.menu(.menu)).decider
            .pendingEffects(of: ready.when(.menu(.menu)).state).timers.map(\.timer)
        #expect(!timers.contains(.sessionLimit))
        #expect(timers.contains { if case .menuLimit = $0 { true } else { false } })
    }

    @Test func `a session whose page was closed is read once more before it expires`() {
        let left = ready.when(.menu(.menu)).when(client: .canceled).when(response: everything)
            .when(response: everything)
        let look = left.whenDue(.sessionLimit)
        look.then(.exactly(.refetchRequested(RefetchRequested(by: "engine")))).hasPending(.session)
        look.when(response: .paid).ended(.completed)
        look.when(response: everything).whenDue(.sessionLimit).ended(.expired)
    }

    @Test func `a payment that continues in an app is polled although its page was closed`() {
        var away = everything
        away.operations.append(.sample(.getPayment, at: "poll", next: true))
        let spec = ready.when(.menu(.menu)).when(client: .canceled).when(response: away)
            .when(response: away)
        spec.hasPending(.getPayment).isSettled(false)
        spec.when(response: .paid).ended(.completed)
        // The payer may still choose again; the session is read before.
        spec.when(.attempt(.card(rank: 1))).then(
            .attemptStarted(1, .card(rank: 1, token: .sample("token-of-card-1")))
        ).hasPending(.session)
    }

    @Test func `the refusal of an older menu's request does not affect a newer attempt`() {
        let asking = ready.when(.menu(.instrument(.sampleWeb))).whenRequestLeaves()
        let chosen = asking.when(.attempt(.swish(msisdn: nil)))
        let effect = chosen.state.running?.start.effect ?? EffectID(rawValue: "none")
        let refused = chosen.when(
            .requestEnded(
                effect,
                .refused(400),
                durationMilliseconds: 1,
                retryAt: chosen.clock.now
            )
        )
        refused.then(types: "operationFailed").hasPending(.session)
        #expect(refused.state.payment?.attempt?.number == 1)
        refused.when(response: everything).hasPending(.expandMethod, sending: .method(.swish))
    }

    @Test func `after a lost change of presentation all methods are still offered`() {
        let locked = everything.locked(to: .sampleWeb)
        let spec = ready.when(.menu(.instrument(.sampleWeb))).when(outcome: .lost)
            .when(response: locked).when(client: .canceled).when(response: locked).when(
                response: locked
            )
        #expect(spec.state.offers == ready.state.offers)
        spec.when(.attempt(.swish(msisdn: nil))).hasPending(.customizePayment)
    }

    @Test func `the same menu command again reads the session of an overdue page`() {
        let spec = ready.when(.menu(.menu))
        let late = spec.whenDue(.menuLimit(chosenAt: spec.state.payment?.menu?.chosenAt ?? 0))
            .when(response: everything).hasNoPendingRequest()
        late.when(.menu(.menu)).then(.menuChosen(.menu)).hasPending(.session)
    }

    @Test func `a wallet token that was never sent is sent after a retry`() {
        let token = Sealed.sample("wallet-token")
        let asked = payment().expanded(.googlePay, .withEverything)
            .when(response: .authorizing(.googlePay)).when(client: .authorized(payload: token))
        let failed = asked.when(
            outcome: .failed(reach: .notSent, code: "http.tls", isTransient: false)
        )
        #expect(failed.state.actions.last?.verdict == nil)
        failed.when(.retry(by: "payer")).when(response: .authorizing(.googlePay))
            .hasPending(
                .attemptPayload,
                sending: .walletPayload(method: .googlePay, payload: token)
            )
    }

    @Test func `after its token was accepted a payment is read although no get-payment is offered`()
    {
        let spec = payment().expanded(.googlePay, .withEverything)
            .when(response: .authorizing(.googlePay))
            .when(client: .authorized(payload: .sample("token")))
            .when(response: .authorizing(.googlePay)).when(response: .authorizing(.googlePay))
            .when(response: .authorizing(.googlePay)).when(response: .authorizing(.googlePay))
        spec.hasPending(.session).ended(nil)
        spec.when(response: .paid).ended(.completed)
    }

    @Test func `a refetch command reads the session after the polling pause`() {
        ready.when(.refetch(by: "host")).hasPending(.session, in: .seconds(2))
    }
}
