public import EventLog
internal import SwedbankPay

/// A vault whose master keys stand in a file that only its owner may read.
///
/// The file is looked at again with each use: when its keys are replaced, a process that runs goes on with the new ones.
public struct KeyFileVault: MasterKeySource {
    /// What was read last.
    private struct Seen {
        var mark: KeyFile.Mark
        var vault: MasterKeyVault
    }

    private let file: KeyFile
    private let random: any RandomSource
    private let seen: ThreadLock<Seen>

    /// A vault with the keys in a file.
    ///
    /// The file is made on first use, with mode 0600 and a key of the random source; of two processes that do so
    /// at the same time one makes it and the other reads it.
    ///
    /// - Parameters:
    ///   - path: The file: 32 bytes as base64 or hexadecimal digits, one key a line; the first one wraps.
    ///   - createsMissing: Whether a missing file is made; without, it is an error.
    ///   - random: Where keys and nonces come from.
    /// - Throws: ``KeyVaultError/foreignOwner(path:owner:)`` when the file is another user's,
    ///   ``KeyVaultError/insecurePermissions(path:mode:)`` when the group or others have any right to the
    ///   file, ``KeyVaultError/malformed(reason:)`` when it holds no key, ``KeyVaultError/missing(reason:)`` when
    ///   there is none and none is to be made, ``KeyVaultError/unavailable(reason:)`` when reading or making fails.
    public init(
        path: String,
        createsMissing: Bool = true,
        random: any RandomSource = SystemRandom()
    ) throws(KeyVaultError) {
        let file = KeyFile(path: path)
        var found = try Self.read(file, random)
        if found == nil, createsMissing {
            try file.create(with: random.bytes(MasterKey.bytes))
            found = try Self.read(file, random)
        }
        guard let found else { throw .missing(reason: "there is no key file \(path)") }
        self.file = file
        self.random = random
        seen = ThreadLock(found)
    }

    /// The keys as they stand in the file; those that were read last while the file is away or can't be read.
    package var vault: MasterKeyVault {
        seen.withLock { seen in
            guard let mark = file.mark, mark != seen.mark,
                let found = try? Self.read(file, random)
            else { return seen.vault }
            seen = found
            return found.vault
        }
    }

    /// Puts a new master key in front of those in the file.
    public func addKey() throws(KeyVaultError) {
        let key = random.bytes(MasterKey.bytes)
        guard MasterKey(key) != nil else {
            throw .unavailable(reason: "the random source gave too few bytes")
        }
        try file.change { text throws(KeyVaultError) in
            guard let ring = MasterKeyRing(text: text) else {
                throw .malformed(reason: "\(file.path) holds no master key")
            }
            guard ring.keys.count < MasterKeyRing.maximumKeys else {
                throw .malformed(
                    reason: "\(file.path) holds \(MasterKeyRing.maximumKeys) keys already"
                )
            }
            return KeyFile.line(key) + text
        }
    }

    /// Takes all master keys but the first out of the file: nothing that they wrapped can be opened any more.
    public func removeFormerKeys() throws(KeyVaultError) {
        try file.change { text in
            MasterKeyRing.firstWord(of: text).map { $0 + "\n" }
        }
    }

    private static func read(
        _ file: KeyFile,
        _ random: any RandomSource
    ) throws(KeyVaultError) -> Seen? {
        guard let (text, mark) = try file.readMarked() else { return nil }
        guard let ring = MasterKeyRing(text: text) else {
            throw .malformed(
                reason: "\(file.path) holds neither base64 nor hexadecimal digits of 32 bytes"
            )
        }
        return Seen(mark: mark, vault: MasterKeyVault(ring: ring, random: random))
    }
}
