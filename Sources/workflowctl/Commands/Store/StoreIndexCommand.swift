internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import Inspection

/// `store index`: adds what was recorded to the search index.
struct StoreIndexCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "index",
        abstract: "Bring the store's search index up to date.",
        discussion: """
            'find' first adds what was recorded since the last search to the search index. After \
            many payments that takes long, so this command does it before somebody searches. \
            With --follow, it stays and adds what any process records, until it is interrupted \
            (exit 130); if the store becomes unavailable, it waits until it is back. It can be \
            stopped at any time and continues when run again, and several can run at once. \
            Requires write access and, in a store with sealed values, the keys.

            Examples:
              workflowctl store index
              workflowctl store index --json
              workflowctl store index --follow
            """
    )

    @Flag(help: "Stay, and add what is recorded, until interrupted.")
    var follow = false

    @OptionGroup var global: GlobalOptions

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let update = try await Reader.withStore(for: self, in: invocation) {
            reader throws(Failure) in
            let vault = try await reader.searchIndexVault()
            if follow { return try await reader.followWithSearchIndex(by: vault) }
            return try await reader.updateSearchIndex(by: vault)
        }
        if global.json {
            invocation.print([
                "records": .integer(update.records), "complete": .bool(update.isComplete),
            ])
        } else {
            let count = "\(update.records) record\(update.records == 1 ? "" : "s") read"
            invocation.print(
                update.isComplete
                    ? "\(count); the search index is up to date"
                    : "\(count); run the command again to continue"
            )
        }
        return Task.isCancelled ? .interrupted : .done
    }
}
