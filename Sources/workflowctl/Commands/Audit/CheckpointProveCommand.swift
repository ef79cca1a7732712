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
            let proof: SessionProof
            do throws(SessionProofError) {
                proof = try await SessionProof(of: session, in: reader.store)
            } catch {
                throw Failure(error)
            }
            if let last = proof.last, last > proof.covered {
                invocation.note(
                    "records after \(proof.covered) are not covered yet; run 'workflowctl "
                        + "checkpoint create' to cover them"
                )
            }
            try output.write(proof.document.encode() + [0x0A], isJSON: true, in: invocation)
            return .done
        }
    }
}
