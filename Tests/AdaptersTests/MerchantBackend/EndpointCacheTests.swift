import HTTPTypes
import Synchronization
import Testing

@testable import SwedbankPayHTTP

@Suite struct EndpointCacheTests {
    private static let endpoints = MerchantBackendEndpoints(
        consumers: nil,
        orders: "https://shop.example/orders"
    )

    @Test(arguments: [
        (["max-age=60"], 60), (["Max-Age=60"], 60), (["public, max-age=\"60\""], 60),
        (["max-age = 60 , immutable"], 60), (["public", "max-age=60"], 60),
        (["max-age=90, max-age=60"], 60), (["max-age=31536000"], 31_536_000),
        (["max-age=99999999999999999999999"], 31_536_000),
    ]) func `a response is cached for its max-age less its age, a year at most`(
        _ fields: [String],
        _ seconds: Int
    ) {
        var headers = HTTPFields()
        headers[values: .cacheControl] = fields
        #expect(CacheLifetime.read(headers) == .seconds(seconds))
        headers[.age] = "20"
        #expect(CacheLifetime.read(headers) == .seconds(seconds - 20))
        headers[.age] = "99999999999999"
        #expect(CacheLifetime.read(headers) == nil)
    }

    @Test(arguments: [
        [], ["no-store"], ["max-age=60, no-store"], ["no-cache", "max-age=60"], ["max-age=0"],
        ["max-age=-1"], ["max-age"], ["max-age=soon"], ["private"], ["s-maxage=60"], [""],
    ]) func `a response without a usable max-age is not cached`(_ fields: [String]) {
        var headers = HTTPFields()
        headers[values: .cacheControl] = fields
        #expect(CacheLifetime.read(headers) == nil)
    }

    @Test func `a cached response is valid until it expires`() {
        let time = Mutex(ContinuousClock.now)
        let cache = EndpointCache(now: { time.withLock { $0 } })
        cache.keep(Self.endpoints, of: "a", headers: [.cacheControl: "max-age=60"])
        time.withLock { $0 = $0.advanced(by: .seconds(59)) }
        #expect(cache.endpoints(of: "a") == Self.endpoints)
        #expect(cache.endpoints(of: "b") == nil)
        time.withLock { $0 = $0.advanced(by: .seconds(1)) }
        #expect(cache.endpoints(of: "a") == nil)
    }

    @Test func `a later response that must not be cached removes the cached one`() {
        let cache = EndpointCache()
        cache.keep(Self.endpoints, of: "a", headers: [.cacheControl: "max-age=60"])
        cache.keep(Self.endpoints, of: "a", headers: [.cacheControl: "no-store"])
        #expect(cache.endpoints(of: "a") == nil)
    }

    @Test func `a full cache accepts no further backend until an entry has expired`() {
        let time = Mutex(ContinuousClock.now)
        let cache = EndpointCache(now: { time.withLock { $0 } })
        let short: HTTPFields = [.cacheControl: "max-age=60"]
        for number in 0...EndpointCache.maximumRoots {
            cache.keep(Self.endpoints, of: "\(number)", headers: short)
        }
        #expect(cache.endpoints(of: "0") != nil)
        #expect(cache.endpoints(of: "\(EndpointCache.maximumRoots)") == nil)
        time.withLock { $0 = $0.advanced(by: .seconds(61)) }
        cache.keep(Self.endpoints, of: "new", headers: short)
        #expect(cache.endpoints(of: "new") != nil)
    }
}
