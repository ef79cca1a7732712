import SwedbankPay
import Testing
import WorkflowTesting

/// Opening a known session's address again.
@Suite struct RefetchTests {
    let again = SessionCommand.refetch(by: "host")

    @Test func `a refetch reads the session again after the polling pause`() {
        let spec = payment().ready().when(again)
        // There is no sign of a change, so the polling interval is kept.
        spec.then(.refetchRequested(RefetchRequested(by: "host"))).hasPending(
            .session,
            in: .seconds(2)
        )
        .isSettled(false)
        spec.when(response: .withSwishAndCard).then(.fetched(by: .session, changed: false))
            .hasNoPendingRequest()
            .isSettled()
        spec.when(response: .paid).ended(.completed)
    }

    @Test func `a refetch records nothing while a read is pending`() {
        let opening = payment().when(.open(.sample()))
        opening.when(again).thenNothing().hasPending(.session, in: .zero)
        payment().ready().when(again).when(again).thenNothing().hasPending(
            .session,
            in: .seconds(2)
        )
    }

    @Test func `a refetch of an ended session reads it once more`() {
        payment().ready().when(.returned(.original)).when(response: .paid).ended(.completed)
            .when(again).then(.refetchRequested(RefetchRequested(by: "host"))).hasPending(.session)
            .when(again).thenNothing()
            .when(response: .paid).then(.fetched(by: .session, changed: false))
            .hasNoPendingRequest().isSettled().ended(.completed)
    }

    @Test func `a refetch reads at once a session whose reads had failed`() {
        let failed = ProviderResponse.Outcome.refused(409)
        let stalled = payment().when(.open(.sample())).when(outcome: failed).when(outcome: failed)
        stalled.hasNoPendingRequest()
        let woken = stalled.when(again).then(
            .exactly(.refetchRequested(RefetchRequested(by: "host")))
        ).hasPending(
            .session,
            in: .zero
        )
        #expect(woken.state.problem == nil)
        woken.when(response: .unprepared).hasPending(.preparePayment)
    }

    @Test func `a running attempt goes on after a refetch`() {
        let running = payment().expanded(SwishTests.elsewhere).when(response: .swishUnderWay)
        let spec = running.when(again).when(response: .swishUnderWay)
        #expect(spec.state.payment?.attempt == running.state.payment?.attempt)
        #expect(spec.count(.startPaymentAttempt) == 1)
        spec.hasPending(.getPayment)
    }

    @Test func `a refetch of a session that is not open is refused`() {
        payment().when(again).then(rejected: .notOpen)
    }
}
