internal import EventLog

/// What a handle of a store knows about the order of all records without asking the store again:
/// the identity in its log positions, and a position that the store certainly has.
///
/// - Note: Isolation: any.
final class LogOrder: Sendable {
    private struct Table {
        var identity: StoreIdentity?
        var end: Int64 = 0
    }

    private let table = ThreadLock(Table())

    /// The store's identity; `nil` before it was read.
    var identity: StoreIdentity? { table.withLock { $0.identity } }

    /// Records the identity that was read, unless one is known by now.
    ///
    /// - Returns: The known identity.
    func learn(_ identity: StoreIdentity) -> StoreIdentity {
        table.withLock { table in
            let known = table.identity ?? identity
            table.identity = known
            return known
        }
    }

    /// Records the identity with which the store was adopted, or forgets everything (`nil`): the
    /// next connection may lead to another server, or to an earlier state.
    func restart(as identity: StoreIdentity?) {
        table.withLock { $0 = Table(identity: identity) }
    }

    /// Records that the store has a record at a position.
    func note(_ position: Int64, in identity: StoreIdentity) {
        table.withLock { table in
            if table.identity == identity { table.end = max(table.end, position) }
        }
    }

    /// Whether the store had a record at this position or after it.
    func hasSeen(_ position: Int64) -> Bool { table.withLock { position <= $0.end } }
}
