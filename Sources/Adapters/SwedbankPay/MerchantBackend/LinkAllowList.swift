internal import SwedbankPay

/// The domains that the links of a merchant backend may lead to.
///
/// A backend's answers name addresses to call, and calls may carry what proves who the payer is; an address
/// elsewhere is therefore not called.
///
/// - Note: Source: merchant backend API, root discovery and links.
public struct LinkAllowList: Hashable, Sendable {
    /// One domain.
    public struct Entry: Hashable, Sendable {
        /// The domain, in small letters.
        public let domain: String
        /// Whether everything below it is meant as well.
        public let includesSubdomains: Bool

        /// A domain, with or without what is below it; capitals do not matter.
        public init(_ domain: String, includesSubdomains: Bool) {
            self.domain = domain.lowercased()
            self.includesSubdomains = includesSubdomains
        }

        /// Whether a host belongs to it.
        func covers(_ host: String) -> Bool {
            guard !domain.isEmpty else { return false }
            let host = host.lowercased()
            return host == domain || includesSubdomains && host.hasSuffix("." + domain)
        }
    }

    /// The domains.
    public var entries: [Entry]

    /// A list of domains, which replaces the default: the backend's own host has to be among them.
    public init(_ entries: [Entry]) { self.entries = entries }

    /// The default: the host of a backend's root, and everything below it.
    ///
    /// - Returns: A list that allows nothing when the root is no address.
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
