import SwedbankPay
import Testing
import WorkflowTesting

/// Opening a known session's address again.
@Suite struct RefetchTests {
    let again = SessionCommand.refetch(by: "host")

    @Test func `a session whose address is given again is read anew`() {
        let spec = payment().ready().when(again)
        // There is no sign of a change, so the polling interval is kept.
        spec.then(.refetchRequested(RefetchRequested(by: "host"))).hasPending(
            .session,
            in: .seconds(2)
        )
        .isSettled(false)
        spec.when(answer: .withSwishAndCard).then(types: "fetched").hasNoPendingRequest()
            .isSettled()
        spec.when(answer: .paid).ended(.completed)
    }

    @Test func `a session that is about to be read needs no further wish`() {
        let opening = payment().when(.open(.sample()))
        opening.when(again).thenNothing().hasPending(.session, in: .zero)
        payment().ready().when(again).when(again).thenNothing().hasPending(
            .session,
            in: .seconds(2)
        )
    }

    @Test func `a session that is over is left alone`() {
        payment().ready().when(.returned(.original)).when(answer: .paid).ended(.completed)
            .when(again).thenNothing().ended(.completed)
    }

    @Test func `an address that is given again wakes a session that had given up on reading`() {
        let failed = ProviderAnswer.Outcome.refused(409)
        let stalled = payment().when(.open(.sample())).when(outcome: failed).when(outcome: failed)
        stalled.hasNoPendingRequest()
        let woken = stalled.when(again).then(types: "refetchRequested").hasPending(
            .session,
            in: .zero
        )
        #expect(woken.state.problem == nil)
        woken.when(answer: .unprepared).hasPending(.preparePayment)
    }

    @Test func `a running attempt goes on when the address is given again`() {
        let running = payment().expanded(SwishTests.elsewhere).when(answer: .swishUnderWay)
        let spec = running.when(again).when(answer: .swishUnderWay)
        #expect(spec.state.payment?.attempt == running.state.payment?.attempt)
        #expect(spec.count(.startPaymentAttempt) == 1)
        spec.hasPending(.getPayment)
    }

    @Test func `before it is open, a session has nothing to read anew`() {
        payment().when(again).then(rejected: .notOpen)
    }
}
