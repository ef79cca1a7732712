import SwedbankPay
import Testing
import Workflow

/// A breaker in a class, so that expectations do not change a copy.
private final class Subject {
    private var breaker = CircuitBreaker()

    var isIdle: Bool { breaker.isIdle }

    func admit(at time: CircuitBreaker.Time) -> CircuitBreaker.Admission? {
        breaker.admit(at: time)
    }

    func record(
        _ result: CircuitBreaker.Result,
        of admission: CircuitBreaker.Admission,
        at time: CircuitBreaker.Time
    ) {
        breaker.record(result, of: admission, at: time)
    }
}

@Suite struct CircuitBreakerTests {
    private let start = CircuitBreaker.Time.zero

    /// A breaker that has just opened at `start`.
    private func opened() throws -> Subject {
        let breaker = Subject()
        for index in 0..<20 {
            let admission = try #require(breaker.admit(at: start))
            breaker.record(index % 2 == 0 ? .responded : .failed, of: admission, at: start)
        }
        return breaker
    }

    @Test func `a host that fails half the time gets no requests for two seconds`() throws {
        let breaker = try opened()
        #expect(breaker.admit(at: start) == nil)
        #expect(breaker.admit(at: start + .milliseconds(1999)) == nil)
        #expect(breaker.admit(at: start + .seconds(2)) != nil)
    }

    @Test func `fewer than 20 results, or a third of failures, do not open the breaker`() throws {
        let breaker = Subject()
        for _ in 0..<19 {
            let admission = try #require(breaker.admit(at: start))
            breaker.record(.failed, of: admission, at: start)
        }
        #expect(breaker.admit(at: start) != nil)
        let other = Subject()
        for index in 0..<100 {
            let admission = try #require(other.admit(at: start))
            other.record(index % 3 == 0 ? .failed : .responded, of: admission, at: start)
        }
        #expect(other.admit(at: start) != nil)
    }

    @Test func `failures outside the window are forgotten`() throws {
        let breaker = Subject()
        for index in 0..<40 {
            let time = start + .seconds(index)
            let admission = try #require(breaker.admit(at: time))
            breaker.record(.failed, of: admission, at: time)
        }
        #expect(breaker.admit(at: start + .seconds(41)) != nil)
    }

    @Test func `one trial at a time tests whether the host has recovered`() throws {
        let breaker = try opened()
        let later = start + .seconds(2)
        let trial = try #require(breaker.admit(at: later))
        #expect(breaker.admit(at: later) == nil)
        breaker.record(.responded, of: trial, at: later)
        #expect(breaker.admit(at: later) != nil && breaker.isIdle)
    }

    @Test func `each failed trial doubles the time that the breaker stays open, up to 30 seconds`()
        throws
    {
        let breaker = try opened()
        var time = start
        for seconds in [2, 4, 8, 16, 30, 30] {
            #expect(breaker.admit(at: time + .seconds(seconds) - .milliseconds(1)) == nil)
            time = time + .seconds(seconds)
            let trial = try #require(breaker.admit(at: time))
            breaker.record(.failed, of: trial, at: time)
        }
    }

    @Test func `a trial with an unknown result is followed by another one at once`() throws {
        let breaker = try opened()
        let later = start + .seconds(2)
        let trial = try #require(breaker.admit(at: later))
        breaker.record(.unknown, of: trial, at: later)
        #expect(breaker.admit(at: later) != nil)
    }

    @Test func `late results from an earlier state neither close nor open the breaker`() throws {
        let breaker = Subject()
        let late = try #require(breaker.admit(at: start))
        for _ in 0..<20 {
            let admission = try #require(breaker.admit(at: start))
            breaker.record(.failed, of: admission, at: start)
        }
        let later = start + .seconds(2)
        let trial = try #require(breaker.admit(at: later))
        breaker.record(.responded, of: late, at: later)
        #expect(breaker.admit(at: later) == nil)
        breaker.record(.failed, of: late, at: later)
        breaker.record(.responded, of: trial, at: later)
        #expect(breaker.admit(at: later) != nil && breaker.isIdle)
        // As many as would open it, if they were results of this state.
        for _ in 0..<20 { breaker.record(.failed, of: late, at: later) }
        #expect(breaker.admit(at: later) != nil && breaker.isIdle)
    }

    @Test func `retries are limited to a share of the first requests`() {
        var limits = RetryBudget.Limits()
        limits.capacity = 2
        var budget = RetryBudget(limits: limits)
        func withdrawals(_ count: Int) -> [Bool] {
            (0..<count).map { _ in budget.withdraw(at: .zero) }
        }
        #expect(withdrawals(3) == [true, true, false])
        for _ in 0..<4 { budget.deposit() }
        #expect(withdrawals(1) == [false])
        budget.deposit()
        #expect(withdrawals(2) == [true, false])
        for _ in 0..<1000 { budget.deposit() }
        #expect(withdrawals(3) == [true, true, false])
    }
}
