internal import Adapters
internal import EventLog
internal import Workflow

extension Keeper {
    /// Returns the replacement of the store's master key; `other` is a file with further keys.
    func keyReplacement(alsoFrom other: String? = nil) throws(Failure) -> MasterKeyReplacement {
        let vault = try location.existingVault(environment: invocation.environment)
        do throws(MasterKeyReplacementError) {
            return try MasterKeyReplacement(in: store, of: vault, alsoFrom: other)
        } catch {
            throw Failure(error)
        }
    }

    /// Rewraps all data keys, after adding a master key if one is needed, and prints the progress
    /// and what only the server's administrator can remove.
    func rewrapKeys(
        with replacement: MasterKeyReplacement,
        addingKey: Bool
    ) async throws(Failure) -> MasterKeyReplacement.Done {
        var line = ProgressLine(on: invocation.diagnostics)
        defer { line.clear() }
        func reached(_ seen: Int, of all: Int) {
            line.reached(Int64(seen), of: Int64(all), "rewrapping keys", at: invocation.now())
        }
        let done: MasterKeyReplacement.Done
        do throws(MasterKeyReplacementError) {
            done =
                addingKey
                ? try await replacement.replace(reached: reached)
                : try await replacement.rewrap(reached: reached)
        } catch {
            throw Failure(error)
        }
        line.clear()
        if let traces = done.traces { note(traces) }
        return done
    }
}

extension Failure {
    /// Translates the failure to replace a master key for the command line.
    init(_ error: MasterKeyReplacementError) {
        switch error {
        case .noMasterKeys:
            self.init(.defect, "vault.unavailable", "the vault has no master keys")
        case .noOtherKey:
            self.init(
                .configuration,
                "vault.no-other-key",
                "there is only one master key, and it already wraps all data keys",
                hint:
                    "put the new key in front of the old one in the source of the keys, or name "
                    + "a file with the old one with --from"
            )
        case .notInFile:
            self.init(
                .configuration,
                "vault.not-in-file",
                "the master keys do not come from a key file",
                hint:
                    "remove the old keys from the command or variable that supplies them; "
                    + "'workflowctl keys list' shows whether a session needs them"
            )
        case .keysInUse(let keys):
            self.init(
                .refused,
                "vault.key-in-use",
                "sessions still need master key \(keys.map(\.description).joined(separator: ", "))",
                hint:
                    "run 'workflowctl keys rotate'; if it cannot decrypt a data key, "
                    + "'workflowctl verify' names the session"
            )
        case .store(let error): self.init(error)
        case .vault(let error): self.init(error)
        case .engine(let error): self.init(error)
        case .search(let error): self.init(error)
        }
    }
}
