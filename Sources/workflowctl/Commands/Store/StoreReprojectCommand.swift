internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import Inspection

/// `store reproject`: brings the index of an earlier build up to date.
struct StoreReprojectCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "reproject",
        abstract: "Bring the store's index up to date from the logs.",
        discussion: """
            The index has money, amount, turn and host of each session, so that 'list', 'at-risk' and 'metrics' read no logs. \
            Sessions whose last record an earlier build wrote lack them. This derives them from the logs, some at a time, while \
            engines go on; interrupted, it goes on where it was. Then it adds to the kept sums what an earlier build wrote. With \
            --rebuild the rows of all sessions are derived from their logs and all sums are made anew: after 'doctor' found a \
            difference. Exits 65 when a log could not be read: that session's row stays as it is.

            Examples:
              workflowctl store reproject
              workflowctl store reproject --rebuild
              workflowctl store reproject --json
            """
    )

    @Flag(help: "Derive the rows of all sessions, and make all sums anew.")
    var rebuild = false

    @OptionGroup var global: GlobalOptions

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        try await Reader.withStore(for: self, in: invocation) { reader throws(Failure) in
            let store = try await reader.location.open(.existing, on: invocation.loop)
            var facts = FactsFromLogs(by: reader.decider)
            let written: Result<Int, Failure>
            do throws(Failure) {
                written = .success(
                    try await facts.derive(in: reader, into: store, rebuilding: rebuild)
                )
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
