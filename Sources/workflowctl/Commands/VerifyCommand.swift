internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay
internal import Workflow

/// `verify`: verifies that logs are complete and unaltered.
struct VerifyCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check that logs are complete and unaltered; needs no keys.",
        discussion: """
            Checks the chain of hashes, the sequence, the form of each record and what it says, and in a store also its \
            structure and the list of sessions. Exits 65, names the first bad record and the kind of damage, and says \
            what can still be relied upon. A file may be compressed (.gz, .zst) and hold any number of sessions, one \
            after the other or mixed, as long as each is in order.

            With the keys at hand every seal of a store is opened too; seals whose keys are gone are only counted.

            Examples:
              workflowctl verify
              workflowctl verify SESSION
              workflowctl verify --all --resume-file verify.json
              workflowctl export | workflowctl verify -
            """
    )

    @Argument(
        help: ArgumentHelp(
            "A session, a file, or - for standard input; the whole store when left out.",
            valueName: "id|file"
        ),
        completion: SessionCompletion.sessionsAndFiles
    )
    var source: String?

    @Flag(help: "List everything that is wrong, not the first thing only.")
    var all = false

    @Flag(
        inversion: .prefixedNo,
        help:
            "Open every seal with the store's keys, also those of a file; by default those of a store if its keys are there."
    )
    var keys: Bool?

    @Flag(help: "Exit 1 when text was masked, which the hashes do not cover.")
    var noMasked = false

    @Option(
        help: ArgumentHelp(
            "Keep in this file how far the check of a store has come, and go on from there after an interruption.",
            valueName: "file"
        )
    )
    var resumeFile: String?

    @OptionGroup var global: GlobalOptions

    var sessionNames: [String] {
        get { source.map { [$0] } ?? [] }
        set { source = newValue.first }
    }

    var mayNameFiles: Bool { true }

    func refuseBadArguments() throws(Failure) {
        guard resumeFile == nil || source == nil else {
            throw .usage("resume-file", "--resume-file is for the check of a whole store")
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
            let check = StoreVerification(reader, vault: vault)
            if let session { return try await verify(session, check, reader) }
            let resumption = resumeFile.map { Resumption(path: $0, vault: vault) }
            guard var verification = try await check.verifyAll(resuming: resumption) else {
                return .interrupted
            }
            try await verification.addCheckpoints(of: reader)
            return tell(verification, invocation)
        }
    }

    /// Verifies one session of a store, even if it was removed and only a checkpoint covers it.
    private func verify(
        _ session: SessionID,
        _ check: StoreVerification,
        _ reader: Reader
    ) async throws(Failure) -> ExitStatus {
        let found = try await check.verify(session)
        var verification = found ?? Verification()
        try await verification.addCheckpoints(of: reader, session: session)
        guard found != nil || verification.first != nil else {
            throw Failure(EngineError.unknownSession(session))
        }
        return tell(verification, reader.invocation)
    }

    /// Prints the result; masked text is a refusal where it is not accepted.
    private func tell(_ verification: Verification, _ invocation: Invocation) -> ExitStatus {
        let status = verification.tell(invocation, asJSON: global.json, listing: all)
        let masked = verification.tally.masked.count
        guard status == .done, noMasked, masked > 0 else { return status }
        let refusal = Failure(
            .refused,
            "log.masked",
            "text was masked in \(masked) record\(masked == 1 ? "" : "s"): the hashes do not cover what they say",
            hint: "ask for the log as it was exported without --redact"
        )
        invocation.note("\(refusal)")
        return refusal.status
    }

    /// Returns the keys of a store; `nil` when they are not available or not requested.
    private func vault(of reader: Reader) throws(Failure) -> (any KeyVault)? {
        let environment = reader.invocation.environment
        switch keys {
        case false: return nil
        case true: return try reader.location.existingVault(environment: environment)
        case nil:
            do {
                return try reader.location.vault(environment: environment)
            } catch {
                reader.invocation.note("the seals are not tried: \(error.message)")
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
            guard let record = check.take(entry) else { continue }
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
            invocation.note("the log is empty: there was nothing to check")
        }
        return tell(verification, invocation)
    }
}
