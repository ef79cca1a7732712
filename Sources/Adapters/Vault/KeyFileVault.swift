public import EventLog
internal import SwedbankPay

/// A vault that reads its master keys from a file that only its owner may read.
///
/// The file is checked for changes with each use: when its keys are replaced, a running process
/// continues with the new ones.
public struct KeyFileVault: MasterKeySource {
    /// The keys read last, and the mark of their file.
    private struct Seen {
        var mark: SecretFile.Mark
        var vault: MasterKeyVault
    }

    private let file: SecretFile
    private let random: any RandomSource
    private let seen: ThreadLock<Seen>

    /// Creates a vault with the keys in a file.
    ///
    /// A missing file is created on first use, with mode 0600 and a key from the random source;
    /// when two processes do this at the same time, one creates the file and the other reads it.
    ///
    /// - Parameters:
    ///   - path: The file: 32 bytes as base64 or hexadecimal, one key a line; the first one wraps.
    ///   - createsMissing: Whether to create a missing file; otherwise it is an error.
    ///   - random: The source of keys and nonces.
    /// - Throws: ``KeyVaultError/foreignOwner(path:owner:)`` when the file belongs to another user,
    ///   ``KeyVaultError/insecurePermissions(path:mode:)`` when the group or others have any access
    ///   to the file, ``KeyVaultError/malformed(reason:)`` when it holds no key,
    ///   ``KeyVaultError/missing(reason:)`` when it does not exist and must not be created,
    ///   ``KeyVaultError/unavailable(reason:)`` when reading or creating it fails.
    public init(
        path: String,
        createsMissing: Bool = true,
        random: any RandomSource = SystemRandom()
    ) throws(KeyVaultError) {
        let file = SecretFile(path: path)
        var found = try Self.read(file, random)
        if found == nil, createsMissing {
            try file.create(with: SecretFile.line(random.bytes(MasterKey.bytes)))
            found = try Self.read(file, random)
        }
        guard let found else { throw .missing(reason: "there is no key file \(path)") }
        self.file = file
        self.random = random
        seen = ThreadLock(found)
    }

    /// The current keys of the file, or those read last while the file is missing or unreadable.
    package var vault: MasterKeyVault {
        seen.withLock { seen in
            guard let mark = file.mark, mark != seen.mark,
                let found = try? Self.read(file, random)
            else { return seen.vault }
            seen = found
            return found.vault
        }
    }

    /// Adds a new master key as the first key of the file.
    public func addKey() throws(KeyVaultError) {
        let key = random.bytes(MasterKey.bytes)
        guard MasterKey(key) != nil else {
            throw .unavailable(reason: "the random source returned too few bytes")
        }
        try file.change { text throws(KeyVaultError) in
            guard let ring = MasterKeyRing(text: text) else {
                throw .malformed(reason: "\(file.path) contains no master key")
            }
            guard ring.keys.count < MasterKeyRing.maximumKeys else {
                throw .malformed(
                    reason: "\(file.path) holds \(MasterKeyRing.maximumKeys) keys already"
                )
            }
            return SecretFile.line(key) + text
        }
    }

    /// Removes all master keys but the first from the file: what the removed ones wrapped cannot be
    /// unwrapped any more.
    public func removeFormerKeys() throws(KeyVaultError) {
        try file.change { text in
            MasterKeyRing.firstWord(of: text).map { $0 + "\n" }
        }
    }

    /// Removes master keys from the file, but never the first one.
    ///
    /// A key that another process has added or replaced meanwhile stays, because nobody has checked
    /// that no session needs it.
    ///
    /// - Parameter removed: The keys.
    /// - Throws: ``KeyVaultError`` when the file cannot be read or written.
    package func removeKeys(_ removed: [MasterKeyIdentity]) throws(KeyVaultError) {
        try file.change { text in
            let words = MasterKeyRing.words(of: text)
            let kept = words.dropFirst().filter { word in
                guard let key = MasterKey(text: word) else { return true }
                return !removed.contains(MasterKeyIdentity(key.identity))
            }
            return (words.prefix(1) + kept).map { $0 + "\n" }.joined()
        }
    }

    private static func read(
        _ file: SecretFile,
        _ random: any RandomSource
    ) throws(KeyVaultError) -> Seen? {
        guard let (text, mark) = try file.readMarked() else { return nil }
        guard let ring = MasterKeyRing(text: text) else {
            throw .malformed(
                reason: "\(file.path) does not contain 32 bytes in base64 or hexadecimal"
            )
        }
        return Seen(mark: mark, vault: MasterKeyVault(ring: ring, random: random))
    }
}
