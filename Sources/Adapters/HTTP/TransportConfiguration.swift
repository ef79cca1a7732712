/// Whom a transport talks to, whom it trusts, and its limits.
public struct TransportConfiguration: Sendable {
    /// The hosts of the PSP and everything below them.
    ///
    /// Source: merchant backend, links: `payex.com` and `swedbankpay.com`.
    public static let defaultHostSuffixes = ["payex.com", "swedbankpay.com"]

    /// Domains that may be called, each with everything below it; capitals do not matter.
    ///
    /// They are called at the port 443; `psp.example:8443` permits another one instead. Where a host of this machine is
    /// named with a port, sandboxes are called at such ports only.
    public var allowedHostSuffixes: [String] = Self.defaultHostSuffixes
    /// Whether 127.0.0.0/8, `::1` and `localhost` may be called, also without TLS; for sandboxes.
    public var allowsInsecureLoopback = false
    /// A PEM file with authorities to trust beside those of the system's directory.
    public var authorityFile: String?
    /// Keys that the peer must have one of, as base64 SHA-256 digests; empty means no pinning.
    ///
    /// Certificates are verified as well. Hosts on loopback are not exempt.
    public var pinnedKeyDigests: [String] = []
    /// Keys of some hosts; a host that one of them is about needs none of ``pinnedKeyDigests``.
    public var hostPins: [HostPins] = []
    /// The proxy, for example `http://proxy:3128`; the environment's is never used.
    public var proxy: String?
    /// Hosts that are called without the proxy.
    public var hostsWithoutProxy = ["localhost", "127.0.0.1", "::1"]
    /// Requests that may be under way at the same time.
    public var maximumConcurrentRequests = 64
    /// Requests that may wait for a free place; one more fails.
    public var maximumQueuedRequests = 1_024
    /// Idle connections that are kept for the next request.
    public var maximumIdleConnections = 64
    /// How long a connection may be idle and still be used again.
    public var idleConnectionLifetime: Duration = .seconds(60)
    /// The most bytes of all header fields of an answer together.
    public var maximumHeaderBytes = 65_536
    /// The processor time for which one answer may keep the loop from everything else in one go.
    ///
    /// What is read until then is more than any answer has; only a peer that sends without end comes that far.
    public var maximumTurn: Duration = .seconds(1)
    /// The name that is sent as `User-Agent` unless the request brings its own.
    public var userAgent = "payment-workflow"

    /// The defaults.
    public init() {}
}
