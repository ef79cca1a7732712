/// The plaintexts that an engine has at hand, by their fingerprints.
///
/// It stands beside the state, never in it: rules can't reach it, and a replay does without.
public struct SecretTable: Sendable {
    private var plaintexts: [Digest256: String] = [:]

    /// A table without entries.
    public init() {}

    /// How many plaintexts there are.
    public var count: Int { plaintexts.count }

    /// Takes in a plaintext and gives what rules may know of it.
    public mutating func seal(_ plaintext: String, with keys: SessionKeys) -> Sealed {
        let sealed = Sealed(fingerprint: keys.fingerprint(of: plaintext))
        plaintexts[sealed.fingerprint] = plaintext
        return sealed
    }

    /// Takes in a plaintext whose fingerprint is known already.
    public mutating func insert(_ plaintext: String, for sealed: Sealed) {
        plaintexts[sealed.fingerprint] = plaintext
    }

    /// The plaintext of a sealed value; nothing when it is not at hand.
    public subscript(_ sealed: Sealed) -> String? { plaintexts[sealed.fingerprint] }

    /// Takes in all entries of another table.
    public mutating func merge(_ other: SecretTable) {
        plaintexts.merge(other.plaintexts) { _, newest in newest }
    }
}

extension SecretTable: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// How many there are; never what they are.
    public var description: String { "\(count) secrets" }

    /// The same: a table must not end up in a log by way of a debug description.
    public var debugDescription: String { description }

    /// Nothing inside: a mirror must not reach the plaintexts.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
