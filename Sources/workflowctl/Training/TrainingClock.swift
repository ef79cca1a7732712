internal import EventLog
internal import Synchronization
internal import Workflow

/// The virtual clock of one payment of a training store.
///
/// It stands still while work is done, and is advanced to what is due next.
final class TrainingClock: EngineClock {
    private struct Sleeper {
        var until: Instant
        var continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var now: Instant
        var sleepers: [Int: Sleeper] = [:]
        var last = 0
    }

    private let state: Mutex<State>

    /// Creates a clock that shows a time.
    init(at now: Instant) { state = Mutex(State(now: now)) }

    func now() -> Instant { state.withLock { $0.now } }

    func sleep(until instant: Instant) async {
        let number = state.withLock { state in
            state.last += 1
            return state.last
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    guard !Task.isCancelled, instant > state.now else { return true }
                    state.sleepers[number] = Sleeper(until: instant, continuation: continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            let sleeper = state.withLock { $0.sleepers.removeValue(forKey: number) }
            sleeper?.continuation.resume()
        }
    }

    /// The time at which the first sleeper wakes; `nil` when there is none.
    var nextDue: Instant? { state.withLock { $0.sleepers.values.lazy.map(\.until).min() } }

    /// Advances the time, never back, and wakes sleepers whose time has come.
    func advance(to instant: Instant) {
        let due = state.withLock { state -> [Sleeper] in
            state.now = max(state.now, instant)
            let numbers = state.sleepers.filter { $0.value.until <= state.now }
                .sorted { ($0.value.until, $0.key) < ($1.value.until, $1.key) }.map(\.key)
            return numbers.compactMap { state.sleepers.removeValue(forKey: $0) }
        }
        for sleeper in due { sleeper.continuation.resume() }
    }
}

/// The clock of a sandbox whose orders are paid one after the other, each with a clock of its own.
final class TrainingSandboxTime: Sendable {
    private let begin = ContinuousClock().now
    private let epoch: Instant
    private let clock: Mutex<TrainingClock>

    /// Creates a time that follows a clock until another one is set.
    init(_ clock: TrainingClock) {
        epoch = clock.now()
        self.clock = Mutex(clock)
    }

    /// Follows the clock of the next payment.
    func follow(_ next: TrainingClock) { clock.withLock { $0 = next } }

    /// The time for the sandbox.
    var now: ContinuousClock.Instant {
        begin.advanced(by: clock.withLock { $0 }.now() - epoch)
    }
}

/// Random numbers that are the same for the same seed.
final class TrainingChance: RandomSource {
    private let dice: Mutex<SplitMix64>

    init(seed: UInt64) { dice = Mutex(SplitMix64(seed: seed)) }

    func bytes(_ count: Int) -> [UInt8] {
        dice.withLock { dice in
            (0..<count).map { _ in UInt8(truncatingIfNeeded: dice.next() >> 40) }
        }
    }

    /// Returns a random number in a range.
    func number(in range: ClosedRange<Int>) -> Int {
        dice.withLock { Int.random(in: range, using: &$0) }
    }
}
