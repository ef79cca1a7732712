/// Domains that may be called or shown, each with everything below it: `payex.com`, or `psp.example:8443` where another port
/// than the usual one is meant.
package enum HostList {
    /// Whether an address is of one of the domains.
    package enum Membership: Hashable, Sendable {
        case member
        /// The host is, with another port.
        case otherPort
        case otherHost
    }

    /// Whether a host is in a list, and with that port.
    ///
    /// - Parameters:
    ///   - host: The host, in lower case.
    ///   - port: Its port; nil for the usual one.
    ///   - list: The domains; capitals do not matter.
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

    /// The ports that a list gives a host of exactly that name; empty when it gives none.
    package static func ports(of host: String, in list: [String]) -> [Int] {
        list.compactMap {
            let (domain, port) = parts(of: $0.lowercased())
            return domain == host ? port : nil
        }
    }

    private static func parts(of entry: String) -> (domain: String, port: Int?) {
        guard let colon = entry.utf8.lastIndex(of: UInt8(ascii: ":")),
            let port = Int(entry[entry.index(after: colon)...])
        else { return (entry, nil) }
        return (String(entry[..<colon]), port == 443 ? nil : port)
    }
}
