internal import Synchronization

/// Where merchant backends take orders, as long as their root documents may be used.
///
/// - Note: Isolation: any.
final class EndpointCache: Sendable {
    /// How many backends are remembered at the same time.
    static let maximumRoots = 64

    private struct Entry {
        var endpoints: MerchantBackendEndpoints
        var end: ContinuousClock.Instant
    }

    private let entries = Mutex<[String: Entry]>([:])
    private let now: @Sendable () -> ContinuousClock.Instant

    /// An empty cache.
    init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) { self.now = now }

    /// What is known of a root and still good.
    func endpoints(of root: String) -> MerchantBackendEndpoints? {
        let now = now()
        return entries.withLock { entries in
            guard let entry = entries[root] else { return nil }
            guard entry.end > now else {
                entries[root] = nil
                return nil
            }
            return entry.endpoints
        }
    }

    /// Takes in what a root document says, for as long as the answer allows.
    func keep(
        _ endpoints: MerchantBackendEndpoints,
        of root: String,
        headers: [(name: String, value: String)]
    ) {
        let now = now()
        let lifetime = CacheLifetime.read(headers)
        entries.withLock { entries in
            guard let lifetime else {
                entries[root] = nil
                return
            }
            if entries[root] == nil, entries.count >= Self.maximumRoots {
                entries = entries.filter { $0.value.end > now }
                guard entries.count < Self.maximumRoots else { return }
            }
            entries[root] = Entry(endpoints: endpoints, end: now.advanced(by: lifetime))
        }
    }
}
