public import EventLog
internal import SwedbankPay

/// The last published record of a store.
public struct OutboxMark: Hashable, Sendable {
    /// The log position of the last record that the receiver accepted.
    public var position: LogCursor
    /// The hash of that record, which distinguishes this store from others and from older states of
    /// itself; in a store with several lanes, the hash of the hashes of the last record in each.
    public var hash: Digest256

    /// Creates a place with these members.
    public init(position: LogCursor, hash: Digest256) {
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

    /// Stores a position, and returns once it is durable.
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
    var text: String { "\(position) \(hash)" }

    /// Parses the log position and the hash, with or without the end of the line; `nil` for
    /// anything else.
    init?(parsing line: [UInt8]) {
        let line = line.last == UInt8(ascii: "\n") ? line.dropLast() : line[...]
        let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard words.count == 2, let position = LogCursor(utf8: Array(words[0])),
            let hash = Digest256(hexadecimal: words[1])
        else { return nil }
        self.init(position: position, hash: hash)
    }
}
