internal import FoundationEssentials

/// Pinned public keys: every host that matches the pattern must have one of them.
///
/// Pins are checked in addition to the certificate, never instead of it.
public struct HostPins: Hashable, Sendable {
    /// A host, or `*.` and a domain for hosts with exactly one more label; in lower case.
    public let pattern: String
    /// The keys, as base64 SHA-256 digests of their public key information.
    public let digests: [String]

    /// The length of a digest in bytes.
    private static let digestBytes = 32

    /// Creates pins for a host or for the hosts directly below a domain.
    ///
    /// Returns `nil` when the pattern is invalid, when there are no digests, or when a digest is
    /// not a SHA-256: a mistyped pin would either not protect any host or lock every host out.
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

    /// Whether the pins apply to a host, given in lower case.
    func cover(_ host: String) -> Bool {
        guard pattern.hasPrefix("*.") else { return pattern == host }
        let domain = pattern.dropFirst()
        guard host.hasSuffix(domain) else { return false }
        let label = host.dropLast(domain.count)
        return !label.isEmpty && !label.unicodeScalars.contains(".")
    }
}

extension TransportConfiguration {
    /// Whether any key is pinned.
    var hasPins: Bool { !pinnedKeyDigests.isEmpty || !hostPins.isEmpty }

    /// The keys of a host in libcurl's form; `nil` when any key is accepted.
    func pins(of host: String) -> String? {
        let own = hostPins.filter { $0.cover(host) }
        let digests = own.isEmpty ? pinnedKeyDigests : own.flatMap(\.digests)
        guard !digests.isEmpty else { return nil }
        return digests.map { "sha256//\($0)" }.joined(separator: ";")
    }
}
