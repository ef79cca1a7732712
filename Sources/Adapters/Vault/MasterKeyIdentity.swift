internal import EventLog

/// The name of a master key, which identifies the key without revealing it.
///
/// It consists of the first bytes of a hash of the key; they precede everything that the key
/// wrapped.
public struct MasterKeyIdentity: Hashable, Sendable {
    /// The bytes of the name.
    public let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads which master key wrapped a data key; `nil` when another kind of vault wrapped it.
    public init?(ofWrapped wrapped: some Collection<UInt8>) {
        guard wrapped.first == MasterKey.wrappedVersion,
            wrapped.count > MasterKey.identityBytes
        else { return nil }
        bytes = Array(wrapped.dropFirst().prefix(MasterKey.identityBytes))
    }

    /// The bytes with which everything that the key wrapped begins.
    var wrappedPrefix: [UInt8] { [MasterKey.wrappedVersion] + bytes }
}

extension MasterKeyIdentity: CustomStringConvertible {
    /// Sixteen hexadecimal digits.
    public var description: String { Hexadecimal.text(bytes) }
}

extension MasterKeyIdentity: Comparable {
    /// Orders by the bytes.
    public static func < (left: MasterKeyIdentity, right: MasterKeyIdentity) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}
