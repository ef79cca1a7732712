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

    @Test func `a session that is not found while its page is being paid on is not expired`() {
        let spec = finished.when(outcome: .refused(404))
        spec.ended(nil)
        #expect(spec.state.problem?.problem.isRetryable == true)
        spec.when(.retry(by: "payer")).hasPending(.session).when(answer: .paid).ended(.completed)
    }

    @Test func `a refused look does not let anything else begin while the PSP's word is awaited`() {
        let spec = finished.when(outcome: .refused(403))
        spec.when(.attempt(.swish(msisdn: nil))).then(rejected: .menuResultAwaited)
        spec.when(.retry(by: "payer")).hasPending(.session)
    }

    @Test func `a page does not run into the session's limit before its own`() {
        let timers = ready.when(.menu(.menu)).decider
            .pendingEffects(of: ready.when(.menu(.menu)).state).timers.map(\.timer)
        #expect(!timers.contains(.sessionLimit))
        #expect(timers.contains { if case .menuLimit = $0 { true } else { false } })
    }

    @Test func `what may have been paid is looked at once more before the session expires`() {
        let left = ready.when(.menu(.menu)).when(client: .canceled).when(answer: everything)
            .when(answer: everything)
        let look = left.whenDue(.sessionLimit)
        look.then(types: "refetchRequested").hasPending(.session)
        look.when(answer: .paid).ended(.completed)
        look.when(answer: everything).whenDue(.sessionLimit).ended(.expired)
    }

    @Test func `a payment that goes on in an app is watched, though the page was closed`() {
        var away = everything
        away.operations.append(.sample(.getPayment, at: "poll", next: true))
        let spec = ready.when(.menu(.menu)).when(client: .canceled).when(answer: away)
            .when(answer: away)
        spec.hasPending(.getPayment).isSettled(false)
        spec.when(answer: .paid).ended(.completed)
        // The payer may still choose again; the session is read before.
        spec.when(.attempt(.card(rank: 1))).then(types: "attemptStarted").hasPending(.session)
    }

    @Test func `a refusal of what an old wish asked for leaves the new one alone`() {
        let asking = ready.when(.menu(.instrument(.sampleWeb))).whenRequestLeaves()
        let chosen = asking.when(.attempt(.swish(msisdn: nil)))
        let effect = chosen.state.running?.start.effect ?? EffectID(rawValue: "none")
        let refused = chosen.when(
            .answered(
                effect,
                .refused(400),
                durationMilliseconds: 1,
                retryAt: chosen.clock.now
            )
        )
        refused.then(types: "operationFailed").hasPending(.session)
        #expect(refused.state.payment?.attempt?.number == 1)
        refused.when(answer: everything).hasPending(.expandMethod, sending: .method(.swish))
    }

    @Test func `after a lost change of presentation the payer still has all methods`() {
        let locked = everything.locked(to: .sampleWeb)
        let spec = ready.when(.menu(.instrument(.sampleWeb))).when(outcome: .lost)
            .when(answer: locked).when(client: .canceled).when(answer: locked).when(answer: locked)
        #expect(spec.state.offers == ready.state.offers)
        spec.when(.attempt(.swish(msisdn: nil))).hasPending(.customizePayment)
    }

    @Test func `the same wish again wakes a page that is not watched any more`() {
        let spec = ready.when(.menu(.menu))
        let late = spec.whenDue(.menuLimit(chosenAt: spec.state.payment?.menu?.chosenAt ?? 0))
            .when(answer: everything).hasNoPendingRequest()
        late.when(.menu(.menu)).then(types: "menuChosen").hasPending(.session)
    }

    @Test func `a token that never left is handed in by a retry`() {
        let token = Sealed.sample("wallet-token")
        let asked = payment().expanded(.googlePay, .withEverything)
            .when(answer: .authorizing(.googlePay)).when(client: .authorized(payload: token))
        let failed = asked.when(
            outcome: .failed(reach: .notSent, code: "http.tls", isTransient: false)
        )
        #expect(failed.state.actions.last?.verdict == nil)
        failed.when(.retry(by: "payer")).when(answer: .authorizing(.googlePay))
            .hasPending(
                .attemptPayload,
                sending: .walletPayload(method: .googlePay, payload: token)
            )
    }

    @Test func `a payment whose token was accepted is looked at, though no get-payment is offered`()
    {
        let spec = payment().expanded(.googlePay, .withEverything)
            .when(answer: .authorizing(.googlePay))
            .when(client: .authorized(payload: .sample("token")))
            .when(answer: .authorizing(.googlePay)).when(answer: .authorizing(.googlePay))
            .when(answer: .authorizing(.googlePay)).when(answer: .authorizing(.googlePay))
        spec.hasPending(.session).ended(nil)
        spec.when(answer: .paid).ended(.completed)
    }

    @Test func `a session that is asked for again and again is not read without a pause`() {
        ready.when(.refetch(by: "host")).hasPending(.session, in: .seconds(2))
    }
}
