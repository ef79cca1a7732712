/// Which hosts a transport may contact, which authorities it trusts, and its limits.
public struct TransportConfiguration: Sendable {
    /// The domains that may be contacted, including all subdomains; case-insensitive.
    ///
    /// The port is 443, unless an entry such as `a.example:8443` names another. When an entry
    /// names a loopback host with a port, loopback hosts are contacted on such ports only.
    public var allowedHostSuffixes: [String]
    /// Whether 127.0.0.0/8, `::1` and `localhost` may be contacted, also without TLS; for
    /// sandboxes.
    public var allowsInsecureLoopback = false
    /// Whether addresses of this machine, of private networks and of links are refused, whatever
    /// name they have.
    ///
    /// They are checked when a connection is made. A host named as loopback may be this machine,
    /// if that is permitted.
    public var refusesPrivateAddresses = false
    /// A PEM file with authorities to trust in addition to the system's.
    public var authorityFile: String?
    /// The keys of which the peer must have one, as base64 SHA-256 digests; empty disables pinning.
    ///
    /// Certificates are verified as well. Loopback hosts are not exempt.
    public var pinnedKeyDigests: [String] = []
    /// Keys for particular hosts; they replace ``pinnedKeyDigests`` for the hosts that they cover.
    public var hostPins: [HostPins] = []
    /// The proxy, for example `http://proxy:3128`; the environment's proxy is never used.
    public var proxy: String?
    /// Hosts that are contacted without the proxy.
    public var hostsWithoutProxy = ["localhost", "127.0.0.1", "::1"]
    /// The maximum number of concurrent requests.
    public var maximumConcurrentRequests = 64
    /// The maximum number of requests that wait for their turn; any further request fails.
    public var maximumQueuedRequests = 1_024
    /// The maximum number of idle connections kept for later requests.
    public var maximumIdleConnections = 64
    /// The time for which an idle connection may be reused.
    public var idleConnectionLifetime: Duration = .seconds(60)
    /// The maximum size of all header fields of a response, in bytes.
    public var maximumHeaderBytes = 65_536
    /// The maximum processor time for which one response may occupy the loop without a break.
    ///
    /// The default is more than any real response needs; only a peer that sends without end reaches
    /// it.
    public var maximumTurn: Duration = .seconds(1)
    /// The `User-Agent`, unless the request has its own.
    public var userAgent = "payment-workflow"

    /// Creates a configuration with default limits.
    package init(allowedHostSuffixes: [String]) { self.allowedHostSuffixes = allowedHostSuffixes }
}
