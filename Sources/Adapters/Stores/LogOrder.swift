internal import EventLog

/// The identity in the log positions of a store, as far as a handle knows it: it is not read with
/// every page.
///
/// A refusal never rests on what is remembered here: another process may have adopted the store
/// since.
///
/// - Note: Isolation: any.
final class LogOrder: Sendable {
    private let known = ThreadLock<StoreIdentity?>(nil)

    /// The store's identity; `nil` before it was read.
    var identity: StoreIdentity? { known.withLock { $0 } }

    /// Records the identity that was read, unless one is known by now.
    ///
    /// - Returns: The known identity.
    func learn(_ identity: StoreIdentity) -> StoreIdentity {
        known.withLock { known in
            let first = known ?? identity
            known = first
            return first
        }
    }

    /// Records the identity that the store has now, or forgets it (`nil`), so that it is read
    /// again: a new connection may lead to another server, or to an earlier state.
    func restart(as identity: StoreIdentity?) {
        known.withLock { $0 = identity }
    }
}
