package import EventLog

/// Keeps lists and sums up to date while a host runs, so that who reads them need not wait.
///
/// A reader that comes first brings them up to date itself; several hosts of a store take turns.
///
/// - Note: Isolation: any.
package struct Projector: Sendable {
    /// The number of records that are followed in one transaction.
    package static let batch = 5_000
    /// The pause after the end of the log was reached: lists are rarely older than this.
    package static let pause = Duration.milliseconds(200)
    /// The pause after a failure.
    private static let pauseAfterFailure = Duration.seconds(5)

    private let store: any FactsStore

    /// Creates a projector of a store that is open for writing.
    package init(of store: any FactsStore) { self.store = store }

    /// Follows the log until the task is canceled.
    ///
    /// A store that cannot be written is tried again later: appends report it.
    package func run() async {
        while !Task.isCancelled {
            var pause = Self.pause
            do throws(EventStoreError) {
                try await followToEnd()
            } catch {
                pause = Self.pauseAfterFailure
            }
            try? await Task.sleep(for: pause)
        }
    }

    /// Follows the log to its end.
    package func followToEnd() async throws(EventStoreError) {
        guard try await store.projectionLag() > 0 else { return }
        while !Task.isCancelled, try await !store.project(limit: Self.batch) {}
    }
}
