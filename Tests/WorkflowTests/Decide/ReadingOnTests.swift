import EventLog
import SwedbankPay
import Testing
import WorkflowTesting

/// After the engine gave up reading a payment that may be taken, it goes on reading, and sends
/// nothing that changes anything.
@Suite struct ReadingOnTests {
    private let opened = Snapshot.withSwishAndCard.expanding(.swish)

    /// Fails every read until the engine gives up.
    private func outage(
        _ spec: DeciderSpec,
        _ failure: ProviderResponse.Outcome = .notSent
    ) -> DeciderSpec {
        var spec = spec
        for _ in 0..<10 where spec.state.problem == nil { spec = spec.when(outcome: failure) }
        #expect(spec.state.problem?.problem.kind == .requestFailed)
        return spec
    }

    private var lost: DeciderSpec {
        outage(payment().expanded(SwishTests.elsewhere).when(response: .swishUnderWay))
    }

    @Test func `a payment under way is read later and later, and polled once the PSP responds`() {
        var spec = lost.isSettled()
        var pauses: [Duration] = []
        for _ in 0..<12 {
            let last = spec.state.lastAt
            spec = spec.when(outcome: .notSent)
            pauses.append(spec.state.lastAt - last)
            #expect(spec.state.problem?.problem.kind == .requestFailed)
        }
        #expect(pauses.allSatisfy { $0 >= .seconds(10) && $0 < .seconds(300) }, "\(pauses)")
        #expect(pauses[11] > pauses[0] * 2, "\(pauses)")
        let back = spec.when(response: .swishUnderWay)
        #expect(back.state.problem == nil)
        back.hasPending(.getPayment)
        back.when(response: .paid).ended(.completed)
        #expect(spec.when(response: .paid).state.outcome == .completed)
        #expect(back.count(.startPaymentAttempt) == 1)
    }

    @Test func `a read that the PSP refuses for good is not repeated`() {
        let spec = payment().expanded(SwishTests.elsewhere).when(response: .swishUnderWay)
        outage(spec, .refused(403)).hasNoPendingRequest()
    }

    @Test func `an attempt that never started waits for somebody, and only a retry starts it`() {
        let unknown = outage(payment().expanded(SwishTests.elsewhere).when(outcome: .lost))
        #expect(unknown.state.money.standing == .unknown)
        let read = unknown.hasPending(.session).when(response: opened)
        #expect(read.state.problem?.problem.code == "session.held-back")
        #expect(read.state.problem?.problem.isRetryable == true)
        // Its outcome stays unknown for a while, and is read, but nothing is sent.
        var later = read
        for _ in 0..<5 where later.state.money.standing == .unknown {
            later = later.when(response: opened)
        }
        #expect(later.count(.startPaymentAttempt) == 1)
        #expect(later.state.problem?.problem.code == "session.held-back")
        later.when(.retry(by: "payer")).when(response: opened).hasPending(.startPaymentAttempt)
    }

    @Test func `what the payer does after the outage is sent again`() {
        let back = lost.when(response: .swishUnderWay)
        back.when(.abort(by: "payer")).hasPending(.abortPayment)
        back.when(.retry(by: "payer")).when(response: .swishUnderWay).hasPending(.getPayment)
        let declined = Snapshot.withSwishAndCard.with(.sample("swish/swishdeclined"))
        let over = back.when(response: declined)
        #expect(over.count(.acknowledgeFailedAttempt) == 0)
        over.hasNoPendingRequest()
        over.when(.attempt(SwishTests.elsewhere)).hasPending(.acknowledgeFailedAttempt)
    }

    @Test func `the recovery reads at once`() {
        let asked = lost.when(.refetch(by: SessionDecider.recovery))
        asked.then(.refetchRequested(RefetchRequested(by: SessionDecider.recovery)))
            .hasPending(.session)
        #expect(asked.decider.dueAt(asked.state) == asked.state.lastAt)
        #expect(asked.state.problem?.problem.kind == .requestFailed)
        #expect(asked.when(response: .swishUnderWay).state.problem == nil)
        asked.when(outcome: .notSent).hasPending(.session, in: .seconds(11))
    }

    @Test func `a session whose payer has chosen nothing rests until it is retried`() {
        outage(payment().ready().when(.returned(.original))).hasNoPendingRequest()
    }
}
