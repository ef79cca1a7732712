public import EventLog
internal import SwedbankPay

/// The last published record of a store.
public struct OutboxPlace: Hashable, Sendable {
    /// The log position of the last record that the receiver accepted.
    public var position: Int64
    /// The hash of that record, which distinguishes this store from others and from older states of
    /// itself.
    public var hash: Digest256

    /// Creates a position with these members.
    public init(position: Int64, hash: Digest256) {
        self.position = position
        self.hash = hash
    }

    /// Creates the position of a record.
    init(_ record: PositionedRecord) {
        self.init(position: record.position, hash: record.record.hash)
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
    func claim() async throws(OutboxFailure) -> OutboxPlace?

    /// Stores a position and returns once it is durable.
    ///
    /// - Throws: ``OutboxFailure/inUse`` when the claim was lost meanwhile,
    ///   ``OutboxFailure/position(reason:)``.
    func advance(to place: OutboxPlace) async throws(OutboxFailure)

    /// Releases the claim.
    func release() async
}
