internal import EventLog
internal import SwedbankPay

/// Which web pages stay in the web view that shows a payment menu.
///
/// - Note: Source: redirect policy of the mobile SDKs.
public enum RedirectPolicy: Hashable, Sendable {
    /// All pages.
    case webView
    /// None: the payer's own browser shows them.
    case browser
    /// Pages whose host matches one of the patterns.
    case hosts([HostPattern])

    /// Whether a page stays in the web view; with host patterns, an invalid address does not.
    public func keepsInWebView(_ url: String) -> Bool {
        switch self {
        case .webView: true
        case .browser: false
        case .hosts(let patterns):
            AddressParts(url)?.host.map { host in patterns.contains { $0.matches(host) } } ?? false
        }
    }
}

/// A pattern for hosts: `example.com`, `*.example.com`, `**.example.com`.
public struct HostPattern: Hashable, Sendable {
    private enum Below: Hashable {
        case nothing
        case oneLabel
        case anything
    }

    private let domain: String
    private let below: Below

    /// The maximum number of patterns in a list.
    public static let maximumCount = 1024

    /// Parses a pattern; `nil` when the text is not a valid one.
    public init?(_ text: some StringProtocol) {
        // Letters beyond ASCII can have lower-case forms within it.
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let text = text.lowercased()
        if text.hasPrefix("**.") {
            (below, domain) = (.anything, String(text.dropFirst(3)))
        } else if text.hasPrefix("*.") {
            (below, domain) = (.oneLabel, String(text.dropFirst(2)))
        } else {
            (below, domain) = (.nothing, text)
        }
        let labels = domain.pieces(between: ".", omittingEmptySubsequences: false)
        guard APIAddress.isPlainHost(domain), !domain.hasPrefix("["),
            !labels.contains(where: \.isEmpty)
        else { return nil }
    }

    /// Parses a list with one pattern per line; surrounding whitespace, empty lines, lines that
    /// begin with `#`, and invalid patterns are skipped.
    public static func list(_ text: String) -> [HostPattern] {
        var patterns: [HostPattern] = []
        for line in text.split(whereSeparator: \.isNewline) where patterns.count < maximumCount {
            let start = line.drop { $0.isWhitespace }
            let blanks = start.reversed().prefix { $0.isWhitespace }.count
            // A line that begins with # is not a valid pattern either.
            if let pattern = HostPattern(start.dropLast(blanks)) { patterns.append(pattern) }
        }
        return patterns
    }

    /// Whether a host matches; case-insensitive.
    public func matches(_ host: String) -> Bool {
        guard host.utf8.allSatisfy({ $0 < 0x80 }) else { return false }
        let host = host.lowercased()
        guard host != domain else { return true }
        guard below != .nothing, host.hasSuffix("." + domain) else { return false }
        let rest = host.dropLast(domain.utf8.count + 1)
        return !rest.isEmpty && (below == .anything || !rest.unicodeScalars.contains("."))
    }
}
