internal import EventLog
internal import SwedbankPay

/// The master keys of a store: the first one wraps, and each unwraps what it wrapped.
struct MasterKeyRing: Sendable {
    /// The maximum number of keys.
    static let maximumKeys = 16

    /// The keys; never empty, without duplicates.
    let keys: [MasterKey]

    /// Creates a ring with keys in this order; `nil` when there are none, or too many.
    init?(_ keys: [MasterKey]) {
        var known: Set<[UInt8]> = []
        let different = keys.filter { known.insert($0.identity).inserted }
        guard !different.isEmpty, different.count <= Self.maximumKeys else { return nil }
        self.keys = different
    }

    /// Parses keys: each is 64 hexadecimal digits or base64 of 32 bytes, separated by blanks,
    /// commas or line ends; a line that begins with `#` is a comment.
    ///
    /// Returns `nil` when the text contains anything else, or no key.
    init?(text: String) {
        var keys: [MasterKey] = []
        for word in Self.words(of: text) {
            guard let key = MasterKey(text: word), keys.count < Self.maximumKeys else {
                return nil
            }
            keys.append(key)
        }
        self.init(keys)
    }

    /// The first key of a text, as written there.
    static func firstWord(of text: String) -> String? { words(of: text).first }

    /// The keys of a text, as written there.
    static func words(of text: String) -> [String] {
        text.split(whereSeparator: \.isNewline).flatMap { line in
            let words = line.split { $0 == " " || $0 == "\t" || $0 == "," }
            return words.first?.first == "#" ? [] : words.map(String.init)
        }
    }

    /// The key that wraps.
    var current: MasterKey { keys[0] }

    /// The keys that only unwrap.
    var former: ArraySlice<MasterKey> { keys.dropFirst() }

    /// The names of the keys, the wrapping one first.
    var identities: [MasterKeyIdentity] { keys.map { MasterKeyIdentity($0.identity) } }

    /// Unwraps a data key with the key that wrapped it.
    func unwrap(_ wrapped: [UInt8], for session: SessionID) throws(KeyVaultError) -> [UInt8] {
        let identity = MasterKeyIdentity(ofWrapped: wrapped)?.bytes
        let key = keys.first { $0.identity == identity } ?? current
        return try key.unwrap(wrapped, for: session)
    }
}
