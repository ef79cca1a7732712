/// The name of a master key, which identifies the key without revealing it.
///
/// It consists of the first bytes of a hash of the key; they precede everything that the key
/// wrapped.
public struct MasterKeyIdentity: Hashable, Sendable {
    /// The number of bytes of a name.
    package static let size = 8
    /// The first byte of everything that a master key wrapped, before its name.
    package static let version: UInt8 = 1

    /// The bytes of the name.
    public let bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads which master key wrapped a data key; `nil` when another kind of vault wrapped it.
    public init?(ofWrapped wrapped: some Collection<UInt8>) {
        guard wrapped.first == Self.version,
            wrapped.count > Self.size
        else { return nil }
        bytes = Array(wrapped.dropFirst().prefix(Self.size))
    }

    /// The bytes with which everything that the key wrapped begins.
    package var wrappedPrefix: [UInt8] { [Self.version] + bytes }
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
