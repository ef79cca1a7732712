internal import Adapters
internal import EventLog
internal import SwedbankPay

extension PaymentService {
    /// The environment in which payments are made, which determines the allowed hosts.
    ///
    /// | | a session URL may lead to | plain `http` | orders are created at |
    /// |---|---|---|---|
    /// | ``sandbox`` | this machine | yes | an address that you name |
    /// | ``test`` | the PSP's test environment | no | `api.externalintegration.payex.com` |
    /// | ``production`` | the PSP, without its test environment | no | `api.payex.com` |
    public enum Environment: String, Hashable, Sendable, CaseIterable {
        /// A sandbox on this machine; no other host is called, and TLS is not required.
        case sandbox
        /// The PSP's test environment, in which no money moves.
        case test
        /// The PSP's production environment.
        case production
    }
}

extension PaymentService.Environment {
    /// The domains of the PSP's test environment.
    ///
    /// - Note: Source: merchant backend, links; the PSP names its test hosts
    ///   `*.externalintegration.*`.
    private static let testHosts = TransportConfiguration.defaultHostSuffixes.map {
        "externalintegration." + $0
    }

    /// The domains that may be called if the configuration names none.
    var hosts: [String] {
        switch self {
        case .sandbox: []
        case .test: Self.testHosts
        case .production: TransportConfiguration.defaultHostSuffixes
        }
    }

    /// The base URL of the PSP's API for orders; `nil` for a sandbox, whose port is not known.
    var apiRoot: String? {
        switch self {
        case .sandbox: nil
        case .test: "https://api.externalintegration.payex.com/"
        case .production: "https://api.payex.com/"
        }
    }

    /// Whether this machine may be called without TLS.
    var allowsInsecureLoopback: Bool { self == .sandbox }

    /// Checks that a host belongs to this environment.
    ///
    /// - Parameters:
    ///   - host: The host of a URL, in lower case.
    ///   - allowed: The domains that may be called.
    /// - Returns: Why the host is refused; `nil` when it belongs to this environment.
    func refusal(of host: String, allowed: [String]) -> String? {
        let isLoopback = APIAddress.isLoopback(host)
        switch self {
        case .sandbox:
            return isLoopback
                ? nil : "the .sandbox environment accepts only addresses on this machine"
        case .test, .production:
            if isLoopback {
                return "a loopback address is allowed only in the .sandbox environment"
            }
        }
        // The transport compares the ports.
        guard HostList.membership(of: host, port: nil, in: allowed) != .otherHost else {
            return "its host is not allowed in the .\(rawValue) environment"
        }
        let isTest = HostList.membership(of: host, port: nil, in: Self.testHosts) != .otherHost
        return self == .production && isTest
            ? "its host belongs to the PSP's test environment; use .test" : nil
    }
}
