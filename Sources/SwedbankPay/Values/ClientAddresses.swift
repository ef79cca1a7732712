internal import EventLog

/// Decides which addresses received from others are passed to a payer's client to be opened.
///
/// An allow list is used because the schemes to deny cannot be enumerated: `javascript:`,
/// `intent:`, `ms-msdt:`, `tel:`, `content:`, and those of future systems.
///
/// Only passing an address to a client is refused. The log is not affected, so a stored log folds
/// and replays as before.
public struct ClientAddresses: Hashable, Sendable {
    /// Domains of the PSP, whose pages and scripts are shown, each including its subdomains.
    ///
    /// - Note: Source: merchant backend, links: `payex.com` and `swedbankpay.com`.
    public var pageHosts = ["payex.com", "swedbankpay.com"]
    /// The schemes of the apps that are used to pay with an instrument, in lower case.
    ///
    /// - Note: Source: payment session API, the task `launch-client-app`: of the native
    ///   instruments, Swish has an app.
    public var appSchemes: [Instrument: Set<String>] = Instrument.allCases.reduce(into: [:]) {
        if let scheme = $1.appScheme { $0[$1] = [scheme] }
    }
    /// Domains whose links open such an app.
    public var appHosts: [String] = Instrument.allCases.compactMap(\.appHost)

    /// Schemes of apps that pages of a payment lead to: those of ``appSchemes``, and Nordic
    /// identification apps and wallets.
    ///
    /// A bank with its own app has to be added.
    public static let pageAppSchemes: Set<String> = Set(["bankid", "vipps", "mobilepay"])
        .union(Instrument.allCases.compactMap(\.appScheme))

    /// Creates the default rules.
    public init() {}

    /// Whether a link may open an app.
    ///
    /// - Parameters:
    ///   - link: The link.
    ///   - instrument: The instrument to pay with; `nil` means any.
    /// - Returns: Whether it may.
    public func opensApp(_ link: String, for instrument: Instrument? = nil) -> Bool {
        guard AppLink.isWellFormed(link), let scheme = AppLink.scheme(of: link) else {
            return false
        }
        if scheme == "https" { return isSecure(link, of: pageHosts + appHosts) }
        guard let instrument else {
            return appSchemes.values.contains { $0.contains(scheme) }
        }
        return appSchemes[instrument]?.contains(scheme) ?? false
    }

    /// Whether an address is a page or script of the PSP.
    ///
    /// - Parameters:
    ///   - address: The address.
    ///   - session: The host at which the session was opened, which is trusted for its own pages;
    ///     on this machine it is a sandbox, whose pages may be without TLS.
    /// - Returns: Whether it is.
    public func isPage(_ address: String, of session: String?) -> Bool {
        if let session, APIAddress.isLoopback(session), let parts = AddressParts(address),
            let host = parts.host, APIAddress.isLoopback(host), parts.userinfo == nil
        {
            return parts.scheme == "https" || parts.scheme == "http"
        }
        return isSecure(address, of: pageHosts + [session].compactMap { $0 })
    }

    /// Whether a page may lead to an address at its end: a web address, or one with the app's own
    /// scheme.
    public static func isEnd(_ address: String, callbackScheme: String?) -> Bool {
        guard let scheme = AddressParts(address)?.scheme else { return false }
        return ["https", "http", callbackScheme?.lowercased()].contains(scheme)
    }

    private func isSecure(_ address: String, of hosts: [String]) -> Bool {
        guard let parts = AddressParts(address), parts.scheme == "https", parts.userinfo == nil,
            let host = parts.host, APIAddress.isPlainHost(host)
        else { return false }
        let port = parts.port.flatMap { Int($0) }.flatMap { $0 == 443 ? nil : $0 }
        return HostList.membership(of: host, port: port, in: hosts) == .member
    }
}
