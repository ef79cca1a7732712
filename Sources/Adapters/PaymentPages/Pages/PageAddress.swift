internal import SwedbankPay

/// An address that a page leads to, with its origin for the policy.
struct PageAddress: Hashable, Sendable {
    /// The address as given.
    let text: String
    /// The origin `scheme://host:port`, in the form that browsers compare.
    let origin: String

    /// Parses an address strictly.
    ///
    /// - Parameters:
    ///   - text: The address.
    ///   - member: The name of the member, for the error.
    ///   - allowsInsecureLoopback: Whether `http` to this machine is permitted.
    /// - Throws: ``PageError`` when the address is missing or invalid.
    init(
        _ text: String?,
        member: String,
        allowsInsecureLoopback: Bool
    ) throws(PageError) {
        guard let text, !text.isEmpty else { throw .missing(member: member) }
        guard let parts = AddressParts(text), let host = parts.host else {
            throw .malformed(member: member, reason: "it must be an absolute URL")
        }
        // A policy cannot express IPv6 literals, and other unusual hosts are never needed.
        guard APIAddress.isPlainHost(host), !host.hasPrefix("["), parts.userinfo == nil else {
            throw .malformed(member: member, reason: "it must have a plain host, and no user name")
        }
        guard
            parts.scheme == "https"
                || parts.scheme == "http" && allowsInsecureLoopback && APIAddress.isLoopback(host)
        else { throw .malformed(member: member, reason: "it must be an https URL") }
        let standard = parts.scheme == "https" ? 443 : 80
        let port = parts.port.flatMap { Int($0) }.flatMap { $0 == standard ? nil : ":\($0)" }
        self.text = text
        origin = "\(parts.scheme)://\(host)\(port ?? "")"
    }

    /// Whether a text is exactly an origin, which a policy may list in addition to the pages' own.
    static func isOrigin(_ text: String, allowsInsecureLoopback: Bool) -> Bool {
        let address = try? PageAddress(
            text,
            member: "",
            allowsInsecureLoopback: allowsInsecureLoopback
        )
        return address.map { $0.origin == text } ?? false
    }
}
