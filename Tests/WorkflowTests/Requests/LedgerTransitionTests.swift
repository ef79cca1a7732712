import Testing

@testable import EventLog
@testable import SwedbankPay
@testable import Workflow

/// The ledger serves any workflow: here one that opens and shuts doors.
@Suite struct LedgerTransitionTests {
    enum Kind: Hashable { case open, shut }

    struct Start: RequestStart {
        var effect: EffectID
        var kind: Kind
    }

    struct Failure: RequestFailure {
        var effect: EffectID
        var kind: Kind
        var retryAt: Instant?
        var isSafeToResend = false
        var isInterruption = false
    }

    enum Occasion { case bell }

    typealias Ledger = RequestLedger<Start, Failure, Occasion>

    func at(_ seconds: Int64) -> Instant { Instant(microseconds: seconds * 1_000_000) }

    /// A ledger after the first read.
    var read: Ledger {
        var ledger = Ledger()
        ledger.responded(at: at(0), byReading: true)
        return ledger
    }

    /// Returns the same with a request in flight.
    func sent(_ kind: Kind = .open) -> Ledger {
        var ledger = read
        ledger.started(Start(effect: ledger.nextChange, kind: kind), at: at(1), sequence: 2)
        return ledger
    }

    func failed(_ ledger: inout Ledger, retryAt: Int64?, noEffect: Bool = false, at now: Int64) {
        guard let start = ledger.inFlight?.start else { return }
        let failure = Failure(
            effect: start.effect,
            kind: start.kind,
            retryAt: retryAt.map(at),
            isSafeToResend: noEffect
        )
        let isOurs = ledger.failed(failure, at: at(now), isWanted: true)
        #expect(isOurs)
    }

    @Test func `the remote side is read before the first request`() {
        #expect(Ledger().standing == .reconciling(.firstResponse))
        #expect(read.standing == .free)
    }

    @Test func `one request is in flight, and its success frees the next`() {
        var ledger = sent()
        #expect(ledger.inFlight?.start.effect.rawValue == "e-1")
        let isStranger = ledger.succeeded(EffectID(rawValue: "e-7"), at: at(2))
        #expect(!isStranger && ledger.inFlight != nil)
        let isOurs = ledger.succeeded(EffectID(rawValue: "e-1"), at: at(2))
        #expect(isOurs)
        #expect(ledger.standing == .free && ledger.nextChange.rawValue == "e-2")
        #expect(ledger.repetition(of: .open)?.count == 1 && ledger.repetition(of: .shut) == nil)
    }

    @Test func `after an unknown outcome, nothing is sent until the remote side has been read`() {
        var ledger = sent()
        failed(&ledger, retryAt: 9, at: 2)
        #expect(ledger.standing == .reconciling(.unknownOutcome(earliestRead: at(9))))
        ledger.read(because: .asked(.bell))
        #expect(ledger.standing == .reconciling(.unknownOutcome(earliestRead: nil)))
        ledger.responded(at: at(9), byReading: true)
        #expect(ledger.standing == .free && ledger.failures(of: .open)?.count == 1)
    }

    @Test func `a request that certainly had no effect is retried without a read`() {
        var ledger = sent()
        failed(&ledger, retryAt: 3, noEffect: true, at: 2)
        #expect(ledger.standing == .free && ledger.awaitsRetry)
        #expect(ledger.failedTries(ofReading: false) == 1)
        #expect(ledger.failedTries(ofReading: true) == 0)
    }

    @Test func `a refused request requires a read and is not retried`() {
        var ledger = sent()
        failed(&ledger, retryAt: nil, at: 2)
        #expect(ledger.standing == .reconciling(.refused) && !ledger.awaitsRetry)
        #expect(ledger.failures?.isExhausted(within: RetryBound(tries: 9, time: .zero)) == true)
    }

    @Test func `tries are counted for one kind of request, and exhausted by number or time`() {
        var ledger = sent()
        for second in Int64(2)...4 {
            failed(&ledger, retryAt: second, noEffect: true, at: second)
            ledger.started(Start(effect: ledger.nextChange, kind: .open), at: at(5), sequence: 9)
        }
        let tries = ledger.failures(of: .open)
        #expect(tries?.count == 3)
        func isExhausted(_ bound: RetryBound) -> Bool? { tries?.isExhausted(within: bound) }
        #expect(isExhausted(RetryBound(tries: 3, time: .seconds(60))) == true)
        #expect(isExhausted(RetryBound(tries: 4, time: .seconds(2))) == true)
        #expect(isExhausted(RetryBound(tries: 5, time: .seconds(2), minimumTries: 4)) == false)
        ledger.ended()
        ledger.started(Start(effect: ledger.nextChange, kind: .shut), at: at(6), sequence: 10)
        failed(&ledger, retryAt: 7, noEffect: true, at: 7)
        #expect(ledger.failures(of: .shut)?.count == 1 && ledger.failures(of: .open) == nil)
    }

    @Test func `an abandoned request is reconciled after its deadline and the settling time`() {
        var ledger = sent()
        let readable = ledger.inFlight?
            .earliestRead(at(3), deadline: .seconds(10), settling: .seconds(5))
        #expect(readable == at(16))
        let failure = Failure(
            effect: EffectID(rawValue: "e-1"),
            kind: .open,
            retryAt: readable,
            isInterruption: true
        )
        let isOurs = ledger.failed(failure, at: at(3), isWanted: true)
        #expect(isOurs)
        ledger.responded(at: at(4), byReading: true)
        #expect(ledger.earliestRead(before: .open) == at(16))
        #expect(ledger.earliestRead(before: .shut) == nil)
        ledger.responded(at: at(16), byReading: true)
        #expect(ledger.earliestRead(before: .open) == nil)
    }

    @Test func `reads are bounded, paused and counted`() {
        var ledger = Ledger()
        func next(_ ledger: Ledger) -> Ledger.Reading {
            ledger.reading(from: nil, pause: .seconds(2), at: at(5)) { _ in
                RetryBound(tries: 2, time: .seconds(60))
            }
        }
        #expect(next(ledger) == .due(nil))
        ledger.readingUnusable(at: at(5))
        #expect(next(ledger) == .due(at(7)) && ledger.need == .firstResponse)
        ledger.readingUnusable(at: at(5))
        #expect(next(ledger) == .unusable && ledger.nextReading.rawValue == "r-3")
        ledger.forgetReadFailures()
        let failure = Failure(effect: ledger.nextReading, kind: .open, retryAt: at(8))
        ledger.readingFailed(failure, at: at(6))
        #expect(next(ledger) == .due(at(8)) && ledger.nextReadTry == 2)
        ledger.readingFailed(failure, at: at(8))
        guard case .exhausted(let failures) = next(ledger) else {
            Issue.record("reading goes on")
            return
        }
        #expect(failures.count == 2)
    }

    @Test func `polling begins at the first pause and slows down`() {
        let pace = PollPace(
            first: .seconds(2),
            quick: .seconds(30),
            longest: .seconds(10),
            patience: .seconds(900),
            late: .seconds(1_900)
        )
        let pauses = [0, 29, 30, 40, 60, 70, 900, 901].map { pace.pause(after: .seconds($0)) }
        #expect(
            pauses == [
                .seconds(2), .seconds(2), .seconds(3), .milliseconds(4_500),
                .seconds(10), .seconds(10), .seconds(10), .seconds(1_900),
            ]
        )
    }
}
