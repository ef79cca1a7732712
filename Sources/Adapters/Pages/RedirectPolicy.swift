internal import SwedbankPay

/// Which pages of the web stay in the web view that shows a payment menu.
///
/// - Note: Source: redirect policy of the mobile SDKs.
public enum RedirectPolicy: Hashable, Sendable {
    /// All of them.
    case webView
    /// None: the payer's own browser shows them.
    case browser
    /// Those whose host one of the patterns matches.
    case hosts([HostPattern])

    /// Whether a page stays in the web view; what is no address to the letter does not, if that depends on its host.
    public func keepsInWebView(_ url: String) -> Bool {
        switch self {
        case .webView: true
        case .browser: false
        case .hosts(let patterns):
            AddressParts(url)?.host.map { host in patterns.contains { $0.matches(host) } } ?? false
        }
    }
}

/// A pattern for the hosts of pages: `example.com`, `*.example.com`, `**.example.com`.
public struct HostPattern: Hashable, Sendable {
    private enum Below: Hashable {
        case nothing
        case oneLabel
        case anything
    }

    private let domain: String
    private let below: Below

    /// How many patterns a list may have.
    public static let maximumCount = 1024

    /// Reads a pattern.
    ///
    /// - Returns: Nothing when it is no pattern.
    public init?(_ text: some StringProtocol) {
        // Letters beyond ASCII can have small forms within it.
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let text = text.lowercased()
        if text.hasPrefix("**.") {
            (below, domain) = (.anything, String(text.dropFirst(3)))
        } else if text.hasPrefix("*.") {
            (below, domain) = (.oneLabel, String(text.dropFirst(2)))
        } else {
            (below, domain) = (.nothing, text)
        }
        let labels = domain.split(separator: ".", omittingEmptySubsequences: false)
        guard APIAddress.isPlainHost(domain), !domain.hasPrefix("["),
            !labels.contains(where: \.isEmpty)
        else { return nil }
    }

    /// Reads a list: one pattern a line; blanks around it, empty lines, lines that begin with `#`, and what is no
    /// pattern are skipped.
    public static func list(_ text: String) -> [HostPattern] {
        var patterns: [HostPattern] = []
        for line in text.split(whereSeparator: \.isNewline) where patterns.count < maximumCount {
            let start = line.drop { $0.isWhitespace }
            let blanks = start.reversed().prefix { $0.isWhitespace }.count
            // A line that begins with # is no pattern either.
            if let pattern = HostPattern(start.dropLast(blanks)) { patterns.append(pattern) }
        }
        return patterns
    }

    /// Whether a host matches, whatever the letter case.
    public func matches(_ host: String) -> Bool {
        guard host.utf8.allSatisfy({ $0 < 0x80 }) else { return false }
        let host = host.lowercased()
        guard host != domain else { return true }
        guard below != .nothing, host.hasSuffix("." + domain) else { return false }
        let rest = host.dropLast(domain.utf8.count + 1)
        return !rest.isEmpty && (below == .anything || !rest.contains("."))
    }
}
