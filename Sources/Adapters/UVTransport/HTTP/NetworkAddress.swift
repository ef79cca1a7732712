internal import Glibc

/// An IP address that a connection would go to.
///
/// A name can resolve to any address, and to another one each time, so only the address of the
/// connection itself says whether it leaves this network.
///
/// - Note: Source: IANA, special-purpose address registries for IPv4 and IPv6 (RFC 6890).
enum NetworkAddress: Hashable, Sendable {
    /// An IPv4 address.
    case four(UInt32)
    /// An IPv6 address, as its two halves.
    case six(UInt64, UInt64)

    /// The addresses of IPv4 that no public host has: the first address and the length of the
    /// prefix.
    private static let reserved: [(first: UInt32, length: UInt32)] = [
        (0x0000_0000, 8),  // this network
        (0x0A00_0000, 8),  // private
        (0x6440_0000, 10),  // shared by customers of a carrier
        (0x7F00_0000, 8),  // loopback
        (0xA9FE_0000, 16),  // link-local; cloud metadata services
        (0xAC10_0000, 12),  // private
        (0xC000_0000, 24),  // protocol assignments
        (0xC000_0200, 24),  // documentation
        (0xC0A8_0000, 16),  // private
        (0xC612_0000, 15),  // benchmarks
        (0xC633_6400, 24),  // documentation
        (0xCB00_7100, 24),  // documentation
        (0xE000_0000, 3),  // multicast, reserved, broadcast
    ]

    /// Reads the bytes of a `sockaddr`; `nil` for another family, and for too few bytes.
    init?(socketAddress bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= MemoryLayout<sa_family_t>.size else { return nil }
        switch Int32(bytes.loadUnaligned(as: sa_family_t.self)) {
        case AF_INET:
            guard bytes.count >= MemoryLayout<sockaddr_in>.size else { return nil }
            self = .four(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self)))
        case AF_INET6:
            guard bytes.count >= MemoryLayout<sockaddr_in6>.size else { return nil }
            self = .six(
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)),
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self))
            )
        default: return nil
        }
    }

    /// Whether it is this machine.
    var isLoopback: Bool {
        switch self {
        case .four(let address): address >> 24 == 127
        case .six(0, 1): true
        case .six: embedded?.isLoopback ?? false
        }
    }

    /// Whether it may be an address of any host on the internet: not of this machine, of a private
    /// network or link, of a group, or reserved.
    var isPublic: Bool {
        switch self {
        case .four(let address):
            !Self.reserved.contains { first, length in
                (address ^ first) >> (32 - length) == 0
            }
        case .six(let high, _):
            // An address of IPv4 in one of IPv6 is no more public than it is itself.
            if let embedded {
                embedded.isPublic
            } else {
                // Global unicast is 2000::/3, apart from protocol assignments (2001::/23, with
                // Teredo) and documentation (2001:db8::/32, 3fff::/20).
                high >> 61 == 1 && high >> 41 != 0x2001_0000 >> 9 && high >> 32 != 0x2001_0DB8
                    && high >> 44 != 0x3FFF0
            }
        }
    }

    /// The address of IPv4 that an address of IPv6 stands for: mapped (`::ffff:0:0/96`), compatible
    /// (`::/96`), translated (`64:ff9b::/96`) or tunneled (`2002::/16`); otherwise `nil`.
    private var embedded: NetworkAddress? {
        guard case .six(let high, let low) = self else { return nil }
        let last = NetworkAddress.four(UInt32(truncatingIfNeeded: low))
        switch (high, low >> 32) {
        case (0, 0xFFFF), (0x0064_FF9B_0000_0000, 0): return last
        case (0, 0) where low > 1: return last
        default:
            guard high >> 48 == 0x2002 else { return nil }
            return .four(UInt32(truncatingIfNeeded: high >> 16))
        }
    }
}
