import TestSupport
import Testing
import WorkflowTesting

@testable import EventLog
@testable import SwedbankPay
@testable import Workflow

/// Leases, single flight, limits and stopping, as transcripts of the engine core.
@Suite struct LeaseTranscriptTests {
    @Test func `without the lease no request is sent, but commands are recorded`() throws {
        var other = CoreTranscript()
        other.becomeReady()
        var core = CoreTranscript(seed: 2)
        core.give(.loaded(try #require(other.state), isWatched: true))
        #expect(
            core.ask(.command(.attempt(.swish(msisdn: nil)))) == [
                "append after 6: attemptStarted"
            ]
        )
        #expect(
            core.durable() == ["publish 6 to 7", "reply 1: accepted at 7", "ask for the lease"]
        )
        #expect(core.granted(false) == [])
        #expect(core.wake == .milliseconds(250))
        #expect(core.ask(.command(.abort(by: "host"))) == ["append after 7: abortRequested"])
        #expect(core.durable() == ["publish 7 to 8", "reply 2: accepted at 8"])
        #expect(core.wait(.milliseconds(249)) == [])
        #expect(core.wake == .milliseconds(1))
        #expect(core.performed.isEmpty)
        #expect(core.wait(.milliseconds(1)) == ["ask for the lease"])
        #expect(core.granted() == ["append after 8: operationStarted"])
        #expect(core.durable() == ["publish 8 to 9", "perform abort-payment e-2"])
    }

    @Test(.guarantee(.durableFirst))
    func `a request whose lease expires while its start is stored is not sent`() {
        var core = CoreTranscript()
        core.becomeReady()
        core.ask(.command(.attempt(.swish(msisdn: nil))))
        let performed = core.performed.count
        #expect(core.state?.running == nil)
        core.granted(false)
        let actions = core.durable()
        #expect(core.state?.running?.start.rel == .expandMethod)
        #expect(!actions.contains { $0.hasPrefix("perform") })
        #expect(core.wait(.milliseconds(250)) == ["ask for the lease"])
        // With the lease again, its request's outcome is unknown: the engine reconciles first.
        #expect(core.granted() == ["append after 8: operationFailed"])
        core.durable()
        core.wait(.seconds(15))
        #expect(core.performed.dropFirst(performed).map(\.rel) == [.session])
    }

    @Test func `an engine that lost its lease appends nothing under it and sends no request`() {
        var core = CoreTranscript()
        core.becomeReady()
        core.ask(.command(.attempt(.swish(msisdn: nil))))
        #expect(core.appends.last?.isUnderLease == true)
        let performed = core.performed.count
        let lost = EventStoreError.leaseLost(stream: core.session)
        #expect(core.give(.appendFailed(core.session, lost)) == ["load after 6"])
        #expect(core.performed.count == performed)
        // The payer's command is recorded all the same, as any engine would; its request is left to
        // the holder of the lease.
        #expect(
            core.give(.loaded(core.state ?? SessionState(session: core.session), isWatched: false))
                == ["append after 6: attemptStarted"]
        )
        #expect(core.appends.last?.isUnderLease == false)
        #expect(core.durable().last == "ask for the lease")
        #expect(core.granted(false) == [])
        #expect(core.performed.count == performed)
    }

    @Test func `a request that was not performed is reconciled once the lease is held again`()
        throws
    {
        var core = CoreTranscript()
        core.becomeReady()
        core.ask(.command(.attempt(.swish(msisdn: nil))))
        #expect(core.durable().last == "perform expand-method e-2")
        let performed = core.performed.count
        let effect = try #require(core.performed.last?.id)
        #expect(core.give(.notPerformed(core.session, effect)) == [])
        #expect(core.wait(.milliseconds(250)) == ["ask for the lease"])
        #expect(core.granted() == ["append after 8: operationFailed"])
        core.durable()
        core.wait(.seconds(15))
        #expect(core.performed.dropFirst(performed).map(\.rel) == [.session])
    }

    @Test func `the request of an engine that died is reconciled before anything else`() throws {
        var dead = CoreTranscript()
        dead.becomeReady()
        dead.ask(.command(.attempt(.swish(msisdn: nil))))
        dead.durable()
        let left = try #require(dead.state)
        #expect(left.running?.start.rel == .expandMethod)

        var core = CoreTranscript(seed: 2)
        #expect(core.give(.loaded(left, isWatched: false)) == ["ask for the lease"])
        #expect(core.granted() == ["append after 8: operationFailed"])
        #expect(core.durable().first == "publish 8 to 9")
        #expect(core.performed.isEmpty)
        core.wait(.seconds(15))
        #expect(core.performed.map(\.rel) == [.session])
    }

    @Test func `a response to another request than the one under way is ignored`() {
        var core = CoreTranscript()
        core.becomeReady()
        core.ask(.command(.attempt(.swish(msisdn: nil))))
        core.durable()
        let stranger = EngineInput<SessionDecider>.requestEnded(
            core.session,
            EffectID(rawValue: "e-1"),
            .snapshot(.paid, status: 200),
            durationMilliseconds: 1
        )
        #expect(core.give(stranger) == [])
        #expect(core.respond(Snapshot.withSwishAndCard.expanding(.swish)).count == 1)
        // The same response a second time.
        #expect(core.respond(.paid) == [])
        core.durable()
        #expect(core.state?.outcome == nil)
    }

    @Test func `commands wait in turn behind an append, and too many are refused`() {
        var limits = EngineLimits()
        limits.queuedInputs = 2
        var core = CoreTranscript(limits: limits)
        core.becomeReady()
        #expect(
            core.ask(.command(.abort(by: "one"))) == [
                "append after 6: abortRequested, operationStarted"
            ]
        )
        #expect(core.ask(.command(.retry(by: "two"))) == [])
        #expect(core.ask(.resumed) == [])
        #expect(core.ask(.resumed) == ["reply 5: overloaded"])
        let replies = core.durable().filter { $0.hasPrefix("reply") }
        #expect(replies.first == "reply 2: accepted at 8")
    }

    @Test func `a session that has no listeners is unloaded when its work is done`() {
        var core = CoreTranscript()
        core.becomeReady(watched: false)
        #expect(core.core.sessionCount == 0)
        #expect(core.ask(.resumed) == ["reply 2: \(Rejection.notOpen.code)"])
    }

    @Test
    func `stopping starts no request, replies to commands, and records a response that is late`() {
        var core = CoreTranscript()
        core.becomeReady()
        core.ask(.command(.attempt(.swish(msisdn: nil))))
        core.durable()
        core.ask(.command(.retry(by: "host")))
        core.respond(Snapshot.withSwishAndCard.expanding(.swish))
        core.ask(.command(.abort(by: "host")))
        let stopping = core.give(.stopping)
        #expect(stopping.contains("reply 4: stopping"))
        #expect(core.ask(.resumed) == ["reply 5: stopping"])
        let count = core.performed.count
        core.durable()
        core.wait(.seconds(60))
        // What the log already has as started may be sent; nothing new is started.
        #expect(core.performed.count <= count + 1)
        #expect(core.appends.count <= 6)
        // A response that still comes is recorded, and nothing is sent because of it.
        var late = CoreTranscript()
        late.becomeReady()
        late.ask(.command(.attempt(.swish(msisdn: nil))))
        #expect(late.durable().last == "perform expand-method e-2")
        #expect(late.give(.stopping) == [])
        #expect(
            late.respond(Snapshot.withSwishAndCard.expanding(.swish)) == [
                "append after 8: operationSucceeded, fetched"
            ]
        )
        #expect(late.durable() == ["publish 8 to 10"])
        let performed = late.performed.count
        late.wait(.seconds(60))
        #expect(late.performed.count == performed)
    }

    @Test func `a poll is canceled when a command makes it obsolete`() {
        var core = CoreTranscript()
        core.becomeReady()
        core.ask(.command(.attempt(.swish(msisdn: .sample("+46739000001")))))
        core.durable()
        core.respond(Snapshot.withSwishAndCard.expanding(.swish))
        core.durable()
        core.respond(.swishUnderWay)
        core.durable()
        core.wait(.seconds(2))
        #expect(core.performed.last?.onlyReads == true)
        core.ask(.command(.abort(by: "host")))
        let actions = core.durable()
        #expect(actions.contains { $0.hasPrefix("cancel r-") })
        #expect(actions.contains { $0.contains("operationStarted") })
    }

    @Test func `after the clock is set back no event is dated before its predecessor`() {
        var core = CoreTranscript()
        core.becomeReady()
        let newest = core.appends.last?.at
        core.clock = ManualClock(now: ManualClock.noon + .seconds(-3600))
        core.ask(.command(.attempt(.swish(msisdn: nil))))
        #expect(core.appends.last?.at == newest)
        core.durable()
        #expect(core.performed.last?.rel == .expandMethod)
    }
}
