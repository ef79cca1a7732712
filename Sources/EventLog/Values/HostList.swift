/// Domains that may be called or shown, each including its subdomains: `a.example`, or
/// `a.example:8443` with a port other than the default.
package enum HostList {
    /// Whether an address belongs to one of the domains.
    package enum Membership: Hashable, Sendable {
        case member
        /// The host belongs to one, but the port does not.
        case otherPort
        case otherHost
    }

    /// Whether a host with a port is in a list.
    ///
    /// - Parameters:
    ///   - host: The host, in lower case.
    ///   - port: Its port; `nil` for the default.
    ///   - list: The domains, in any letter case.
    /// - Returns: The membership.
    package static func membership(
        of host: String,
        port: Int?,
        in list: [String]
    ) -> Membership {
        var best = Membership.otherHost
        for entry in list {
            let (domain, own) = parts(of: entry.lowercased())
            guard !domain.isEmpty, host == domain || host.hasSuffix("." + domain) else { continue }
            if port == own { return .member }
            best = .otherPort
        }
        return best
    }

    /// The ports that a list has for hosts with certain names; empty when it has none.
    package static func ports(in list: [String], where isMeant: (String) -> Bool) -> [Int] {
        list.compactMap {
            let (domain, port) = parts(of: $0.lowercased())
            return isMeant(domain) ? port : nil
        }
    }

    private static func parts(of entry: String) -> (domain: String, port: Int?) {
        guard let colon = entry.utf8.lastIndex(of: UInt8(ascii: ":")),
            let port = Int(entry[entry.index(after: colon)...])
        else { return (entry, nil) }
        return (String(entry[..<colon]), port == 443 ? nil : port)
    }
}
