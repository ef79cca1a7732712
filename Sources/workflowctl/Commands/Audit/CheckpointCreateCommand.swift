internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay
internal import Workflow

/// `checkpoint create`: signs the last record of every log.
struct CheckpointCreateCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Create a checkpoint of all logs.",
        discussion: """
            Can run while engines are writing to the store. If nothing was appended since the \
            latest checkpoint, no checkpoint is created. A checkpoint covers only logs whose \
            records are authentic; sessions whose keys are missing cannot be checked and are \
            listed on standard error. With --every, runs until interrupted.

            The signing key is created on first use, in a file next to the store \
            (payments.db.signing-key, mode 0600). Keep it away from the store and publish the \
            public key that this command prints. The latest checkpoint and the public key are \
            also saved next to the store (payments.db.checkpoint, payments.db.checkpoint-keys).

            Examples:
              workflowctl checkpoint create
              workflowctl checkpoint create --every 5m
              workflowctl checkpoint create --signing-key new.signing-key --new-key --json
            """
    )

    @Option(
        help: ArgumentHelp(
            "The file with the signing key. Default: $WORKFLOWCTL_SIGNING_KEY_FILE, else a file "
                + "next to the store. $WORKFLOWCTL_SIGNING_KEY holds the key itself.",
            valueName: "file"
        )
    )
    var signingKey: String?

    @Flag(help: "Create a new signing key even though the store has checkpoints.")
    var newKey = false

    @Option(
        help: ArgumentHelp("Create one at this interval until interrupted.", valueName: "duration")
    )
    var every: DurationArgument?

    @OptionGroup var global: GlobalOptions

    func refuseBadArguments() throws(Failure) {
        guard every?.duration ?? .seconds(1) >= .seconds(1) else {
            throw .usage("every", "--every must be at least 1s", hint: "for example, --every 5m")
        }
    }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let location = try StoreLocation.read(global, environment: invocation.environment)
        let store = try await location.open(.existing, on: invocation.loop)
        let result: Result<ExitStatus, Failure>
        do throws(Failure) {
            result = .success(try await run(store, location, invocation))
        } catch {
            result = .failure(error)
        }
        await store.close()
        return try result.get()
    }

    private func run(
        _ store: any CheckpointStore,
        _ location: StoreLocation,
        _ invocation: Invocation
    ) async throws(Failure) -> ExitStatus {
        let signer = try await signer(for: store, location, invocation.environment)
        guard let every else {
            try await make(store, location, signer, invocation)
            return .done
        }
        while !Task.isCancelled {
            do throws(Failure) {
                try await make(store, location, signer, invocation)
            } catch {
                guard error.status == .tryAgain else { throw error }
                invocation.note("\(error)")
            }
            // Ends early when the command is interrupted; a checkpoint in progress is finished.
            try? await invocation.loop.sleep(for: every.duration)
        }
        return .interrupted
    }

    private func make(
        _ store: any CheckpointStore,
        _ location: StoreLocation,
        _ signer: CheckpointSigner,
        _ invocation: Invocation
    ) async throws(Failure) {
        let beside = try location.checkpointBeside()?.signed
        // Without keys the authors of logs cannot be verified; the unchecked sessions are reported.
        let vault = try? location.existingVault(environment: invocation.environment)
        let making: CheckpointMaking
        do throws(EventStoreError) {
            if let beside, try await !store.has(beside.checkpoint) {
                making = .contradicted
            } else {
                making = try await store.makeCheckpoint(
                    signedBy: signer,
                    at: invocation.now(),
                    checking: vault.map { ForgeryCheck(of: store, with: $0) }
                )
            }
        } catch {
            throw Failure(error)
        }
        switch making {
        case .contradicted:
            throw Failure(
                .damaged,
                "checkpoint.contradicted",
                "no checkpoint was created, because the store contradicts an earlier one",
                hint: "run 'workflowctl checkpoint verify' to find the first contradiction"
            )
        case .notAuthentic(let session, let sequence):
            throw Failure(EngineError.notAuthentic(session, sequence: sequence))
        case .made(let signed, let added, let unchecked):
            try keep(signed, location)
            printResult(signed, added: added, unchecked: unchecked, invocation)
        case .unchanged(let signed):
            // A crash between the two may have left an older checkpoint beside the store, or none.
            if let signed, beside != signed { try keep(signed, location) }
            printResult(signed, added: 0, unchecked: [], invocation)
        }
    }

    /// Stores the newest checkpoint beside the store.
    private func keep(
        _ signed: SignedCheckpoint,
        _ location: StoreLocation
    ) throws(Failure) {
        let document = CheckpointDocument(signed)
        try FileBytes.replace(location.checkpointFile, with: document.encode() + [0x0A])
        var remembered = try RememberedKeys(of: location)
        try remembered.remember(signed.publicKey)
    }

    /// The maximum number of unchecked sessions that are named.
    private static let namedSessions = 10

    private func printResult(
        _ signed: SignedCheckpoint?,
        added: Int,
        unchecked: [SessionID],
        _ invocation: Invocation
    ) {
        defer { noteUnchecked(unchecked, invocation) }
        if global.json {
            invocation.print(
                line: [
                    "created": .bool(added > 0), "added": .integer(Int64(added)),
                    "checkpoint": signed?.json ?? .null,
                    "unchecked": .integer(Int64(unchecked.count)),
                ])
        } else if let signed, added > 0 {
            let checkpoint = signed.checkpoint
            invocation.print(
                invocation.output.style.paint("made", .good)
                    + "  size: \(checkpoint.size) (added: \(added)), root: \(checkpoint.root)\n"
                    + "signed by key \(checkpoint.key), public key \(signed.publicKey)"
            )
        } else if every == nil {
            let since = signed.map { " since the checkpoint from \($0.checkpoint.at)" } ?? ""
            invocation.print("nothing was appended\(since); no checkpoint was created")
        }
    }

    /// Reports the covered sessions whose authorship could not be verified here.
    private func noteUnchecked(_ sessions: [SessionID], _ invocation: Invocation) {
        guard !sessions.isEmpty else { return }
        let named = sessions.prefix(Self.namedSessions).map(\.description)
        let others = sessions.count - named.count
        invocation.note(
            "note: the authenticity of \(sessions.count) sessions could not be checked, because "
                + "their keys or MACs are missing "
                + "(\(named.joined(separator: ", "))\(others > 0 ? " and \(others) more" : ""))"
        )
    }

    // MARK: Signing key

    private func signer(
        for store: any CheckpointStore,
        _ location: StoreLocation,
        _ environment: [String: String]
    ) async throws(Failure) -> CheckpointSigner {
        if signingKey == nil, let text = environment["WORKFLOWCTL_SIGNING_KEY"].nonEmpty {
            guard let signer = SigningKey.inText(text) else {
                throw Failure(
                    KeyVaultError.malformed(
                        reason: "WORKFLOWCTL_SIGNING_KEY must be 32 bytes in base64 or hexadecimal"
                    )
                )
            }
            return signer
        }
        let path =
            signingKey ?? environment["WORKFLOWCTL_SIGNING_KEY_FILE"].nonEmpty
            ?? location.path + ".signing-key"
        let newest: StoredCheckpoint?
        do throws(EventStoreError) {
            newest = try await store.newestCheckpoint()
        } catch {
            throw Failure(error)
        }
        do throws(KeyVaultError) {
            return try SigningKey.inFile(path, createsMissing: newKey || newest == nil)
        } catch {
            var failure = Failure(error)
            if case .missing = error {
                failure.hint =
                    "name the key file with --signing-key, or create a new key with --new-key"
            }
            throw failure
        }
    }
}
