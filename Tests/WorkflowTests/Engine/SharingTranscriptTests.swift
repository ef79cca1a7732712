import Testing
import WorkflowTesting

@testable import SwedbankPay
@testable import Workflow

/// Sessions that are handed over to another engine, as transcripts of the engine core.
@Suite struct SharingTranscriptTests {
    /// Returns a session that waits for a retry and has no listeners.
    private func waiting() -> CoreTranscript {
        var core = CoreTranscript()
        core.becomeReady()
        core.ask(.command(.attempt(.swish(msisdn: nil))))
        core.durable()
        core.give(.watched(core.session, false))
        core.respond(.failed(reach: .notSent, code: "http.unreachable", isTransient: true))
        core.durable()
        return core
    }

    @Test func `a session is handed over between two of its effects, and unloaded`() {
        var core = waiting()
        #expect(core.wake != nil)
        #expect(core.give(.leaseSurplus(3)) == ["hand over 1", "park"])
        #expect(!core.core.holds(core.session))
        #expect(core.wake == nil)
        #expect(core.give(.leaseSurplus(3)) == [])
    }

    @Test func `a session is not handed over while one of its requests is under way`() {
        var core = CoreTranscript()
        core.becomeReady()
        core.ask(.command(.attempt(.swish(msisdn: nil))))
        core.give(.watched(core.session, false))
        // Its start is on the way to the store, then at the PSP, then its outcome on the way to the
        // store.
        #expect(core.give(.leaseSurplus(1)) == [])
        #expect(core.durable().last == "perform expand-method e-2")
        #expect(core.give(.leaseSurplus(1)) == [])
        core.respond(.failed(reach: .notSent, code: "http.unreachable", isTransient: true))
        #expect(core.give(.leaseSurplus(1)) == [])
        core.durable()
        #expect(core.give(.leaseSurplus(1)) == ["hand over 1", "park"])
    }

    @Test func `a session is not handed over while it is being read at the PSP`() {
        var core = CoreTranscript()
        core.give(.loaded(SessionState(session: core.session), isWatched: true))
        core.ask(.command(.open(.sample())))
        core.durable()
        core.granted()
        core.give(.watched(core.session, false))
        #expect(core.performed.map(\.rel) == [.session])
        #expect(core.give(.leaseSurplus(1)) == [])
    }

    @Test func `a session with a listener, or of a stopping engine, is not handed over`() {
        var core = waiting()
        core.give(.watched(core.session, true))
        #expect(core.give(.leaseSurplus(1)) == [])
        core.give(.watched(core.session, false))
        core.give(.stopping)
        #expect(core.give(.leaseSurplus(1)) == [])
    }

    @Test func `the engine that takes over a session starts its pending request`() throws {
        var giver = waiting()
        let state = try #require(giver.state)
        giver.give(.leaseSurplus(1))
        var taker = CoreTranscript(seed: 2)
        taker.clock = giver.clock
        #expect(taker.give(.loaded(state, isWatched: false)) == [])
        #expect(taker.wait(.seconds(60)) == ["ask for the lease"])
        #expect(taker.granted() == ["append after \(state.sequence): operationStarted"])
    }
}
