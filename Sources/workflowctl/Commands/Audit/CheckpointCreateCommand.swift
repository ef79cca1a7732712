internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay
internal import Workflow

/// `checkpoint create`: signs the current end of every log.
struct CheckpointCreateCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Make a checkpoint of everything up to now.",
        discussion: """
            Works while engines write to the store. When nothing was appended since the newest checkpoint, none is made. \
            The signing key is made on first use, in a file beside the store (payments.db.signing-key, mode 0600): keep it \
            where the store is not, and publish the public key that is printed. The newest checkpoint is also kept beside \
            the store (payments.db.checkpoint), and the public key (payments.db.checkpoint-keys). No checkpoint vouches for a \
            log that nobody with its keys wrote; sessions whose keys are not here cannot be checked, and are named on standard \
            error. With --every, runs until it is interrupted.

            Examples:
              workflowctl checkpoint create
              workflowctl checkpoint create --every 5m
              workflowctl checkpoint create --signing-key new.signing-key --new-key --json
            """
    )

    @Option(
        help: ArgumentHelp(
            "The file of the signing key. Default: $WORKFLOWCTL_SIGNING_KEY_FILE, else beside the "
                + "store; $WORKFLOWCTL_SIGNING_KEY is the key itself.",
            valueName: "file"
        )
    )
    var signingKey: String?

    @Flag(help: "Make the key's file when there is none, although the store has checkpoints.")
    var newKey = false

    @Option(
        help: ArgumentHelp("Make one at these intervals, until interrupted.", valueName: "duration")
    )
    var every: DurationArgument?

    @OptionGroup var global: GlobalOptions

    func refuseBadArguments() throws(Failure) {
        guard every?.duration ?? .seconds(1) >= .seconds(1) else {
            throw .usage("every", "--every takes a second or more", hint: "for example --every 5m")
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
            // The sleep ends when the command is interrupted; a checkpoint that has been begun is
            // completed.
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
        let beside = try location.checkpointBeside(in: invocation)?.signed
        // Without keys the MACs of a log cannot be verified; the command then reports such
        // sessions.
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
                "no checkpoint was made: the store contradicts an earlier one",
                hint: "'workflowctl checkpoint verify' names the first contradiction"
            )
        case .notAuthentic(let session, let sequence):
            throw Failure(EngineError.notAuthentic(session, sequence: sequence))
        case .made(let signed, let added, let unchecked):
            try keep(signed, location)
            tell(signed, added: added, unchecked: unchecked, invocation)
        case .unchanged(let signed):
            // A crash between the two writes may have left an older checkpoint beside the store, or
            // none.
            if let signed, beside != signed { try keep(signed, location) }
            tell(signed, added: 0, unchecked: [], invocation)
        }
    }

    /// Writes the newest checkpoint beside the store.
    private func keep(
        _ signed: SignedCheckpoint,
        _ location: StoreLocation
    ) throws(Failure) {
        let document = CheckpointDocument(signed)
        try FileBytes.replace(location.checkpointFile, with: document.encode() + [0x0A])
        var remembered = try RememberedKeys(of: location)
        try remembered.remember(signed.publicKey)
    }

    /// The maximum number of unverified sessions that are listed.
    private static let namedSessions = 10

    private func tell(
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
            let since = signed.map { " since the checkpoint of \($0.checkpoint.at)" } ?? ""
            invocation.print("nothing was appended\(since); no checkpoint was made")
        }
    }

    /// Reports the sessions that the checkpoint covers although their MACs could not be verified.
    private func noteUnchecked(_ sessions: [SessionID], _ invocation: Invocation) {
        guard !sessions.isEmpty else { return }
        let named = sessions.prefix(Self.namedSessions).map(\.description)
        let others = sessions.count - named.count
        invocation.note(
            "note: sessions whose authenticity could not be checked, since their keys are not here "
                + "or their records have no MACs: \(sessions.count) "
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
                        reason: "WORKFLOWCTL_SIGNING_KEY holds neither base64 nor hexadecimal "
                            + "digits of 32 bytes"
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
                    "give the key's file with --signing-key, or begin another key with --new-key"
            }
            throw failure
        }
    }
}
