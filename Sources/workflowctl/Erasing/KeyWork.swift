internal import Adapters
internal import EventLog
internal import SwedbankPay

/// Replaces the master key of a store.
struct KeyWork: Sendable {
    private let keeper: Keeper
    /// The key file, if the keys are in one.
    let file: KeyFileVault?
    private let vault: any MasterKeyHolder
    private let hasOtherFile: Bool

    /// The result.
    struct Done: Sendable {
        /// The key that now wraps data keys.
        var key: MasterKeyIdentity
        var progress: KeyRotation.Progress
        /// The other available keys, which no session needs.
        var unneeded: [MasterKeyIdentity]
        var removal: TraceRemoval
    }

    /// Reads the keys of a store.
    init(_ keeper: Keeper, alsoFrom other: String?) throws(Failure) {
        self.keeper = keeper
        hasOtherFile = other != nil
        let vault = try keeper.location.existingVault(
            environment: keeper.invocation.environment
        )
        file = vault as? KeyFileVault
        guard let source = vault as? any MasterKeySource else {
            throw Failure(.defect, "vault.unavailable", "the vault has no master keys")
        }
        guard let other else {
            self.vault = source
            return
        }
        do throws(KeyVaultError) {
            self.vault = try source.vault.opening(alsoWith: other)
        } catch {
            throw Failure(error)
        }
    }

    /// Whether the keys are in a file that this program manages.
    var isKeyFile: Bool { file != nil }

    /// Creates a new key, if the keys are in a file and the last replacement has finished.
    ///
    /// Without permission to replace keys none is created, since other nodes would lack it.
    func addKeyUnlessUnfinished() async throws(Failure) {
        do { try await keeper.store.replaceKeys([]) } catch { throw Failure(error) }
        let census = try await census()
        let isUnfinished = vault.identities.dropFirst().contains { census[$0] != nil }
        guard !isUnfinished, !hasOtherFile else { return }
        if let file {
            do { try file.addKey() } catch { throw Failure(error) }
        } else if vault.identities.count < 2 {
            throw Failure(
                .configuration,
                "vault.no-other-key",
                "there is only one master key, and it already wraps all data keys",
                hint:
                    "put the new key in front of the old one in the source of the keys, or name "
                    + "a file with the old one with --from"
            )
        }
    }

    /// Rewraps all data keys that another key wrapped, and removes the remains of the old forms.
    func run() async throws(Failure) -> Done {
        let rotation = KeyRotation(of: keeper.store, with: vault)
        let invocation = keeper.invocation
        let all = try await census().values.reduce(0, +)
        var line = ProgressLine(on: invocation.diagnostics)
        defer { line.clear() }
        let progress: KeyRotation.Progress
        do throws(EngineError) {
            progress = try await rotation.run { done in
                line.reached(
                    Int64(done.seen),
                    of: Int64(all),
                    "rewrapping keys",
                    at: invocation.now()
                )
            }
        } catch {
            throw Failure(error)
        }
        let census = try await census()
        let identities = vault.identities
        let unneeded = identities.dropFirst().filter { census[$0] == nil }
        let removal =
            unneeded.isEmpty
            ? .done
            : await keeper.store.traceRemoval(of: DestroyedKeys(wrappedBy: unneeded))
        keeper.note(removal)
        guard let key = identities.first else {
            throw Failure(.defect, "vault.unavailable", "the vault has no master keys")
        }
        return Done(key: key, progress: progress, unneeded: unneeded, removal: removal)
    }

    private func census() async throws(Failure) -> [MasterKeyIdentity?: Int] {
        do { return try await keeper.store.keyCounts() } catch { throw Failure(error) }
    }
}
