import Testing
import WorkflowTesting

@testable import SwedbankPay

/// What is known of a session's presentation after requests that succeed, fail or are lost.
@Suite struct PresentationChangeTests {
    let card = Presentation.newCard(showsConsent: false)

    @Test func `until a request succeeds, the session is presented as before`() {
        var change = PresentationChange.none
        #expect(change.current == nil)
        change.start(card)
        #expect(change.current == nil)
        change.succeed()
        #expect(change.current == card)
        change.start(.all)
        #expect(change.current == card)
        change.succeed()
        #expect(change == .confirmed(.all))
    }

    @Test func `after a lost request, neither the earlier nor the new presentation is known`() {
        var change = PresentationChange.confirmed(card)
        change.start(.all)
        change.doubt()
        #expect(change == .requested(.all, before: nil) && change.current == nil)
        change.succeed()
        #expect(change.current == .all)
        change.doubt()
        #expect(change.current == nil)
        var none = PresentationChange.none
        none.doubt()
        none.succeed()
        #expect(none == .none)
    }

    @Test func `a view shows whether a lost change took effect, except for a new card`() {
        let swish = Presentation.instrument(.swish)
        var change = PresentationChange.requested(swish, before: nil)
        change.compare(with: .withSwishAndCard)
        #expect(change.current == nil)
        change.compare(with: Snapshot.withSwishAndCard.locked(to: .swish))
        #expect(change == .confirmed(swish))
        var hidden = PresentationChange.requested(card, before: nil)
        hidden.compare(with: Snapshot.withSwishAndCard.locked(to: .creditCard))
        #expect(hidden.current == nil)
        // A request in flight is compared with its own response, not with a view.
        var running = PresentationChange.requested(swish, before: .all)
        running.compare(with: Snapshot.withSwishAndCard.locked(to: .swish))
        #expect(running.current == .all)
    }
}
