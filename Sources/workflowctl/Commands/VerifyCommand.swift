internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay
internal import Workflow

/// `verify`: checks whether logs are complete and unaltered.
struct VerifyCommand: SourceCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verify that logs are complete and unaltered.",
        discussion: """
            Checks the hash chain, the sequence numbers, the format and the content of each \
            record and, in a store, also the tables and the session list. If a log is damaged, \
            exits 65 and prints the first bad record, the kind of damage and what can still be \
            trusted. No keys are needed; if they are available, every sealed value in the store \
            is decrypted too. Sealed values whose keys were destroyed are only counted.

            A file can contain several sessions, in any order, as long as the records of each \
            session are in order. It may be compressed (.gz, .zst).

            Examples:
              workflowctl verify
              workflowctl verify SESSION
              workflowctl verify --all --resume-file verify.json
              workflowctl export | workflowctl verify -
            """
    )

    @Argument(
        help: ArgumentHelp(
            "A session, a file, or - for standard input. Default: the whole store.",
            valueName: "id|file"
        ),
        completion: SessionCompletion.sessionsAndFiles
    )
    var source: String?

    @Flag(help: "List all damage, not only the first.")
    var all = false

    @Flag(
        inversion: .prefixedNo,
        help:
            "Decrypt every sealed value with the store's keys, also in a file. Default: only in a store whose keys are available."
    )
    var keys: Bool?

    @Option(
        help: ArgumentHelp(
            "Save the progress of a store verification in this file, and continue from there "
                + "after an interruption.",
            valueName: "file"
        )
    )
    var resumeFile: String?

    @OptionGroup var global: GlobalOptions

    func refuseBadArguments() throws(Failure) {
        guard resumeFile == nil || source == nil else {
            throw .usage("resume-file", "--resume-file requires the verification of a whole store")
        }
    }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        if let source, SessionID(source) == nil {
            guard keys == true else { return try await verifyFile(source, nil, invocation) }
            return try await Reader.withStore(for: self, in: invocation) {
                reader throws(Failure) in
                let vault = try reader.location.existingVault(environment: invocation.environment)
                return try await verifyFile(source, FileSeals(reader, vault), invocation)
            }
        }
        let session = source.flatMap { SessionID($0) }
        return try await Reader.withStore(
            for: self,
            in: invocation,
            session: session,
            readers: StoreAudit.usefulReaders
        ) { reader throws(Failure) in
            let vault = try vault(of: reader)
            let check = VerificationRun(reader, vault: vault)
            if let session { return try await verify(session, check, reader) }
            let resumption = resumeFile.map { Resumption(path: $0, vault: vault) }
            guard var verification = try await check.verifyAll(resuming: resumption) else {
                return .interrupted
            }
            try await verification.addCheckpoints(of: reader)
            return verification.printResult(invocation, asJSON: global.json, listing: all)
        }
    }

    /// Checks one session of a store, even one that has disappeared but that a checkpoint covers.
    private func verify(
        _ session: SessionID,
        _ check: VerificationRun,
        _ reader: Reader
    ) async throws(Failure) -> ExitStatus {
        let found = try await check.verify(session)
        var verification = found ?? Verification()
        try await verification.addCheckpoints(of: reader, session: session)
        guard found != nil || verification.first != nil else {
            throw Failure(EngineError.unknownSession(session))
        }
        return verification.printResult(
            reader.invocation,
            asJSON: global.json,
            listing: all
        )
    }

    /// Returns the keys of a store; `nil` when they are unavailable or not requested.
    private func vault(of reader: Reader) throws(Failure) -> (any KeyVault)? {
        let environment = reader.invocation.environment
        switch keys {
        case false: return nil
        case true: return try reader.location.existingVault(environment: environment)
        case nil:
            do {
                return try reader.location.vault(environment: environment)
            } catch {
                reader.invocation.note("sealed values were not decrypted: \(error.message)")
                return nil
            }
        }
    }

    private func verifyFile(
        _ path: String,
        _ seals: FileSeals?,
        _ invocation: Invocation
    ) async throws(Failure) -> ExitStatus {
        let input = try LogInput.open(path, in: invocation)
        var (lines, seals) = (LogReader(input.source), seals)
        var check = FileVerification()
        var line = ProgressLine(on: invocation.diagnostics)
        defer { line.clear() }
        if seals != nil { check.count() }
        while let entry = try lines.next() {
            guard !Task.isCancelled else { return .interrupted }
            guard let record = check.verify(entry) else { continue }
            try await seals?.open(record, into: &check)
            let records = check.verification.records
            guard records.isMultiple(of: 1024) else { continue }
            let (done, all) = input.progress ?? (0, 0)
            line.reached(
                done,
                of: all,
                "\(records) records",
                counting: records,
                at: invocation.now()
            )
        }
        line.clear()
        let verification = check.verification
        if verification.sessions == 0, verification.first == nil {
            invocation.note("the log is empty; nothing was checked")
        }
        return verification.printResult(invocation, asJSON: global.json, listing: all)
    }
}
