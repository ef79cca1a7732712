import EventLog
import Testing
import WorkflowTesting

@testable import SwedbankPay

/// What is known of an order after responses in any sequence.
@Suite struct KnownOrderTests {
    let first = SnapshotCodec.digest(of: OrderSnapshot.sample)
    let second = SnapshotCodec.digest(of: OrderSnapshot.paid())

    @Test func `a response without an order changes nothing but the digest`() {
        var known = KnownOrder.unseen(nil)
        known.record(OrderSnapshot.sample, digest: first)
        known.record(nil, digest: second)
        #expect(known.order == OrderSnapshot.sample && known.newest == OrderSnapshot.sample)
        #expect(known.digest == second)
    }

    @Test func `the order keeps what the newest response omits`() {
        var known = KnownOrder.unseen(nil)
        known.record(OrderSnapshot.sample, digest: first)
        let short = OrderSnapshot(status: .paid)
        known.record(short, digest: second)
        #expect(known.order?.id == OrderSnapshot.sample.id && known.order?.status == .paid)
        #expect(known.newest == short)
    }

    @Test func `a log without the first order has its digest, and locks nothing`() {
        var known = KnownOrder.unseen(nil)
        known.record(nil, digest: first)
        known.lock(to: .swish)
        #expect(known == .unseen(first))
        #expect(known.order == nil && known.newest == nil && known.digest == first)
    }

    @Test func `a checkout whose log lacks the first order compares its digest`() {
        var state = SessionState(session: SessionID(at: ManualClock.noon, random: (1, 2)))
        let same = OrderFetched(cause: .paymentOrders, digest: first, order: nil)
        for event in [CheckoutEvent.checkoutOpened(.sample()), .orderFetched(same)] {
            state.apply(.checkout(event), at: ManualClock.noon)
        }
        #expect(state.checkout?.order == nil)
        #expect(state.checkout?.digest == first)
    }

    @Test func `reads are counted from the newest change, and only with a time`() {
        var reads = OrderReads.never
        reads.restart()
        #expect(reads == .never && reads.count == 0 && reads.lastAt == nil)
        reads.record(at: ManualClock.noon)
        reads.restart()
        #expect(reads == .last(ManualClock.noon, count: 0))
        reads.record(at: ManualClock.noon + .seconds(1))
        #expect(reads == .last(ManualClock.noon + .seconds(1), count: 1))
    }
}
