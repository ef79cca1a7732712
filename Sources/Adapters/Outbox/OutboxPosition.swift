public import EventLog
internal import SwedbankPay

/// The last published record of a store.
public struct OutboxMark: Hashable, Sendable {
    /// A log position, in the form in which it was stored.
    public enum Position: Hashable, Sendable {
        /// A log position.
        case cursor(LogCursor)
        /// A number, as earlier builds stored it; it does not name the store.
        case number(Int64)
    }

    /// The log position of the last record that the receiver accepted.
    public var position: Position
    /// The hash of that record, which distinguishes this store from others and from older states of
    /// itself; in a store with several lanes, the hash of the hashes of the last record in each.
    public var hash: Digest256

    /// Creates a place with these members.
    public init(position: Position, hash: Digest256) {
        self.position = position
        self.hash = hash
    }
}

/// Stores how far a publisher has got; only the publisher that has claimed it publishes.
///
/// - Note: Isolation: any.
public protocol OutboxPosition: Sendable {
    /// Claims the exclusive right to publish from here on.
    ///
    /// - Returns: The last published record; `nil` to start from the beginning.
    /// - Throws: ``OutboxFailure/inUse`` when another publisher holds it,
    ///   ``OutboxFailure/position(reason:)``.
    func claim() async throws(OutboxFailure) -> OutboxMark?

    /// Stores a position, always with a ``LogCursor``, and returns once it is durable.
    ///
    /// - Throws: ``OutboxFailure/inUse`` when the claim was lost meanwhile,
    ///   ``OutboxFailure/position(reason:)``.
    func advance(to place: OutboxMark) async throws(OutboxFailure)

    /// Releases the claim.
    func release() async
}

// MARK: - Text

extension OutboxMark {
    /// The log position and the hash, separated by a space.
    var text: String {
        switch position {
        case .cursor(let cursor): "\(cursor) \(hash)"
        case .number(let number): "\(number) \(hash)"
        }
    }

    /// Parses the log position and the hash, with or without the end of the line; `nil` for
    /// anything else.
    init?(parsing line: [UInt8]) {
        let line = line.last == UInt8(ascii: "\n") ? line.dropLast() : line[...]
        let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard words.count == 2, let hash = Digest256(hexadecimal: words[1]) else { return nil }
        if let cursor = LogCursor(utf8: Array(words[0])) {
            self.init(position: .cursor(cursor), hash: hash)
        } else if words[0].allSatisfy(\.isASCIIDigit),
            let number = Int64(String(decoding: words[0], as: UTF8.self)), number > 0
        {
            self.init(position: .number(number), hash: hash)
        } else {
            return nil
        }
    }
}
