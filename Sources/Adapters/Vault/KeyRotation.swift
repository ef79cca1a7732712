public import EventLog
public import SwedbankPay
public import Workflow

/// Rewraps the data keys of all sessions of a store with the vault's current master key.
///
/// No event is written or changed: seals are made with the data keys, which stay the same. After an
/// interruption, running it again continues. Engines may use the store meanwhile, as long as their
/// vaults hold both master keys. Address fingerprints derive from the master key, so they are
/// recomputed as well.
public struct KeyRotation: Sendable {
    /// The progress of a rotation.
    public struct Progress: Hashable, Sendable {
        /// The number of sessions examined.
        public var seen = 0
        /// The number of data keys rewrapped.
        public var rewrapped = 0
        /// The number of sessions whose data key no available master key unwraps; they stay as they
        /// are.
        public var unopened = 0

        /// Creates a progress of zero.
        public init() {}
    }

    /// The default number of sessions per transaction.
    public static let defaultBatch = 256

    private let store: any KeyedStore
    private let vault: any KeyVault
    private let batch: Int

    /// Creates a rotation of a store's keys.
    public init(
        of store: any KeyedStore,
        with vault: any KeyVault,
        batch: Int = KeyRotation.defaultBatch
    ) {
        self.store = store
        self.vault = vault
        self.batch = max(1, batch)
    }

    /// Rewraps the keys of all sessions.
    ///
    /// - Parameter onProgress: Called after each transaction.
    /// - Returns: The final progress.
    /// - Throws: ``EngineError/store(_:)`` and ``EngineError/vault(_:)``; what was done by then
    ///   remains done.
    public func run(
        onProgress: (Progress) -> Void = { _ in }
    ) async throws(EngineError) -> Progress {
        var (progress, seen) = (Progress(), WrappedKey?.none)
        while true {
            let kept: [WrappedKey]
            do { kept = try await store.keptKeys(following: seen, limit: batch) } catch {
                throw .store(error)
            }
            guard let last = kept.last else { return progress }
            seen = last
            var replacements: [KeyReplacement] = []
            for key in kept {
                progress.seen += 1
                do throws(EngineError) {
                    guard let replacement = try await replacement(of: key) else { continue }
                    if replacement.wrapped != key.wrapped { progress.rewrapped += 1 }
                    replacements.append(replacement)
                } catch .vault(.wrongKey) {
                    progress.unopened += 1
                }
            }
            if !replacements.isEmpty {
                do { try await store.replaceKeys(replacements) } catch { throw .store(error) }
            }
            onProgress(progress)
        }
    }

    /// The replacement for a key; `nil` when the key is current.
    private func replacement(of key: WrappedKey) async throws(EngineError) -> KeyReplacement? {
        let wrapped: [UInt8]
        let keys: SessionKeys
        do {
            wrapped = try await vault.rewrap(key.wrapped, for: key.session) ?? key.wrapped
            // Unwrapped again before the old form is dropped.
            keys = try await vault.keys(unwrapping: wrapped, for: key.session)
        } catch {
            throw .vault(error)
        }
        let fingerprint = try await addressFingerprint(of: key, keys)
        let isSame = wrapped == key.wrapped && fingerprint == key.addressFingerprint
        return isSame
            ? nil : KeyReplacement(kept: key, wrapped: wrapped, addressFingerprint: fingerprint)
    }

    private func addressFingerprint(
        of key: WrappedKey,
        _ keys: SessionKeys
    ) async throws(EngineError) -> Digest256? {
        guard key.addressFingerprint != nil else { return nil }
        let first: StoredRecord?
        do { first = try await store.read(key.session, from: 1, limit: 1).first } catch {
            throw .store(error)
        }
        guard let first, case .opened(let opened)? = try? RecordReader.event(in: first).event,
            let address = RecordReader.secrets(in: first, keys: keys)[opened.sessionURL]
        else { return key.addressFingerprint }
        let identity = SessionAddress.identity(of: address)
        do { return try await vault.addressFingerprint(of: identity) } catch {
            throw .vault(error)
        }
    }
}
