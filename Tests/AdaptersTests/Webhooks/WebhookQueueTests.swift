import EventLog
import TestSupport
import Testing
import WorkflowTesting

@testable import Adapters
@testable import EventStores

/// When each session's messages are sent, and what is kept of that.
@Suite(.feature("S-34")) struct WebhookQueueTests {
    private static let noon = ManualClock.noon
    private static let schedule = WebhookOptions.usualSchedule
    private let one = StoredSession(1).id
    private let two = StoredSession(2).id

    private func refused(
        at sequence: SequenceNumber,
        _ notices: Int = 0,
        wait: Duration? = nil
    ) -> WebhookQueue.Progress {
        WebhookQueue.Progress(
            place: WebhookQueue.Place(sequence: sequence, notices: notices),
            end: .refused(wait: wait)
        )
    }

    private func done(before sequence: SequenceNumber) -> WebhookQueue.Progress {
        WebhookQueue.Progress(place: WebhookQueue.Place(sequence: sequence))
    }

    @Test func `a refused message is tried by the schedule, and then given up`() {
        var (queue, now) = (WebhookQueue(), Self.noon)
        queue.add(3, of: one, at: now)
        for (tries, delay) in Self.schedule.enumerated() {
            #expect(queue.start(at: now, limit: 9).map(\.place.sequence) == [3])
            let verdict = queue.end(one, refused(at: 3), at: now, schedule: Self.schedule)
            #expect(verdict == .later(tries: tries + 1, at: now + delay))
            #expect(queue.start(at: now + delay + .microseconds(-1), limit: 9).isEmpty)
            now = now + delay
        }
        #expect(now - Self.noon == .seconds(75 * 3600 + 35 * 60 + 5))
        #expect(queue.start(at: now, limit: 9).count == 1)
        let verdict = queue.end(one, refused(at: 3), at: now, schedule: Self.schedule)
        #expect(verdict == .givenUp(tries: 10))
        // What follows it is sent, and begins with the first try.
        #expect(queue.start(at: now, limit: 9).map(\.place.notices) == [1])
        #expect(
            queue.end(one, refused(at: 3, 1), at: now, schedule: Self.schedule)
                == .later(tries: 1, at: now + .seconds(5))
        )
    }

    @Test func `a receiver may ask for a longer pause, not for a shorter one`() {
        var queue = WebhookQueue()
        queue.add(1, of: one, at: Self.noon)
        _ = queue.start(at: Self.noon, limit: 9)
        let asked = refused(at: 1, wait: .seconds(90))
        #expect(
            queue.end(one, asked, at: Self.noon, schedule: Self.schedule)
                == .later(tries: 1, at: Self.noon + .seconds(90))
        )
        _ = queue.start(at: Self.noon + .seconds(90), limit: 9)
        let short = refused(at: 1, wait: .seconds(1))
        #expect(
            queue.end(one, short, at: Self.noon, schedule: Self.schedule)
                == .later(tries: 2, at: Self.noon + .seconds(300))
        )
    }

    @Test func `a refused message holds back its own session, and no other`() {
        var (queue, now) = (WebhookQueue(), Self.noon)
        queue.add(1, of: one, at: now)
        queue.add(1, of: two, at: now)
        queue.add(2, of: one, at: now)
        #expect(queue.start(at: now, limit: 9).count == 2)
        // While it runs, it is not started again.
        queue.add(3, of: one, at: now)
        #expect(queue.start(at: now, limit: 9).isEmpty)
        _ = queue.end(one, refused(at: 2), at: now, schedule: Self.schedule)
        _ = queue.end(two, done(before: 2), at: now, schedule: Self.schedule)
        #expect(queue.entries.keys.sorted() == [one])
        #expect(queue.records == 2)
        queue.add(2, of: two, at: now)
        #expect(queue.start(at: now, limit: 9).map(\.session) == [two])
        now = now + .seconds(5)
        let jobs = queue.start(at: now, limit: 9)
        #expect(jobs.map(\.session) == [one])
        #expect(jobs.first?.place.sequence == 2 && jobs.first?.last == 3)
    }

    @Test func `only so many are sent at a time, the longest due first`() {
        var queue = WebhookQueue()
        for number in (1...5).reversed() {
            queue.add(1, of: StoredSession(number).id, at: Self.noon + .seconds(number))
        }
        let later = Self.noon + .seconds(60)
        let first = [1, 2].map { StoredSession($0).id }
        #expect(queue.start(at: later, limit: 2).map(\.session) == first)
        #expect(queue.start(at: later, limit: 2).isEmpty)
        _ = queue.end(StoredSession(1).id, done(before: 2), at: later, schedule: [])
        #expect(queue.start(at: later, limit: 2).map(\.session) == [StoredSession(3).id])
    }

    @Test func `of sessions that all wait, one is tried early, once in an interval`() {
        var queue = WebhookQueue()
        for id in [one, two] {
            queue.add(1, of: id, at: Self.noon)
            _ = queue.start(at: Self.noon, limit: 9)
            let refused = refused(at: 1)
            for _ in 0..<3 { _ = queue.end(id, refused, at: Self.noon, schedule: Self.schedule) }
        }
        queue.probe(at: Self.noon, every: .seconds(60))
        #expect(queue.start(at: Self.noon, limit: 9).map(\.session) == [one])
        // An early try does not count: the schedule is as it was.
        let due = Self.noon + .seconds(1800)
        let verdict = queue.end(one, refused(at: 1), at: Self.noon, schedule: Self.schedule)
        #expect(verdict == .later(tries: 3, at: due))
        queue.probe(at: Self.noon + .seconds(59), every: .seconds(60))
        #expect(queue.start(at: Self.noon + .seconds(59), limit: 9).isEmpty)
        queue.probe(at: Self.noon + .seconds(60), every: .seconds(60))
        #expect(queue.start(at: Self.noon + .seconds(60), limit: 9).map(\.session) == [one])
    }

    @Test func `the state in a file is read as it was written, and nothing else is`() throws {
        var queue = WebhookQueue()
        queue.add(4, of: one, at: Self.noon)
        queue.add(9, of: two, at: Self.noon)
        _ = queue.start(at: Self.noon, limit: 1)
        _ = queue.end(one, refused(at: 4, 1), at: Self.noon, schedule: Self.schedule)
        let mark = OutboxMark(
            position: LogCursor(
                store: StoreIdentity(high: 1, low: 2, epoch: 1),
                position: 17
            ),
            hash: Digest256(words: (1, 2, 3, 4))
        )
        let state = WebhookState(mark: mark, queue: queue)
        let text = state.text
        let read = try #require(WebhookState(parsing: Array(text.utf8)))
        #expect(read.mark == mark)
        #expect(read.queue.entries == queue.entries)
        #expect(text.utf8.count < WebhookState.bytesLimit)
        #expect(WebhookState(parsing: Array(WebhookState().text.utf8)) == WebhookState())
        for (old, new) in [
            ("\"seq\":4", "\"seq\":-4"), ("\"seq\":4", "\"seq\":0"), ("\"last\":9", "\"last\":3"),
            ("\"tries\":1", "\"tries\":null"), ("\"sessions\"", "\"other\""), ("{", "["),
            ("\"due\":\"2026", "\"due\":\"x"), ("c1.", "c9."),
        ] {
            let damaged = text.replacing(old, with: new)
            #expect(damaged != text && WebhookState(parsing: Array(damaged.utf8)) == nil, "\(new)")
        }
        for length in 0..<text.utf8.count - 1 {
            #expect(WebhookState(parsing: Array(text.utf8.prefix(length))) == nil)
        }
    }
}
