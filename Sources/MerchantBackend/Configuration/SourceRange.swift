internal import Adapters

/// A range of addresses that a request may come from, such as `20.91.170.120/29`.
public struct SourceRange: Hashable, Sendable {
    /// The addresses that the PSP sends callbacks from.
    ///
    /// - Note: Source: callbacks, source addresses: the range in effect since 12 March 2025.
    public static var psp: [SourceRange] {
        // None would allow all.
        guard let range = AddressRange("20.91.170.120/29") else {
            preconditionFailure("the PSP's range is none")
        }
        return [SourceRange(range: range)]
    }

    private let range: AddressRange

    private init(range: AddressRange) { self.range = range }

    /// Reads an address, or a range as an address and a number of bits.
    ///
    /// - Throws: ``BackendConfigurationError`` for anything else, including host names.
    public init(_ text: String) throws(BackendConfigurationError) {
        guard let range = AddressRange(text) else {
            throw .malformed(
                member: "callbackSources",
                reason: "each must be an IP address, or a range such as 20.91.170.120/29"
            )
        }
        self.init(range: range)
    }

    /// Whether an address is within the range; false for a text that is not an address.
    ///
    /// An IPv4 address that a dual-stack socket shows as `::ffff:a.b.c.d` is treated as IPv4.
    public func contains(_ address: String) -> Bool { range.contains(address) }
}
