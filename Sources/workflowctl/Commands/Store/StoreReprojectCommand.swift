internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import Inspection

/// `store reproject`: computes the index from the logs.
struct StoreReprojectCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "reproject",
        abstract: "Update the store's index from the logs.",
        discussion: """
            The index holds the money, amount, turn and host of each session, so that 'list', \
            'at-risk' and 'metrics' do not have to read logs. For sessions that lack these \
            values, this command computes them in small batches while engines keep running, and \
            then adds them to the kept sums. If interrupted, run it again to continue. With \
            --rebuild, it computes the rows of all sessions and all sums again; use it if \
            'doctor' found a difference. Exits 65 if a log could not be read; that session's \
            index entry is not changed.

            Examples:
              workflowctl store reproject
              workflowctl store reproject --rebuild
              workflowctl store reproject --json
            """
    )

    @Flag(help: "Compute the rows of all sessions and all sums again.")
    var rebuild = false

    @OptionGroup var global: GlobalOptions

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        try await Reader.withStore(for: self, in: invocation) { reader throws(Failure) in
            let store = try await reader.location.open(.existing, on: invocation.loop)
            var facts = FactsFromLogs(of: reader.store, by: reader.decider)
            let written: Result<Int, Failure>
            do throws(Failure) {
                written = .success(
                    try await facts.derive(
                        into: store,
                        rebuilding: rebuild,
                        showingTo: invocation
                    )
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
                invocation.print("\(count) session\(count == 1 ? "" : "s") updated")
            }
            return facts.unreadable == 0 ? .done : .damaged
        }
    }
}
