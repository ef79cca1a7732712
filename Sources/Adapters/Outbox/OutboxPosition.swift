public import EventLog
internal import SwedbankPay

/// Up to where a store's records were published.
public struct OutboxPlace: Hashable, Sendable {
    /// The place of the last record that the receiver took.
    public var position: Int64
    /// That record's hash, which tells this store from another one and from an older state of it.
    public var hash: Digest256

    /// A place.
    public init(position: Int64, hash: Digest256) {
        self.position = position
        self.hash = hash
    }

    /// The place of a record.
    init(_ record: PositionedRecord) {
        self.init(position: record.position, hash: record.record.hash)
    }
}

/// Where a publisher keeps how far it is; whoever has claimed it is the only one who publishes from it.
///
/// - Note: Isolation: any.
public protocol OutboxPosition: Sendable {
    /// Takes the sole right to publish from here on.
    ///
    /// - Returns: Where to go on; nothing to begin.
    /// - Throws: ``OutboxFailure/inUse`` when another publisher has it, ``OutboxFailure/position(reason:)``.
    func claim() async throws(OutboxFailure) -> OutboxPlace?

    /// Keeps a place, and returns when it is durable.
    ///
    /// - Throws: ``OutboxFailure/inUse`` when the right was lost meanwhile, ``OutboxFailure/position(reason:)``.
    func advance(to place: OutboxPlace) async throws(OutboxFailure)

    /// Gives the right back.
    func release() async
}
