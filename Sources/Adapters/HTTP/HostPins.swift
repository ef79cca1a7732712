internal import FoundationEssentials

/// Keys that the hosts of one pattern must have one of.
///
/// Pins are checked on top of the certificate, never instead of it.
///
/// - Note: Source: merchant backend API, links: public keys are pinned for host patterns.
public struct HostPins: Hashable, Sendable {
    /// A host, or `*.` and a domain for the hosts with exactly one label more; in small letters.
    public let pattern: String
    /// The keys, as base64 SHA-256 digests of their public key information.
    public let digests: [String]

    /// The length of a digest in bytes.
    private static let digestBytes = 32

    /// Pins of a host or of the hosts right below a domain.
    ///
    /// - Returns: Nothing when the pattern is none, when there is no digest, or when one is no SHA-256: a pin with a slip in
    ///   it would protect nothing, or keep everything out.
    public init?(_ pattern: String, digests: [String]) {
        let pattern = pattern.lowercased()
        let name = pattern.hasPrefix("*.") ? String(pattern.dropFirst(2)) : pattern
        guard let url = try? RequestURL(reading: "https://\(name)/"), url.host == name,
            !digests.isEmpty,
            digests.allSatisfy({ Data(base64Encoded: $0)?.count == Self.digestBytes })
        else { return nil }
        self.pattern = pattern
        self.digests = digests
    }

    /// Whether the pins are about a host, which is given in small letters.
    func cover(_ host: String) -> Bool {
        guard pattern.hasPrefix("*.") else { return pattern == host }
        let domain = pattern.dropFirst()
        guard host.hasSuffix(domain) else { return false }
        let label = host.dropLast(domain.count)
        return !label.isEmpty && !label.contains(".")
    }
}

extension TransportConfiguration {
    /// Whether any key is pinned.
    var hasPins: Bool { !pinnedKeyDigests.isEmpty || !hostPins.isEmpty }

    /// The keys of a host as libcurl takes them; nothing when it may have any.
    func pins(of host: String) -> String? {
        let own = hostPins.filter { $0.cover(host) }
        let digests = own.isEmpty ? pinnedKeyDigests : own.flatMap(\.digests)
        guard !digests.isEmpty else { return nil }
        return digests.map { "sha256//\($0)" }.joined(separator: ";")
    }
}
