internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay
internal import Workflow

/// `checkpoint prove`: proves that the newest checkpoint covers a session.
struct CheckpointProveCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "prove",
        abstract: "Write a proof that the latest checkpoint covers a session's log.",
        discussion: """
            The proof contains the hash of the last record covered, which also covers all \
            records before it. Anyone who has the session's exported log and the public key can \
            check the proof without the store.

            Examples:
              workflowctl checkpoint prove SESSION
              workflowctl checkpoint prove SESSION -o proof.json
            """
    )

    @OptionGroup var given: SessionArgument
    @OptionGroup var output: OutputOption

    @OptionGroup var global: GlobalOptions

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let session = try session
        return try await Reader.withStore(for: self, in: invocation, session: session) {
            reader throws(Failure) in
            let tree = try await CheckpointTree.read(in: reader)
            let size = tree.newest.checkpoint.size
            let (placed, head): (PlacedLeaf?, StreamHead?)
            do throws(EventStoreError) {
                placed = try await reader.store.newestLeaf(of: session, below: size)
                head = try await reader.store.head(of: session)
            } catch {
                throw Failure(error)
            }
            guard let placed, let path = tree.tree.inclusion(of: placed.place) else {
                guard head != nil else { throw Failure(EngineError.unknownSession(session)) }
                throw Failure(
                    .refused,
                    "checkpoint.not-covered",
                    "no checkpoint covers session \(session) yet",
                    hint: "run 'workflowctl checkpoint create'"
                )
            }
            if let fault = CheckpointFault(placed) { throw fault.failure(stillTrue: nil) }
            if let head, head.sequence > placed.leaf.sequence {
                invocation.note(
                    "records after \(placed.leaf.sequence) are not covered yet; run 'workflowctl "
                        + "checkpoint create' to cover them"
                )
            }
            let document = CheckpointDocument(
                tree.newest,
                inclusion: .init(index: placed.place, leaf: placed.leaf, path: path)
            )
            try output.write(document.encode() + [0x0A], isJSON: true, in: invocation)
            return .done
        }
    }
}
