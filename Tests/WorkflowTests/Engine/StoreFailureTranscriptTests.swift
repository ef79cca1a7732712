import Testing
import WorkflowTesting

@testable import EventLog
@testable import SwedbankPay
@testable import Workflow

/// A failing store, as transcripts of the engine core.
@Suite struct StoreFailureTranscriptTests {
    @Test(arguments: [
        EventStoreError.full, .busy, .readOnly, .unavailable(reason: "gone", code: nil),
        .inputOutput(reason: "broken", code: 5), .overloaded(name: "maximumWaitingAppends"),
    ])
    func `a response is kept while the store fails, and recorded when it recovers`(
        error: EventStoreError
    ) throws {
        var core = CoreTranscript()
        core.becomeReady()
        core.ask(.command(.attempt(.swish(msisdn: nil))))
        core.durable()
        core.respond(Snapshot.withSwishAndCard.expanding(.swish))
        for _ in 0..<8 {
            let failed = core.give(.appendFailed(core.session, error))
            #expect(failed.first == "report \(error.code)")
            #expect(core.wait(.seconds(30)) == ["load after 8"])
            let again = core.give(.loaded(try #require(core.state), isWatched: false))
            #expect(
                again.first == "append after 8: operationSucceeded, fetched, operationStarted"
            )
        }
        core.durable()
        #expect(core.performed.last?.rel == .startPaymentAttempt)
        #expect(core.performed.filter { $0.rel == .startPaymentAttempt }.count == 1)
    }

    @Test func `a response too large to be stored is recorded as a failure, and a read follows`()
        throws
    {
        var core = CoreTranscript()
        core.becomeReady()
        core.ask(.command(.attempt(.swish(msisdn: nil))))
        core.durable()
        core.respond(Snapshot.withSwishAndCard.expanding(.swish))
        core.give(.appendFailed(core.session, .limit(name: "recordBytes")))
        core.wait(.seconds(1))
        let after = core.give(.loaded(try #require(core.state), isWatched: false))
        #expect(after == ["append after 8: operationFailed"])
        core.durable()
        core.wait(.seconds(15))
        #expect(core.performed.last?.rel == .session)
    }

    @Test func `the pauses grow while appends fail, although loads succeed`() throws {
        var core = CoreTranscript()
        core.becomeReady()
        core.ask(.command(.attempt(.swish(msisdn: nil))))
        core.durable()
        core.respond(Snapshot.withSwishAndCard.expanding(.swish))
        var pauses: [Duration?] = []
        for _ in 0..<7 {
            core.give(.appendFailed(core.session, .busy))
            pauses.append(core.wake)
            core.wait(.seconds(13))
            core.give(.loaded(try #require(core.state), isWatched: false))
        }
        #expect(
            pauses == [400, 800, 1600, 3200, 6400, 12800, 12800].map { .milliseconds($0) }
        )
    }

    @Test func `a command gets an error at the first store failure and never waits indefinitely`()
        throws
    {
        var core = CoreTranscript()
        core.becomeReady()
        core.ask(.command(.abort(by: "host")))
        let failed = core.give(.appendFailed(core.session, .full))
        #expect(failed == ["reply 2: store.full", "report store.full"])
        // A command during the pause waits for the store, and no longer than that.
        #expect(core.ask(.command(.abort(by: "host"))) == [])
        #expect(core.wait(.milliseconds(400)) == ["load after 6"])
        let gone = core.give(.loadFailed(core.session, .closed))
        #expect(gone.contains("reply 3: store.closed"))
    }

    @Test
    func `a store that fails at a lease request is reported, and the request is repeated later`()
        throws
    {
        var other = CoreTranscript()
        other.becomeReady()
        var core = CoreTranscript(seed: 2)
        core.give(.loaded(try #require(other.state), isWatched: true))
        core.ask(.command(.attempt(.swish(msisdn: nil))))
        #expect(core.durable().last == "ask for the lease")
        let away = EventStoreError.unavailable(reason: "away", code: nil)
        #expect(core.give(.leaseFailed(core.session, away)) == ["report store.unavailable"])
        #expect(core.wake == .milliseconds(400))
        #expect(core.wait(.milliseconds(399)) == [])
        #expect(core.wait(.milliseconds(1)) == ["load after 7"])
        let state = try #require(core.state)
        #expect(core.give(.loaded(state, isWatched: false)) == ["ask for the lease"])
        #expect(core.performed.isEmpty)
        #expect(core.granted() == ["append after 7: operationStarted"])
    }

    @Test func `the log is read again when it changed while it was being read`() throws {
        var core = CoreTranscript()
        core.becomeReady()
        #expect(core.give(.storeChanged(core.session)) == ["load after 6"])
        // A read that is in progress may have missed this.
        #expect(core.give(.storeChanged(core.session)) == [])
        let old = try #require(core.state)
        #expect(core.give(.loaded(old, isWatched: false)) == ["load after 6"])
        let newer = try core.elsewhere(.command(.abort(by: "another")))
        let read = core.give(.loaded(newer, isWatched: false))
        #expect(read.first == "publish 6 to 7")
        #expect(!read.contains { $0.hasPrefix("load") })
    }

    @Test func `the log is read again when it changed right after an append`() throws {
        var core = CoreTranscript()
        core.becomeReady()
        core.ask(.command(.attempt(.swish(msisdn: nil))))
        // Our append is durable but not yet acknowledged; another writer was next.
        #expect(core.give(.storeChanged(core.session)) == [])
        let ours = core.durable()
        #expect(ours.contains("perform expand-method e-2"))
        #expect(ours.last == "load after 8")
        let newer = try core.elsewhere(.command(.abort(by: "another")))
        #expect(core.give(.loaded(newer, isWatched: false)) == ["publish 8 to 9"])
    }

    @Test func `a session that could not be opened is not kept in memory`() {
        var core = CoreTranscript()
        core.give(.loaded(SessionState(session: core.session), isWatched: true))
        core.ask(.command(.open(.sample())))
        let failed = core.give(.appendFailed(core.session, .full))
        #expect(failed.contains("reply 1: store.full"))
        #expect(core.give(.watched(core.session, false)).contains("park"))
        #expect(core.core.sessionCount == 0)
        #expect(core.wait(.seconds(60)) == [])
    }
}
