package import EventLog
package import Logging

/// Keeps lists and sums up to date while a host runs, so that who reads them need not wait.
///
/// A reader that comes first brings them up to date itself; several hosts of a store take turns.
///
/// - Note: Isolation: any.
package struct Projector: Sendable {
    /// The pause after the log was followed: lists are rarely older than this.
    private static let pause = Duration.milliseconds(200)
    /// The pause when there is more to follow, or the store cannot be written.
    private static let pauseBehind = Duration.seconds(1)

    private let store: any FactsStore
    private let log: Logger

    /// Creates a projector of a store that is open for writing.
    package init(
        of store: any FactsStore,
        log: Logger = Logger(label: "payment-workflow.projector")
    ) {
        (self.store, self.log) = (store, log)
    }

    /// Follows the log until the task is canceled; warns once when it falls behind.
    package func run() async {
        var wasBehind = false
        while !Task.isCancelled {
            let lag = await store.catchUp()
            if lag > 0, !wasBehind {
                log.warning("sums could not follow the log", metadata: ["behind": "\(lag)"])
            }
            wasBehind = lag > 0
            try? await Task.sleep(for: wasBehind ? Self.pauseBehind : Self.pause)
        }
    }
}
