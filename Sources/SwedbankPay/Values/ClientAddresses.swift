/// Which of the addresses that others name a payer's client is handed in order to open them.
///
/// What may be opened is listed. What may not has no end: `javascript:`, `intent:`, `ms-msdt:`, `tel:`, `content:`, and
/// whatever the next system understands.
///
/// Only handing out is refused. What a log holds stays what it is, so a stored log folds and replays as before.
public struct ClientAddresses: Hashable, Sendable {
    /// Domains of the PSP, whose pages and scripts are shown, each with everything below it.
    ///
    /// Source: merchant backend, links: `payex.com` and `swedbankpay.com`.
    public var pageHosts = ["payex.com", "swedbankpay.com"]
    /// The schemes of the apps that an instrument is paid with, in lower case.
    ///
    /// Source: payment session API, the task `launch-client-app`: of the native instruments, Swish has an app.
    public var appSchemes: [Instrument: Set<String>] = [.swish: ["swish"]]
    /// Domains whose links open such an app.
    public var appHosts = ["app.swish.nu"]

    /// Schemes of apps that pages of a payment lead to: those of ``appSchemes``, and the Nordic identification and wallets.
    ///
    /// A bank that has an app of its own has to be named beside them.
    public static let pageAppSchemes: Set<String> = ["swish", "bankid", "vipps", "mobilepay"]

    /// The defaults.
    public init() {}

    /// Whether a link may open an app.
    ///
    /// - Parameter instrument: What is paid with; nil means any.
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
    /// - Parameter session: The host at which the session was opened, which is trusted as far as its own pages go; on this
    ///   machine that is a sandbox, whose pages may be without TLS.
    public func isPage(_ address: String, of session: String?) -> Bool {
        if let session, APIAddress.isLoopback(session), let parts = AddressParts(address),
            let host = parts.host, APIAddress.isLoopback(host), parts.userinfo == nil
        {
            return parts.scheme == "https" || parts.scheme == "http"
        }
        return isSecure(address, of: pageHosts + [session].compactMap { $0 })
    }

    /// Whether an address is one to which a page may lead at its end: of the web, or under the app's own scheme.
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
