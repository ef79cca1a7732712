import Synchronization

/// A clock that only the test moves.
final class ManualTime: Sendable {
    private let base = ContinuousClock().now
    private let elapsed = Mutex(Duration.zero)

    func advance(by duration: Duration) {
        elapsed.withLock { $0 += duration }
    }

    var now: ContinuousClock.Instant { base + elapsed.withLock { $0 } }
}
