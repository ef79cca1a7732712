import Testing
import WorkflowTesting

@testable import EventLog
@testable import SwedbankPay
@testable import Workflow

/// What the engine core sends, and when, as transcripts.
@Suite struct DurabilityTranscriptTests {
    @Test func `a request that changes something is sent only after its start is durable`() {
        var core = CoreTranscript()
        #expect(core.give(.loaded(SessionState(session: core.session), isWatched: true)) == [])
        #expect(core.ask(.command(.open(.sample()))) == ["append after 0: opened"])
        #expect(
            core.durable() == ["publish 0 to 1", "reply 1: accepted at 1", "ask for the lease"]
        )
        #expect(core.granted() == ["perform session r-1"])
        #expect(core.respond(.unprepared) == ["append after 1: fetched, operationStarted"])
        #expect(
            core.durable() == ["publish 1 to 3", "perform prepare-payment e-1"]
        )
        #expect(
            core.respond(.withSwishAndCard) == [
                "append after 3: operationSucceeded, fetched, methodsOffered"
            ]
        )
        #expect(core.durable() == ["publish 3 to 6"])
        #expect(core.wake == .seconds(86400))
        #expect(
            core.give(.watched(core.session, false)) == [
                "give the lease back", "park",
            ]
        )
        #expect(core.core.sessionCount == 0)
    }

    @Test func `after a version conflict a command is decided again on the newer log`() throws {
        var core = CoreTranscript()
        core.becomeReady()
        let newer = try core.elsewhere(.command(.attempt(.card(rank: 1))))
        #expect(core.ask(.command(.attempt(.swish(msisdn: nil)))).count == 1)
        #expect(
            core.give(.appendFailed(core.session, conflict(core))) == ["load after 6"]
        )
        #expect(
            core.give(.loaded(newer, isWatched: false)).prefix(2) == [
                "publish 6 to 7", "reply 2: session.attempt-running",
            ]
        )
    }

    @Test func `after a version conflict a response is recorded behind the newer events`() throws {
        var core = CoreTranscript()
        core.becomeReady()
        core.ask(.command(.attempt(.swish(msisdn: nil))))
        core.durable()
        #expect(core.performed.last?.rel == .expandMethod)
        let newer = try core.elsewhere(.command(.abort(by: "another")))
        core.respond(Snapshot.withSwishAndCard.expanding(.swish))
        #expect(core.give(.appendFailed(core.session, conflict(core))) == ["load after 8"])
        let actions = core.give(.loaded(newer, isWatched: false))
        #expect(
            actions == [
                "publish 8 to 9",
                "append after 9: operationSucceeded, fetched, operationStarted",
            ]
        )
        #expect(core.state?.running?.start.rel == .expandMethod)
        core.durable()
        #expect(core.performed.last?.rel == .abortPayment)
    }

    @Test func `a read that another engine recorded as failed is repeated only after a pause`()
        throws
    {
        var core = CoreTranscript()
        core.becomeReady()
        core.ask(.command(.refetch(by: "host")))
        core.durable()
        core.wait(.seconds(2))
        let reading = try #require(core.performed.last)
        #expect(reading.rel == .session)
        // The other engine's loss is recorded late: the time to retry is over by then.
        let lost = SessionInput.requestEnded(
            reading.id,
            .failed(reach: .maybeSent, code: "http.reset", isTransient: true),
            durationMilliseconds: 10,
            retryAt: core.clock.now
        )
        let newer = try core.elsewhere(lost)
        core.respond(.withSwishAndCard)
        #expect(core.give(.appendFailed(core.session, conflict(core))) == ["load after 7"])
        #expect(core.give(.loaded(newer, isWatched: false)) == ["publish 7 to 8"])
        #expect(core.wake == RetrySchedule().floor)
        #expect(core.wait(RetrySchedule().floor) == ["perform session r-4"])
    }

    @Test func `an engine cancels its read to recover the request of another engine that died`()
        throws
    {
        var core = CoreTranscript()
        core.becomeReady()
        core.ask(.command(.refetch(by: "host")))
        core.durable()
        core.wait(.seconds(2))
        let reading = try #require(core.performed.last)
        #expect(reading.rel == .session)
        // Another engine had the lease a moment ago, and died with a request in progress; its log
        // arrives only now.
        var newer = try #require(core.state)
        let started = OperationStarted(
            effect: EffectID(rawValue: "e-9"),
            rel: .abortPayment,
            attempt: nil,
            tryNumber: 1
        )
        for event in [
            SessionEvent.abortRequested(AbortRequested(by: "another")), .operationStarted(started),
        ] {
            newer.apply(event, at: newer.lastAt)
        }
        #expect(core.give(.storeChanged(core.session)).count == 1)
        let actions = core.give(.loaded(newer, isWatched: false))
        #expect(actions.contains { $0.hasPrefix("cancel") }, "\(actions)")
        #expect(actions.contains { $0.hasSuffix("operationFailed") }, "\(actions)")
    }

    @Test func `resuming gets a reply even after a version conflict`() {
        // Rules of an earlier build left an event unrecorded: the methods were not offered.
        var core = CoreTranscript()
        var state = SessionState(session: core.session)
        let fetched = Fetched(
            cause: .session,
            digest: SnapshotCodec.digest(of: .withSwish),
            snapshot: .withSwish
        )
        for event in [SessionEvent.opened(.sample()), .fetched(fetched)] {
            state.apply(event, at: core.clock.now)
        }
        core.give(.loaded(state, isWatched: true))
        #expect(core.ask(.resumed) == ["append after 2: methodsOffered"])
        #expect(core.give(.appendFailed(core.session, conflict(core))) == ["load after 2"])
        #expect(
            core.give(.loaded(state, isWatched: false)) == ["append after 2: methodsOffered"]
        )
        #expect(core.durable().contains("reply 1: accepted at 3"))
    }

    @Test func `repeated version conflicts end in store.conflict, not in a loop`() throws {
        var limits = EngineLimits()
        limits.conflicts = 3
        var core = CoreTranscript(limits: limits)
        core.becomeReady()
        core.ask(.command(.abort(by: "host")))
        for _ in 0..<3 {
            #expect(core.give(.appendFailed(core.session, conflict(core))) == ["load after 6"])
            core.give(.loaded(try #require(core.state), isWatched: false))
        }
        let last = core.give(.appendFailed(core.session, conflict(core)))
        #expect(last.contains("reply 2: store.conflict"))
        #expect(!last.contains("load after 6"))
    }

    @Test func `a commit with an unknown outcome is found in the log and not written twice`() throws
    {
        var core = CoreTranscript()
        core.becomeReady()
        let written = try core.elsewhere(.command(.attempt(.swish(msisdn: nil))))
        core.ask(.command(.attempt(.swish(msisdn: nil))))
        var durable = written
        let started = try core.core.rules.decide(
            .starting(EffectID(rawValue: "e-2")),
            in: written,
            at: core.clock.now
        )
        for event in started { durable.apply(event, at: core.clock.now) }
        let failed = core.give(
            .appendFailed(core.session, .inputOutput(reason: "fsync", code: 5))
        )
        #expect(failed.prefix(2) == ["reply 2: store.input-output", "report store.input-output"])
        #expect(core.wait(.seconds(1)) == ["load after 6"])
        // The start is in the log, and it is unknown whether the request was sent: the engine
        // reconciles.
        let recovered = core.give(.loaded(durable, isWatched: false))
        #expect(recovered == ["publish 6 to 8", "append after 8: operationFailed"])
        core.durable()
        #expect(core.performed.last?.rel == .preparePayment)
        core.wait(.seconds(15))
        #expect(core.performed.last?.rel == .session)
    }

    private func conflict(_ core: CoreTranscript) -> EventStoreError {
        let sequence = core.state?.sequence ?? 0
        return .conflict(stream: core.session, expected: sequence, actual: sequence + 1)
    }
}
