internal import Adapters
internal import ArgumentParser
internal import Workflow

/// `verify`: whether logs are complete and unaltered.
struct VerifyCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check that logs are complete and unaltered; needs no keys.",
        discussion: """
            Checks the chain of hashes, the sequence, the form of each record, and in a store also its structure and \
            the list of sessions. Exits 65 and names the first bad record.

            Examples:
              workflowctl verify
              workflowctl verify SESSION
              workflowctl export | workflowctl verify -
            """
    )

    @Argument(
        help: ArgumentHelp(
            "A session, a file, or - for standard input; the whole store when left out.",
            valueName: "id|file"
        )
    )
    var source: String?

    @OptionGroup var global: GlobalOptions

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        guard let source else {
            return try await Reader.withStore(for: self, in: invocation) {
                reader throws(Failure) in
                tell(try await StoreVerification(reader).verifyAll(), invocation)
            }
        }
        guard let session = SessionID(source) else {
            return tell(try verifyFile(source, invocation), invocation)
        }
        return try await Reader.withStore(for: self, in: invocation, session: session) {
            reader throws(Failure) in
            tell(try await StoreVerification(reader).verify(session), invocation)
        }
    }

    private func verifyFile(
        _ path: String,
        _ invocation: Invocation
    ) throws(Failure) -> Verification {
        var verification = Verification()
        for log in try LogSource.read(path, in: invocation) {
            verification.add(log.records, of: log.session)
        }
        return verification
    }

    private func tell(_ verification: Verification, _ invocation: Invocation) -> ExitStatus {
        if global.json {
            invocation.print(verification.json)
        } else if verification.first == nil {
            invocation.print(
                invocation.output.style.paint("sound", .good)
                    + "  records: \(verification.records), sessions: \(verification.sessions)"
            )
        }
        guard let first = verification.first else { return .done }
        invocation.note("\(first.failure)")
        return .damaged
    }
}
