internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import Inspection

/// `store reproject`: rebuilds the index of a store that an earlier build wrote.
struct StoreReprojectCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "reproject",
        abstract: "Bring the store's index up to date from the logs.",
        discussion: """
            The index has money, amount, turn and host of each session, so that 'list', 'at-risk' and 'metrics' read no logs. \
            Sessions whose last record an earlier build wrote lack them. This derives them from the logs, some at a time, while \
            engines go on; interrupted, it goes on where it was. Exits 65 when a log could not be read: that session's row \
            stays as it is.

            Examples:
              workflowctl store reproject
              workflowctl store reproject --json
            """
    )

    @OptionGroup var global: GlobalOptions

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        try await Reader.withStore(for: self, in: invocation) { reader throws(Failure) in
            let store = try await reader.location.open(.existing, on: invocation.loop)
            var facts = FactsFromLogs(by: reader.decider)
            let written: Result<Int, Failure>
            do throws(Failure) {
                written = .success(try await facts.derive(in: reader, into: store))
            } catch {
                written = .failure(error)
            }
            await store.close()
            let count = try written.get()
            if global.json {
                invocation.print([
                    "written": .integer(Int64(count)),
                    "unreadable": .integer(Int64(facts.unreadable)),
                ])
            } else {
                invocation.print("\(count) session\(count == 1 ? "" : "s") brought up to date")
            }
            return facts.unreadable == 0 ? .done : .damaged
        }
    }
}
