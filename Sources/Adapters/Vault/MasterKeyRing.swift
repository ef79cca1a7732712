internal import EventLog
internal import SwedbankPay

/// The master keys of a store: the first one wraps, each of them opens what it wrapped.
struct MasterKeyRing: Sendable {
    /// How many keys there may be.
    static let maximumKeys = 16

    /// The keys; never empty, each of them once.
    let keys: [MasterKey]

    /// The keys in this order.
    ///
    /// - Returns: Nothing when there are none, or too many.
    init?(_ keys: [MasterKey]) {
        var known: Set<[UInt8]> = []
        let different = keys.filter { known.insert($0.identity).inserted }
        guard !different.isEmpty, different.count <= Self.maximumKeys else { return nil }
        self.keys = different
    }

    /// Reads keys from text: each is 64 hexadecimal digits or base64 of 32 bytes, with blanks, commas or line ends
    /// between them; a line that begins with `#` is a remark.
    ///
    /// - Returns: Nothing when there is anything else, or no key.
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

    /// The first key of a text, as it is written there.
    static func firstWord(of text: String) -> String? { words(of: text).first }

    private static func words(of text: String) -> [String] {
        text.split(whereSeparator: \.isNewline).flatMap { line in
            let words = line.split { $0 == " " || $0 == "\t" || $0 == "," }
            return words.first?.first == "#" ? [] : words.map(String.init)
        }
    }

    /// The key that wraps.
    var current: MasterKey { keys[0] }

    /// The keys that only open.
    var former: ArraySlice<MasterKey> { keys.dropFirst() }

    /// The names of the keys, the one that wraps first.
    var identities: [MasterKeyIdentity] { keys.map { MasterKeyIdentity($0.identity) } }

    /// Unwraps a data key with the key that wrapped it.
    func unwrap(_ wrapped: [UInt8], for session: SessionID) throws(KeyVaultError) -> [UInt8] {
        let identity = MasterKeyIdentity(ofWrapped: wrapped)?.bytes
        let key = keys.first { $0.identity == identity } ?? current
        return try key.unwrap(wrapped, for: session)
    }
}
