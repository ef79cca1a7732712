package import EventLog
package import SwedbankPay
internal import Workflow

/// Replaces the master key of a store: adds a new one, rewraps all data keys, removes the traces of
/// the old forms, and forgets master keys that nothing needs any more.
package struct MasterKeyReplacement: Sendable {
    private let store: any PersistentStore
    private let vault: any MasterKeyHolder
    /// The key file, if the keys are in one.
    private let file: KeyFileVault?
    private let hasOtherFile: Bool

    /// The result of rewrapping.
    package struct Done: Sendable {
        /// The key that now wraps data keys.
        package let key: MasterKeyIdentity
        /// The numbers of data keys.
        package let progress: KeyRotation.Progress
        /// The other available keys, which no session needs.
        package let unneeded: [MasterKeyIdentity]
        /// Whether the traces of what the unneeded keys wrapped were removed, or why that is
        /// pending; `nil` when all keys are needed, so that there was nothing to remove.
        package let traces: TraceRemoval?
    }

    /// Creates the replacement of a master key.
    ///
    /// - Parameters:
    ///   - store: The store, open for writing.
    ///   - vault: The keys of the store.
    ///   - other: A file with further keys, which only unwrap.
    /// - Throws: ``MasterKeyReplacementError/noMasterKeys`` and
    ///   ``MasterKeyReplacementError/vault(_:)``.
    package init(
        in store: any PersistentStore,
        of vault: any KeyVault,
        alsoFrom other: String? = nil
    ) throws(MasterKeyReplacementError) {
        self.store = store
        hasOtherFile = other != nil
        file = vault as? KeyFileVault
        guard let source = vault as? any MasterKeySource else { throw .noMasterKeys }
        guard let other else {
            self.vault = source
            return
        }
        do throws(KeyVaultError) {
            self.vault = try source.vault.opening(alsoWith: other)
        } catch {
            throw .vault(error)
        }
    }

    /// Whether the keys are in a file that this program manages.
    package var isKeyFile: Bool { file != nil }

    /// Creates a new key, if the keys are in a file and the last replacement has finished, and then
    /// rewraps all data keys.
    ///
    /// - Parameter reached: Receives the number of data keys examined so far, and of all.
    /// - Returns: The result.
    /// - Throws: ``MasterKeyReplacementError``; what was done by then remains done.
    package func replace(
        reached: (Int, Int) -> Void
    ) async throws(MasterKeyReplacementError) -> Done {
        try await addKeyUnlessUnfinished()
        return try await rewrap(reached: reached)
    }

    /// Without permission to replace keys none is created, since other nodes would lack it.
    private func addKeyUnlessUnfinished() async throws(MasterKeyReplacementError) {
        do throws(EventStoreError) { try await store.replaceKeys([]) } catch {
            throw .store(error)
        }
        let census = try await census()
        let isUnfinished = vault.identities.dropFirst().contains { census[$0] != nil }
        guard !isUnfinished, !hasOtherFile else { return }
        if let file {
            do throws(KeyVaultError) { try file.addKey() } catch { throw .vault(error) }
        } else if vault.identities.count < 2 {
            throw .noOtherKey
        }
    }

    /// Rewraps all data keys that another key wrapped, and removes the traces of the old forms.
    ///
    /// - Parameter reached: Receives the number of data keys examined so far, and of all.
    /// - Returns: The result.
    /// - Throws: ``MasterKeyReplacementError``; what was done by then remains done.
    package func rewrap(
        reached: (Int, Int) -> Void
    ) async throws(MasterKeyReplacementError) -> Done {
        let rotation = KeyRotation(of: store, with: vault)
        let all = try await census().values.reduce(0, +)
        let progress: KeyRotation.Progress
        do throws(EngineError) {
            progress = try await rotation.run { reached($0.seen, all) }
        } catch {
            throw .engine(error)
        }
        let census = try await census()
        let identities = vault.identities
        let unneeded = identities.dropFirst().filter { census[$0] == nil }
        var traces: TraceRemoval?
        if !unneeded.isEmpty {
            traces = await store.traceRemoval(of: DestroyedKeys(wrappedBy: unneeded))
        }
        guard let key = identities.first else { throw .noMasterKeys }
        return Done(key: key, progress: progress, unneeded: unneeded, traces: traces)
    }

    /// Removes all master keys but the first from the key file, and the search terms that were
    /// blinded with them.
    ///
    /// A key that another process adds meanwhile stays, and so does the one that was first until
    /// then.
    ///
    /// - Parameter done: The result of rewrapping, which says which keys no session needs.
    /// - Returns: The removed keys.
    /// - Throws: ``MasterKeyReplacementError/notInFile``,
    ///   ``MasterKeyReplacementError/keysInUse(_:)`` and the failures of store and file.
    package func forgetFormerKeys(
        after done: Done
    ) async throws(MasterKeyReplacementError) -> [MasterKeyIdentity] {
        guard let file else { throw .notInFile }
        let former = Array(file.identities.dropFirst())
        let needed = former.filter { !done.unneeded.contains($0) }
        guard needed.isEmpty else { throw .keysInUse(needed) }
        do throws(SearchIndexError) { try await SearchIndex.restart(store, for: file) } catch {
            throw .search(error)
        }
        do throws(KeyVaultError) { try file.removeKeys(former) } catch { throw .vault(error) }
        return former
    }

    private func census() async throws(MasterKeyReplacementError) -> [MasterKeyIdentity?: Int] {
        do throws(EventStoreError) { return try await store.keyCounts() } catch {
            throw .store(error)
        }
    }
}

/// Why a master key was not replaced.
package enum MasterKeyReplacementError: Error, Sendable {
    /// The vault has no master keys.
    case noMasterKeys
    /// There is only one master key, and it already wraps all data keys.
    case noOtherKey
    /// The master keys are not in a key file, so they cannot be removed from it.
    case notInFile
    /// Sessions still need these master keys.
    case keysInUse([MasterKeyIdentity])
    /// The store could not be read or written.
    case store(EventStoreError)
    /// The keys could not be read or written.
    case vault(KeyVaultError)
    /// Data keys could not be rewrapped.
    case engine(EngineError)
    /// The search index could not be emptied.
    case search(SearchIndexError)
}
