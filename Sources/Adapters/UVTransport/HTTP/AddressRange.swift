internal import EventLog
internal import Glibc

/// A range of network addresses, such as `20.91.170.120/29`.
public struct AddressRange: Hashable, Sendable {
    private let bytes: [UInt8]
    private let bits: Int

    /// Reads an address, or a range as an address and a number of bits; `nil` for anything else,
    /// including host names.
    public init?(_ text: String) {
        let parts = text.pieces(between: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let bytes = Self.bytes(of: String(parts[0])) else { return nil }
        var bits = bytes.count * 8
        if parts.count == 2 {
            guard !parts[1].isEmpty, parts[1].utf8.allSatisfy(\.isASCIIDigit),
                let given = Int(parts[1]), given <= bits
            else { return nil }
            bits = given
        }
        (self.bytes, self.bits) = (bytes, bits)
    }

    /// Whether an address is within the range; false for a text that is not an address.
    ///
    /// An IPv4 address that a dual-stack socket shows as `::ffff:a.b.c.d` is treated as IPv4.
    public func contains(_ address: String) -> Bool {
        guard let other = Self.bytes(of: address), other.count == bytes.count else { return false }
        for index in 0..<bits {
            let mask = UInt8(0x80) >> UInt8(index % 8)
            guard bytes[index / 8] & mask == other[index / 8] & mask else { return false }
        }
        return true
    }

    /// The address of a host, or for IPv6 the network that one customer has (`/64`); empty for a
    /// text that is not an address.
    package static func network(of address: String) -> [UInt8] {
        Array((bytes(of: address) ?? []).prefix(8))
    }

    private static func bytes(of text: String) -> [UInt8]? {
        var four = in_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            return withUnsafeBytes(of: &four) { Array($0) }
        }
        var six = in6_addr()
        guard inet_pton(AF_INET6, text, &six) == 1 else { return nil }
        let bytes = withUnsafeBytes(of: &six) { Array($0) }
        let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10...11] == [0xFF, 0xFF]
        return isMapped ? Array(bytes[12...]) : bytes
    }
}
