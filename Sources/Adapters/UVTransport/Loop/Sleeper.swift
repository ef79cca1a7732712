/// One wait of one task.
final class Sleeper: @unchecked Sendable {
    // Unchecked: the variables are accessed on the loop only.

    /// How a wait ended.
    enum Outcome: Sendable {
        /// The time elapsed.
        case elapsed
        /// The task was canceled.
        case canceled
        /// The loop ended.
        case shutdown
    }

    private let loop: UVLoop
    private let duration: Duration
    private var timer: UVTimer?
    private var continuation: UnsafeContinuation<Outcome, Never>?
    private var isCanceled = false

    /// Creates a wait that has not started.
    init(on loop: UVLoop, duration: Duration) {
        self.loop = loop
        self.duration = duration
    }

    /// Starts the wait (on the loop, once).
    func start(_ continuation: UnsafeContinuation<Outcome, Never>) {
        if isCanceled { return continuation.resume(returning: .canceled) }
        self.continuation = continuation
        timer = UVTimer(on: loop, after: duration) { elapsed in
            self.end(elapsed ? .elapsed : .shutdown)
        }
    }

    /// Ends the wait early (on the loop).
    func cancel() {
        isCanceled = true
        timer?.cancel()
        end(.canceled)
    }

    private func end(_ outcome: Outcome) {
        timer = nil
        guard let continuation else { return }
        self.continuation = nil
        continuation.resume(returning: outcome)
    }
}
