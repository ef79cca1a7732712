internal import SwedbankPay
public import UVTransport

extension TransportConfiguration {
    /// The PSP's domains, including all subdomains.
    public static let defaultHostSuffixes = ClientAddresses().pageHosts

    /// Creates the default configuration, with which only the PSP may be contacted.
    public init() { self.init(allowedHostSuffixes: Self.defaultHostSuffixes) }
}

extension CurlTransport {
    /// Creates a transport on a loop with the default configuration.
    public convenience init(on loop: UVLoop) {
        self.init(on: loop, configuration: TransportConfiguration())
    }
}
