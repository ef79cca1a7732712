/// The plaintexts that an engine has at hand, by their fingerprints.
///
/// It stands beside the state, never in it: rules can't reach it, and a replay does without. What comes from a log is
/// opened only when somebody asks for it: of all the values that a session has sealed its next request needs one or two.
public struct SecretTable: Sendable {
    private var plaintexts: [Digest256: String] = [:]
    /// Seals that nobody has asked for; none of a value whose plaintext is known.
    private var closed: [Digest256: ClosedSeal] = [:]

    /// A table without entries.
    public init() {}

    /// How many values there are, seals that may turn out not to open included.
    public var count: Int { plaintexts.count + closed.count }

    /// Takes in a plaintext and gives what rules may know of it.
    public mutating func seal(_ plaintext: String, with keys: SessionKeys) -> Sealed {
        let sealed = Sealed(fingerprint: keys.fingerprint(of: plaintext))
        insert(plaintext, for: sealed)
        return sealed
    }

    /// Takes in a plaintext whose fingerprint is known already.
    public mutating func insert(_ plaintext: String, for sealed: Sealed) {
        plaintexts[sealed.fingerprint] = plaintext
        if !closed.isEmpty { closed[sealed.fingerprint] = nil }
    }

    /// Takes in a seal, to be opened when its plaintext is wanted; of two seals of a value the newer one counts.
    mutating func insert(_ seal: ClosedSeal, for sealed: Sealed) {
        guard plaintexts[sealed.fingerprint] == nil else { return }
        closed[sealed.fingerprint] = seal
    }

    /// The plaintext of a sealed value; nothing when it is not at hand.
    public subscript(_ sealed: Sealed) -> String? {
        plaintexts[sealed.fingerprint] ?? closed[sealed.fingerprint]?.open(as: sealed)
    }

    /// The text, when it is in the clear or its plaintext is at hand.
    public func clear(_ text: OutsideText) -> String? {
        switch text {
        case .plain(let plain): plain
        case .sealed(let sealed): self[sealed]
        }
    }

    /// Takes in all entries of another table.
    public mutating func merge(_ other: SecretTable) {
        if plaintexts.isEmpty, closed.isEmpty {
            self = other
            return
        }
        for (fingerprint, plaintext) in other.plaintexts {
            insert(plaintext, for: Sealed(fingerprint: fingerprint))
        }
        for (fingerprint, seal) in other.closed {
            insert(seal, for: Sealed(fingerprint: fingerprint))
        }
    }
}

/// A seal of a record, with what is needed to open it.
struct ClosedSeal: Sendable {
    /// Nonce, ciphertext and tag.
    var seal: [UInt8]
    /// The session whose record it stands beside.
    var stream: SessionID
    /// The record's place in the stream.
    var sequence: Int64
    /// Its number in the record.
    var number: Int
    /// The session's keys.
    var keys: SessionKeys

    /// Opens the seal.
    ///
    /// - Returns: Nothing when it does not open at its place, or gives another plaintext than the one whose fingerprint
    ///   the chain protects.
    func open(as sealed: Sealed) -> String? {
        guard let plaintext = keys.open(seal, at: SealPlace.text(stream, sequence, number)),
            keys.fingerprint(of: plaintext) == sealed.fingerprint
        else { return nil }
        return plaintext
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
