import Testing
import WorkflowTesting

@testable import EventLog
@testable import SwedbankPay
@testable import Workflow

/// Logs that end in the future, because the clock of the engine that wrote them was ahead.
@Suite struct AheadClockTests {
    /// A payment that is polled, of an engine whose clock was ahead.
    private func polled(ahead: Duration) throws -> (state: SessionState, taker: CoreTranscript) {
        var giver = CoreTranscript()
        giver.clock.advance(by: ahead)
        giver.becomeReady()
        giver.ask(.command(.attempt(SwishTests.elsewhere)))
        giver.durable()
        giver.respond(Snapshot.withSwishAndCard.expanding(.swish))
        giver.durable()
        giver.respond(.swishUnderWay)
        giver.durable()
        let state = try #require(giver.state)
        #expect(giver.wake == .seconds(2))
        return (state, CoreTranscript(seed: 2))
    }

    @Test(arguments: [0, 300, 200_000])
    func `a payment is polled soon after an engine saw its log, however far ahead that is`(
        seconds: Int64
    ) throws {
        var (state, taker) = try polled(ahead: .seconds(seconds))
        taker.give(.loaded(state, isWatched: false))
        #expect(taker.wake == .seconds(2))
        #expect(taker.wait(.seconds(2)) == ["ask for the lease"])
        #expect(taker.granted() == ["perform get-payment \(state.requests.nextReading.rawValue)"])
        taker.respond(.swishUnderWay)
        let append = try #require(taker.appends.last)
        // Times in a log never go back, and the row says when the next poll is due here.
        #expect(append.at >= state.lastAt)
        #expect(append.summary.dueAt == taker.clock.now + .seconds(2))
        taker.durable()
        #expect(taker.wake == .seconds(2))
    }

    @Test func `a poll that fails is repeated with the usual pauses`() throws {
        var (state, taker) = try polled(ahead: .seconds(300))
        taker.give(.loaded(state, isWatched: true))
        taker.wait(.seconds(2))
        taker.granted()
        for _ in 0..<4 {
            taker.respond(.failed(reach: .notSent, code: "http.connect", isTransient: true))
            taker.durable()
            let wake = try #require(taker.wake)
            #expect(wake >= .milliseconds(250) && wake <= .seconds(9))
            taker.wait(wake)
        }
    }

    @Test func `a request of a dead engine is not read too early`() throws {
        var giver = CoreTranscript()
        giver.becomeReady()
        giver.ask(.command(.attempt(SwishTests.elsewhere)))
        giver.durable()
        // Its process dies; another one, whose clock is ahead, records a return.
        giver.clock.advance(by: .seconds(300))
        let state = try giver.elsewhere(.command(.returned(.original)))
        var taker = CoreTranscript(seed: 2)
        taker.clock.advance(by: .seconds(1))
        taker.give(.loaded(state, isWatched: true))
        taker.granted()
        #expect(taker.appends.last?.events.map(\.typeName) == ["operationFailed"])
        taker.durable()
        let limits = SessionLimits()
        let wake = try #require(taker.wake)
        #expect(wake >= limits.requestDeadline + limits.settling - .seconds(1))
    }
}
