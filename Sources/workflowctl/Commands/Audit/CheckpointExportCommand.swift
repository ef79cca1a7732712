internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// `checkpoint export`: writes the newest checkpoint, to be kept outside the store.
struct CheckpointExportCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write the newest checkpoint, for somebody who keeps it.",
        discussion: """
            With --since, and the size of a checkpoint that was handed out before, also a proof that this one goes on from \
            it. With --leaves, all that the checkpoint covers: then an exported log can be compared with it session by \
            session.

            Examples:
              workflowctl checkpoint export
              workflowctl checkpoint export -o kept.json
              workflowctl checkpoint export --since 1 --leaves -o kept.json
            """
    )

    @OptionGroup var output: OutputOption

    @Option(help: ArgumentHelp("The size of an earlier checkpoint.", valueName: "size"))
    var since: Int?

    @Flag(help: "Also write everything that the checkpoint covers.")
    var leaves = false

    @OptionGroup var global: GlobalOptions

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        try await Reader.withStore(for: self, in: invocation) { reader throws(Failure) in
            let tree = try await CheckpointTree.read(reader.store, keepsLeaves: leaves)
            var document = CheckpointDocument(tree.newest, leaves: leaves ? tree.leaves : nil)
            if let since {
                guard since > 0, let root = tree.tree.root(of: since),
                    let path = tree.tree.consistency(from: since)
                else {
                    throw .usage(
                        "since",
                        "there was no checkpoint of that size",
                        hint: "the newest one has size \(tree.newest.checkpoint.size)"
                    )
                }
                document.consistency = .init(size: since, root: root, path: path)
            }
            try output.write(document.encode() + [0x0A], isJSON: true, in: invocation)
            return .done
        }
    }
}
