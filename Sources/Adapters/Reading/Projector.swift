package import EventLog
package import Logging

/// Keeps lists and sums up to date while a host runs, so that who reads them need not wait.
///
/// A reader that comes first brings them up to date itself; several hosts of a store take turns.
///
/// - Note: Isolation: any.
package struct Projector: Sendable {
    /// The number of records that are followed in one transaction, for which appends wait.
    private static let batch = 500
    /// The pause after the end of the log was reached: lists are rarely older than this.
    private static let pause = Duration.milliseconds(200)
    /// The pause after a failure.
    private static let pauseAfterFailure = Duration.seconds(5)

    private let store: any FactsStore
    private let log: Logger

    /// Creates a projector of a store that is open for writing.
    package init(
        of store: any FactsStore,
        log: Logger = Logger(label: "payment-workflow.projector")
    ) {
        (self.store, self.log) = (store, log)
    }

    /// Follows the log until the task is canceled; warns of the first of failures in a row.
    package func run() async {
        var isFailing = false
        while !Task.isCancelled {
            do throws(EventStoreError) {
                try await followToEnd()
                isFailing = false
            } catch {
                if !isFailing {
                    log.warning(
                        "sums could not follow the log",
                        metadata: ["code": "\(error.code)"]
                    )
                }
                isFailing = true
            }
            try? await Task.sleep(for: isFailing ? Self.pauseAfterFailure : Self.pause)
        }
    }

    private func followToEnd() async throws(EventStoreError) {
        guard try await store.projectionLag() > 0 else { return }
        while !Task.isCancelled, try await !store.project(limit: Self.batch) {}
    }
}
