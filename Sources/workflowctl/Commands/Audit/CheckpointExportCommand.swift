internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// `checkpoint export`: writes the newest checkpoint, to be kept elsewhere.
struct CheckpointExportCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Export the latest checkpoint, to be kept outside the store.",
        discussion: """
            With --since and the size of an earlier checkpoint, adds a proof that the latest \
            checkpoint extends it. With --leaves, adds everything that the checkpoint covers, so \
            that exported logs can be checked against it.

            Examples:
              workflowctl checkpoint export
              workflowctl checkpoint export -o kept.json
              workflowctl checkpoint export --since 1 --leaves -o kept.json
            """
    )

    @OptionGroup var output: OutputOption

    @Option(help: ArgumentHelp("The size of the earlier checkpoint.", valueName: "size"))
    var since: Int?

    @Flag(help: "Include everything that the checkpoint covers.")
    var leaves = false

    @OptionGroup var global: GlobalOptions

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        try await Reader.withStore(for: self, in: invocation) { reader throws(Failure) in
            let tree = try await CheckpointTree.read(in: reader, keepsLeaves: leaves)
            var document = CheckpointDocument(tree.newest, leaves: leaves ? tree.leaves : nil)
            if let since {
                guard since > 0, let root = tree.tree.root(of: since),
                    let path = tree.tree.consistency(from: since)
                else {
                    throw .usage(
                        "since",
                        "no checkpoint has this size",
                        hint: "the latest checkpoint has size \(tree.newest.checkpoint.size)"
                    )
                }
                document.consistency = .init(size: since, root: root, path: path)
            }
            try output.write(document.encode() + [0x0A], isJSON: true, in: invocation)
            return .done
        }
    }
}
