/// The plaintexts that an engine has available, keyed by their fingerprints.
///
/// The table is kept beside the state, never in it: rules can't access it, and a replay doesn't
/// need it. A value from a log is decrypted only when it is read, because a session's next request
/// needs only one or two of its sealed values.
public struct SecretTable: Sendable {
    private var plaintexts: [Digest256: String] = [:]
    /// Seals that have not been opened yet; none of a value whose plaintext is known.
    private var closed: [Digest256: ClosedSeal] = [:]

    /// Creates an empty table.
    public init() {}

    /// The number of values, including seals that may turn out not to open.
    public var count: Int { plaintexts.count + closed.count }

    /// Adds a plaintext and returns the sealed value that rules may see.
    public mutating func seal(_ plaintext: String, with keys: SessionKeys) -> Sealed {
        let sealed = Sealed(fingerprint: keys.fingerprint(of: plaintext))
        insert(plaintext, for: sealed)
        return sealed
    }

    /// Adds a plaintext whose fingerprint is already known.
    public mutating func insert(_ plaintext: String, for sealed: Sealed) {
        plaintexts[sealed.fingerprint] = plaintext
        if !closed.isEmpty { closed[sealed.fingerprint] = nil }
    }

    /// Adds a seal to be opened on demand; of two seals of a value the newer one replaces the
    /// older.
    mutating func insert(_ seal: ClosedSeal, for sealed: Sealed) {
        guard plaintexts[sealed.fingerprint] == nil else { return }
        closed[sealed.fingerprint] = seal
    }

    /// The plaintext of a sealed value; `nil` when it is not available.
    public subscript(_ sealed: Sealed) -> String? {
        plaintexts[sealed.fingerprint] ?? closed[sealed.fingerprint]?.open(as: sealed)
    }

    /// The text, when it is in the clear or its plaintext is available.
    public func clear(_ text: OutsideText) -> String? {
        switch text {
        case .plain(let plain): plain
        case .sealed(let sealed): self[sealed]
        }
    }

    /// Adds all entries of another table.
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

/// A seal of a record, with everything needed to open it.
struct ClosedSeal: Sendable {
    /// Nonce, ciphertext and tag.
    var seal: [UInt8]
    /// The session of the record it belongs to.
    var stream: SessionID
    /// The record's sequence number.
    var sequence: SequenceNumber
    /// Its number in the record.
    var number: Int
    /// The session's keys.
    var keys: SessionKeys

    /// Opens the seal.
    ///
    /// - Returns: The plaintext, or `nil` when the seal does not open at its location or yields a
    ///   plaintext other than the one whose fingerprint the chain protects.
    func open(as sealed: Sealed) -> String? {
        guard let plaintext = keys.open(seal, at: SealPlace.text(stream, sequence, number)),
            keys.fingerprint(of: plaintext) == sealed.fingerprint
        else { return nil }
        return plaintext
    }
}

extension SecretTable: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The number of values; never their contents.
    public var description: String { "\(count) secrets" }

    /// The same as ``description``: a table must not reach a log through a debug description.
    public var debugDescription: String { description }

    /// An empty mirror: a dump must not reach the plaintexts.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
