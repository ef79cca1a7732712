/// The identity of a store, and its epoch.
public struct StoreIdentity: Hashable, Sendable {
    /// The 128 bits of the identifier, most significant first.
    private let high: UInt64
    private let low: UInt64

    /// The epoch, from 1; adopting the store as the live copy starts the next one.
    public let epoch: Int64

    package init(high: UInt64, low: UInt64, epoch: Int64) {
        (self.high, self.low, self.epoch) = (high, low, epoch)
    }

    /// Creates an identity from the text of an identifier.
    ///
    /// Returns `nil` unless the text is 32 lower-case hexadecimal digits and the epoch is at least
    /// 1.
    public init?(id: some StringProtocol, epoch: Int64) {
        guard epoch >= 1, let bytes = Hexadecimal.bytes(String(id.prefix(33))), bytes.count == 16
        else { return nil }
        let words = [bytes[..<8], bytes[8...]].map { $0.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
        self.init(high: words[0], low: words[1], epoch: epoch)
    }

    /// The identifier, which a store shares with all its copies: 32 lower-case hexadecimal digits.
    public var id: String {
        Hexadecimal.text(
            (0..<16).map { index in
                UInt8(truncatingIfNeeded: (index < 8 ? high : low) >> UInt64(56 - index % 8 * 8))
            }
        )
    }

    /// The identifier in two words, most significant first.
    var words: [UInt64] { [high, low] }

    /// Whether both are the same store or copies of it, in whatever epoch.
    public func isSameStore(as other: StoreIdentity) -> Bool {
        high == other.high && low == other.low
    }
}
