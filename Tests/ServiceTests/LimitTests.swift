import EventLog
import Foundation
import TestSupport
import Testing

@testable import Service

/// What one caller can take from the others.
@Suite(.threat("T-59")) struct LimitTests {
    @Test func `a caller that sends too many requests waits, and nobody else does`() throws {
        var limits = PaymentAPI.Limits()
        limits.requestsOfReader = 3
        let used = CallerLimits(limits)
        let (one, other) = (
            Caller(name: "a", roles: [.viewer]), Caller(name: "b", roles: [.viewer])
        )
        let now = Instant(microseconds: 1_000_000)
        for _ in 0..<3 { try used.count(one, at: now) }
        let refused = #expect(throws: ServiceProblem.self) { try used.count(one, at: now) }
        #expect(refused?.status == 429)
        #expect(refused?.retryAfterSeconds == 1)
        try used.count(other, at: now)
        // A third of a second later there is room for one more.
        let later = Instant(microseconds: 1_340_000)
        try used.count(one, at: later)
        #expect(throws: ServiceProblem.self) { try used.count(one, at: later) }
        // A clock that was set back gives nothing away.
        #expect(throws: ServiceProblem.self) { try used.count(one, at: now) }
    }

    @Test func `streams are counted while they are open`() throws {
        var limits = PaymentAPI.Limits()
        (limits.streams, limits.streamsOfCaller) = (3, 2)
        let used = CallerLimits(limits)
        let (one, other) = (
            Caller(name: "a", roles: [.viewer]), Caller(name: "b", roles: [.viewer])
        )
        var tickets = [try used.openStream(of: one), try used.openStream(of: one)]
        #expect(throws: ServiceProblem.self) { _ = try used.openStream(of: one) }
        tickets.append(try used.openStream(of: other))
        #expect(throws: ServiceProblem.self) { _ = try used.openStream(of: other) }
        tickets.removeFirst()
        tickets.append(try used.openStream(of: other))
        #expect(tickets.count == 3)
    }
}
