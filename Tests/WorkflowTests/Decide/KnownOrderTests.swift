import EventLog
import Testing
import WorkflowTesting

@testable import SwedbankPay

/// What is known of an order after responses in any sequence.
@Suite struct KnownOrderTests {
    let first = SnapshotCodec.digest(of: OrderSnapshot.sample)
    let second = SnapshotCodec.digest(of: OrderSnapshot.paid())

    @Test func `a response without an order changes nothing but the digest`() {
        var known = KnownOrder.unseen(UnseenOrder())
        known.record(OrderSnapshot.sample, digest: first)
        known.record(nil, digest: second)
        #expect(known.order == OrderSnapshot.sample && known.newest == OrderSnapshot.sample)
        #expect(known.digest == second)
    }

    @Test func `the order keeps what the newest response omits`() {
        var known = KnownOrder.unseen(UnseenOrder())
        known.record(OrderSnapshot.sample, digest: first)
        let short = OrderSnapshot(status: .paid)
        known.record(short, digest: second)
        #expect(known.order?.id == OrderSnapshot.sample.id && known.order?.status == .paid)
        #expect(known.newest == short)
    }

    @Test func `a log without the first order has its digest, and locks nothing`() {
        var known = KnownOrder.unseen(UnseenOrder())
        known.record(nil, digest: first)
        known.lock(to: .swish)
        let response = UnseenOrder.Response(digest: first)
        #expect(known == .unseen(UnseenOrder(response: response)))
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

    @Test func `reads of an order not seen need a response, and remain when it is shown`() {
        var known = KnownOrder.unseen(UnseenOrder())
        known.restartReads()
        #expect(known.reads == .never)
        known.record(nil, digest: first, readAt: ManualClock.noon)
        #expect(known.reads == .last(ManualClock.noon, count: 1))
        known.record(OrderSnapshot.sample, digest: second, readAt: ManualClock.noon)
        #expect(known.reads == .last(ManualClock.noon, count: 2))
        known.restartReads()
        known.record(OrderSnapshot.sample, digest: second)
        #expect(known.reads == .last(ManualClock.noon, count: 0))
    }

    @Test func `a choice made before the order is shown remains, and a lock ends the request`() {
        var known = KnownOrder.unseen(UnseenOrder())
        known.change.choose(.creditCard)
        known.record(OrderSnapshot.sample, digest: first)
        #expect(known.change == .wanted(.creditCard))
        known.change.start()
        known.change.choose(.swish)
        known.lock(to: nil)
        #expect(known.order?.instrument == .creditCard)
        #expect(known.change == .wanted(.swish))
        known.change.start()
        known.lock(to: .creditCard)
        #expect(known.order?.instrument == .creditCard)
        #expect(known.change == InstrumentChange.none)
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
