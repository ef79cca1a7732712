import EventLog
import TestSupport
import Testing
import Workflow

/// What an engine asks its store about the appends of others, and what it learns.
@Suite(.guarantee(.feedComplete)) struct FollowingTests {
    private static func session(_ number: UInt64) -> SessionID {
        SessionID(at: Instant(microseconds: 8), random: (0, number))
    }
    private let first = Self.session(1)
    private let second = Self.session(2)

    private static func cursor(_ position: Int64) -> LogCursor {
        let store = StoreIdentity(high: 1, low: 2, epoch: 1)
        guard let cursor = LogCursor(store: store, positions: [position], lane: 0) else {
            preconditionFailure("there is a position for each lane")
        }
        return cursor
    }

    /// An engine that has compared the ends of all logs.
    private static func started() -> Following {
        var following = Following(batch: 2)
        let behind = following.learn(
            ends: [:],
            isWhole: true,
            newest: cursor(4),
            counter: 1
        ) { _ in .nothing }
        #expect(behind == [])
        return following
    }

    @Test func `the first question is for the ends of all logs, the next ones for what follows`() {
        var following = Following(batch: 2)
        #expect(following.hasNews(0) && following.question == .ends)
        let behind = following.learn(
            ends: [first: 3, second: 5],
            isWhole: true,
            newest: Self.cursor(4),
            counter: 7
        ) {
            .upTo($0 == first ? 3 : 4)
        }
        #expect(behind == [second])
        #expect(!following.hasNews(7) && following.hasNews(8))
        #expect(following.question == .changes(after: Self.cursor(4), limit: 2))
    }

    @Test func `ends are asked again as long as some are missing`() {
        var following = Following()
        let behind = following.learn(
            ends: [first: 3],
            isWhole: false,
            newest: Self.cursor(4),
            counter: 7
        ) { _ in .upTo(1) }
        #expect(behind == [first])
        #expect(following.hasNews(7) && following.question == .ends)
    }

    @Test func `only sessions in memory to which others have appended are read again`() {
        var following = Self.started()
        let found = StoreChanges(cursor: Self.cursor(6), heads: [first: 3, second: 5])
        #expect(following.learn(found, counter: 2) { $0 == first ? .upTo(3) : .nothing } == [])
        #expect(!following.hasNews(2))
        let more = StoreChanges(cursor: Self.cursor(7), heads: [first: 4])
        #expect(following.learn(more, counter: 3) { _ in .upTo(3) } == [first])
    }

    @Test func `what is appended while a log is read is compared when it has been read`() {
        var following = Self.started()
        let found = StoreChanges(cursor: Self.cursor(5), heads: [first: 3])
        #expect(following.learn(found, counter: 2) { _ in .loading } == [])
        #expect(following.hasNews(2))
        let nothing = StoreChanges(cursor: Self.cursor(5))
        #expect(following.learn(nothing, counter: 2) { _ in .upTo(2) } == [first])
        #expect(!following.hasNews(2))
    }

    @Test func `there is news until the last page was read`() {
        var following = Self.started()
        let page = StoreChanges(cursor: Self.cursor(6), heads: [first: 3], isComplete: false)
        #expect(following.learn(page, counter: 2) { _ in .nothing } == [])
        #expect(following.hasNews(2))
        #expect(following.question == .changes(after: Self.cursor(6), limit: 2))
    }

    @Test func `a refused log position begins again with the ends of all logs`() {
        var following = Self.started()
        following.beginAgain()
        #expect(following.hasNews(1) && following.question == .ends)
    }
}
