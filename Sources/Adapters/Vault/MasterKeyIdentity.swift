/// The name of a master key: tells which key wrapped something, without telling the key.
///
/// The first bytes of a hash of the key; they stand in front of everything that it wrapped.
public struct MasterKeyIdentity: Hashable, Sendable {
    /// The bytes of the name.
    public let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The master key that wrapped a data key.
    ///
    /// - Returns: Nothing when a vault of another kind wrapped it.
    public init?(ofWrapped wrapped: some Collection<UInt8>) {
        guard wrapped.first == MasterKey.wrappedVersion,
            wrapped.count > MasterKey.identityBytes
        else { return nil }
        bytes = Array(wrapped.dropFirst().prefix(MasterKey.identityBytes))
    }

    /// What everything that the key wrapped begins with.
    var wrappedPrefix: [UInt8] { [MasterKey.wrappedVersion] + bytes }
}

extension MasterKeyIdentity: CustomStringConvertible {
    /// Sixteen hexadecimal digits.
    public var description: String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

extension MasterKeyIdentity: Comparable {
    /// In the order of the bytes.
    public static func < (left: MasterKeyIdentity, right: MasterKeyIdentity) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}
