internal import Adapters

/// How a command that follows a store waits: for new records, and for a store that is unavailable,
/// as while a database restarts or its standby takes over.
struct StoreWaiting: Sendable {
    /// The interval at which the store is polled.
    static let interval = Duration.milliseconds(250)

    private let invocation: Invocation
    /// Whether the store was unavailable at the last attempt.
    private(set) var isAway = false

    init(_ invocation: Invocation) { self.invocation = invocation }

    /// Says that the store is available again, if it was not.
    mutating func found() {
        if isAway { invocation.note("note: the store is available again") }
        isAway = false
    }

    /// Says once that the store is unavailable, and why.
    mutating func missed(_ failure: Failure) {
        if !isAway {
            invocation.note(
                "note: \(failure.message) [\(failure.code)]; waiting for the store"
            )
        }
        isAway = true
    }

    /// Waits until the store should be read again; returns false when the command was interrupted.
    func pause() async -> Bool {
        do {
            try await invocation.loop.sleep(for: Self.interval)
        } catch {
            return false
        }
        return !Task.isCancelled
    }
}
