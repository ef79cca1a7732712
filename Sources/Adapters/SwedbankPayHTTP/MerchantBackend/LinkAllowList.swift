internal import SwedbankPay

/// The domains that the links of a merchant backend may lead to.
///
/// A backend's responses contain addresses for further requests, which may carry credentials of the
/// payer; no request goes to an address outside these domains.
///
/// - Note: Source: merchant backend API, root discovery and links.
public struct LinkAllowList: Hashable, Sendable {
    /// One domain.
    public struct Entry: Hashable, Sendable {
        /// The domain, in lower case.
        public let domain: String
        /// Whether all subdomains are included.
        public let includesSubdomains: Bool

        /// Creates an entry for a domain, with or without its subdomains; case-insensitive.
        public init(_ domain: String, includesSubdomains: Bool) {
            self.domain = domain.lowercased()
            self.includesSubdomains = includesSubdomains
        }

        /// Whether a host belongs to the entry.
        func covers(_ host: String) -> Bool {
            guard !domain.isEmpty else { return false }
            let host = host.lowercased()
            return host == domain || includesSubdomains && host.hasSuffix("." + domain)
        }
    }

    /// The domains.
    public var entries: [Entry]

    /// Creates a list of domains, which replaces the default: include the backend's own host.
    public init(_ entries: [Entry]) { self.entries = entries }

    /// The default: the host of a backend's root, and all its subdomains.
    ///
    /// - Returns: The list, which is empty when the root is not a valid address.
    public static func host(of root: String) -> LinkAllowList {
        guard let host = AddressParts(root)?.host, !host.isEmpty else { return LinkAllowList([]) }
        return LinkAllowList([Entry(host, includesSubdomains: true)])
    }

    /// Whether a host may be called.
    public func allows(host: String) -> Bool {
        !host.isEmpty && entries.contains { $0.covers(host) }
    }

    /// Whether an absolute address may be called.
    public func allows(_ address: String) -> Bool {
        AddressParts(address)?.host.map(allows(host:)) ?? false
    }
}
