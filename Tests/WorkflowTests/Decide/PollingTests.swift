import EventLog
import SwedbankPay
import TestSupport
import Testing
import WorkflowTesting

@Suite(.guarantee(.settles)) struct PollingTests {
    var waiting: DeciderSpec {
        payment().expanded(SwishTests.elsewhere).when(response: .swishUnderWay)
    }

    @Test func `R20: a payment is polled every two seconds at first, then less and less often`() {
        var spec = waiting
        let began = spec.state.lastAt
        var pauses: [Duration] = []
        while spec.state.lastAt - began < .seconds(120) {
            let last = spec.state.lastAt
            spec = spec.when(response: .swishUnderWay)
            pauses.append(spec.state.lastAt - last - DeciderSpec.responseTime)
        }
        let early = pauses.prefix(14)
        #expect(early.allSatisfy { $0 == .seconds(2) })
        #expect(pauses.contains(.seconds(3)))
        #expect(pauses.contains(.milliseconds(4500)))
        #expect(pauses.contains(.milliseconds(6750)))
        #expect(pauses.last == .seconds(10))
        #expect(zip(pauses, pauses.dropFirst()).allSatisfy { $0 <= $1 })
    }

    @Test func `a poll without a change stores only the digest`() throws {
        let spec = waiting.when(response: .swishUnderWay)
        spec.then(.fetched(by: .getPayment, changed: false))
        guard case .fetched(let fetched) = spec.newest[0] else { return }
        #expect(fetched.snapshot == nil)
        #expect(fetched.digest == spec.state.payment?.digest)
        #expect(spec.state.payment?.snapshot == .swishUnderWay)
    }

    @Test func `a return polls at once and restores the short polling interval`() {
        var spec = waiting
        for _ in 0..<40 { spec = spec.when(response: .swishUnderWay) }
        spec.hasPending(.getPayment, in: .seconds(10))
        spec.when(.returned(.original)).hasPending(.getPayment, in: .zero)
            .when(response: .swishUnderWay).hasPending(.getPayment, in: .seconds(2))
    }

    @Test(arguments: [(ChoiceRequest.swish(msisdn: nil), 600), (.card(rank: 1), 900)])
    func `F-37: an attempt that exceeds its time limit is a problem, and polling stops`(
        request: ChoiceRequest,
        seconds: Int
    ) throws {
        let snapshot =
            request.instrument == .swish ? Snapshot.swishUnderWay : .cardUnderWay
        let spec = payment().expanded(request).when(response: snapshot)
        let since = try #require(spec.state.payment?.attempt?.since)
        let late = spec.whenDue(.attemptLimit(number: 1))
        #expect(late.clock.now == since + .seconds(seconds))
        // With a card, the issuer and the PSP are waited for.
        late.then(request.instrument == .swish ? .payerTooLate : .providerTooLate)
            .hasPending(.session, in: .zero)
        #expect(late.state.problem?.problem.kind == .deadlineExceeded)
        // One last poll, then only the client and the session's time limit.
        late.when(response: snapshot).hasNoPendingRequest().isSettled()
        late.when(response: .paid).ended(.completed)
    }

    @Test func `a return resumes an overdue attempt with a new time limit`() {
        let late = waiting.whenDue(.attemptLimit(number: 1)).when(response: .swishUnderWay)
        let back = late.after(.seconds(60)).when(.returned(.original))
        back.hasPending(.getPayment, in: .zero)
        #expect(back.state.problem == nil)
        let looking = back.when(response: .swishUnderWay).hasPending(.getPayment, in: .seconds(2))
        let limits = looking.decider.pendingEffects(of: looking.state).timers
        #expect(limits.map(\.timer) == [.attemptLimit(number: 1)])
        #expect(limits.first?.until == late.clock.now + .seconds(660))
    }

    @Test func `a retry resumes the polling of an overdue attempt`() {
        waiting.whenDue(.attemptLimit(number: 1)).when(response: .swishUnderWay)
            .when(.retry(by: "payer")).hasPending(.session).when(response: .swishUnderWay)
            .hasPending(.getPayment, in: .seconds(2))
    }

    @Test func `an unfinished session expires after a last read, whether ready or overdue`() {
        let ready = payment().ready()
        // Another device may have paid since: expiry is final, so the session is read once more.
        let last = ready.whenDue(.sessionLimit)
        last.then(.exactly(.refetchRequested(RefetchRequested(by: "engine")))).hasPending(.session)
        #expect(last.clock.now == ManualClock.noon + .seconds(86_400))
        let expired = last.when(response: .withSwishAndCard).whenDue(.sessionLimit)
        expired.then(.expired(.lifetime)).ended(.expired)
        #expect(expired.state.money.standing == MoneyState.Standing.none)
        last.when(response: .paid).ended(.completed)
        let overdue = waiting.whenDue(.attemptLimit(number: 1)).when(response: .swishUnderWay)
        let look = overdue.whenDue(.sessionLimit).hasPending(.session)
        look.when(response: .swishUnderWay).whenDue(.sessionLimit).ended(.expired)
        look.when(response: .paid).ended(.completed)
    }

    @Test func `a payment that cannot be read does not expire, and an operator's retry reads it`() {
        var stalled = waiting
        for _ in 0..<6 { stalled = stalled.when(outcome: .lost) }
        stalled.hasPending(.session).isSettled()
        stalled.after(.seconds(90_000)).when(.timerFired(.sessionLimit)).thenNothing()
            .ended(nil)
        stalled.when(.retry(by: "operator")).when(response: .paid).ended(.completed)
    }

    @Test func `a session with a pending read does not expire before that read`() {
        let asleep = payment().ready().when(.returned(.original)).after(.seconds(90_000))
        asleep.when(.timerFired(.sessionLimit)).thenNothing()
        asleep.when(response: .paid).ended(.completed)
    }

    @Test func `a payment completed while the PSP was unreachable is found at the time limit`() {
        var down = waiting
        for _ in 0..<6 { down = down.when(outcome: .lost) }
        let late = down.hasPending(.session).isSettled().whenDue(.attemptLimit(number: 1))
        // The payer is not blamed for the PSP.
        late.then(
            .providerTooLate
        ).hasPending(.session, in: .zero)
        late.when(response: .paid).ended(.completed)
        late.when(response: .swishUnderWay).hasNoPendingRequest().isSettled()
    }

    @Test func `after its time limit an attempt that never began is started only on a retry`() {
        let opened = Snapshot.withSwishAndCard.expanding(.swish)
        var down = payment().expanded(SwishTests.elsewhere)
        for _ in 0..<6 { down = down.when(outcome: .notSent, retryIn: .milliseconds(250)) }
        let late = down.whenDue(.attemptLimit(number: 1)).when(response: opened)
        late.hasNoPendingRequest().isSettled()
        late.when(.retry(by: "payer")).when(response: opened).hasPending(.startPaymentAttempt)
    }

    @Test func `the timeout of a 3-D Secure method does not resume an overdue attempt`() {
        let asked = payment().expanded(.card(rank: 1))
            .when(response: .running(.creditCard, .authentication(method: "data")))
        asked.whenDue(.attemptLimit(number: 1)).when(.timerFired(.methodLimit(asked.newestAction)))
            .then(types: "threeDSMethodCompleted")
            .when(response: .running(.creditCard, .authentication(method: "data")))
            .hasNoPendingRequest().isSettled()
    }

    @Test func `while an attempt is under way its time limit applies, not the session's`() {
        let timers = waiting.decider.pendingEffects(of: waiting.state).timers.map(\.timer)
        #expect(timers == [.attemptLimit(number: 1)])
    }

    @Test func `a session without methods is polled, and methods are offered when they appear`() {
        let empty = Snapshot.choosing([]).with(.sample(.getPayment, at: "poll"))
        payment().when(.open(.sample())).when(response: empty)
            .hasPending(.getPayment, in: .seconds(2), to: .sample("poll"))
            .when(response: empty).hasPending(.getPayment, in: .seconds(2))
            .when(response: .withSwish).then(
                .fetched(by: .getPayment),
                .methodsOffered(.sampleSwish)
            )
            .hasNoPendingRequest()
    }

    @Test func `a timer that is not due, not pending or of another attempt changes nothing`() {
        waiting.when(.timerFired(.attemptLimit(number: 1))).thenNothing()
        waiting.after(.seconds(601)).when(.timerFired(.attemptLimit(number: 2))).thenNothing()
        payment().ready().when(.timerFired(.sessionLimit)).thenNothing()
    }

    @Test func `next: a marked operation takes precedence over an unmarked one`() {
        let marked = Snapshot.running(
            .swish,
            .sample(.getPayment, at: "first"),
            .sample(.getPayment, at: "next", next: true)
        )
        payment().expanded(SwishTests.elsewhere).when(response: marked)
            .hasPending(.getPayment, to: .sample("next"))
    }

    @Test func `next: a marked operation keeps unmarked ones from being followed`() {
        let snapshot = Snapshot.running(
            .creditCard,
            .sample(.getPayment, at: "poll", next: true),
            .sample(.completeAuthentication, tasks: [.challenge()])
        )
        let spec = payment().expanded(.card(rank: 1)).when(response: snapshot)
        #expect(spec.state.actions.isEmpty)
        spec.hasPending(.getPayment)
    }

    @Test func `operations and methods of unknown names are kept and never followed`() {
        let odd = Rel(rawValue: "grant-wish")
        var snapshot = Snapshot.choosing([
            .sampleSwish,
            OfferedMethod(
                name: PaymentMethodName(rawValue: "Barter"),
                operations: [.sample(odd, next: true)]
            ),
        ]).with(.sample(odd, next: true))
        snapshot.unknown = .sample("more")
        let ready = payment().ready(snapshot)
        ready.hasNoPendingRequest().isSettled()
        #expect(ready.state.payment?.snapshot == snapshot)
        #expect(ready.state.offers.map(\.instrument) == [.swish, .web])
        ready.when(.attempt(.clickToPay))
            .then(rejected: .methodNotOffered(.clickToPay, offered: [.swish, .web]))
    }

    @Test func `an operation with an unexpected HTTP method is not performed, and is a problem`() {
        var snapshot = Snapshot.unprepared
        snapshot.operations[0].method = "DELETE"
        let spec = payment().when(.open(.sample())).when(response: snapshot)
        spec.hasNoPendingRequest()
        #expect(spec.state.problem?.problem.kind == .inconsistency)
    }

    @Test func `a get-payment with the HTTP method POST is not used for polling`() {
        var poll = Operation.sample(.getPayment, at: "poll", next: true)
        poll.method = "POST"
        let spec = payment().expanded(SwishTests.elsewhere).when(response: .running(.swish, poll))
        #expect(
            spec.decider.pendingEffects(of: spec.state).requests.allSatisfy { $0.rel == .session }
        )
    }
}
