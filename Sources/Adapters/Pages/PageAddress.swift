internal import SwedbankPay

/// An address that a page leads to, with what a policy has to know of it.
struct PageAddress: Hashable, Sendable {
    /// The address as given.
    let text: String
    /// `scheme://host:port`, in the form that browsers compare.
    let origin: String

    /// Reads an address strictly.
    ///
    /// - Parameters:
    ///   - text: What was given.
    ///   - member: What it is called, for the error.
    ///   - allowsInsecureLoopback: Whether `http` to this machine is taken.
    init(
        _ text: String?,
        member: String,
        allowsInsecureLoopback: Bool
    ) throws(PageError) {
        guard let text, !text.isEmpty else { throw .missing(member: member) }
        guard let parts = AddressParts(text), let host = parts.host else {
            throw .malformed(member: member, reason: "it has to be an absolute URL")
        }
        // A policy has no form for the address literals of IPv6, and no use for anything odder.
        guard APIAddress.isPlainHost(host), !host.hasPrefix("["), parts.userinfo == nil else {
            throw .malformed(member: member, reason: "it has to name a plain host, and no user")
        }
        guard
            parts.scheme == "https"
                || parts.scheme == "http" && allowsInsecureLoopback && APIAddress.isLoopback(host)
        else { throw .malformed(member: member, reason: "it has to be an https URL") }
        let standard = parts.scheme == "https" ? 443 : 80
        let port = parts.port.flatMap { Int($0) }.flatMap { $0 == standard ? nil : ":\($0)" }
        self.text = text
        origin = "\(parts.scheme)://\(host)\(port ?? "")"
    }

    /// Whether a text is an origin and nothing more: what a policy may name beside the pages' own.
    static func isOrigin(_ text: String, allowsInsecureLoopback: Bool) -> Bool {
        let address = try? PageAddress(
            text,
            member: "",
            allowsInsecureLoopback: allowsInsecureLoopback
        )
        return address.map { $0.origin == text } ?? false
    }
}
