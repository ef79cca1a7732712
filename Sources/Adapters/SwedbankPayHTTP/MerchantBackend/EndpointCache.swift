internal import HTTPTypes
internal import UVTransport

/// Caches the endpoints of merchant backends for as long as their root documents allow.
///
/// - Note: Isolation: any.
final class EndpointCache: Sendable {
    /// The maximum number of backends in the cache.
    static let maximumRoots = 64

    private struct Entry {
        var endpoints: MerchantBackendEndpoints
        var end: ContinuousClock.Instant
    }

    private let entries = ThreadLock<[String: Entry]>([:])
    private let now: @Sendable () -> ContinuousClock.Instant

    /// Creates an empty cache.
    init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) { self.now = now }

    /// The cached endpoints of a root, unless they have expired.
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

    /// Stores the endpoints of a root document for as long as its response allows.
    func keep(
        _ endpoints: MerchantBackendEndpoints,
        of root: String,
        headers: HTTPFields
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
