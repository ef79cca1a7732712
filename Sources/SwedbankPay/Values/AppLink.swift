internal import EventLog

/// Links that open an app to pay with.
public enum AppLink {
    /// The scheme of the only app that needs the return address in its link.
    public static let swishScheme = "swish"
    /// The query parameter that carries the return address.
    public static let callbackParameter = "callbackurl"

    /// The link with the return address of the payer's app or page.
    ///
    /// Only links with the scheme `swish` are changed, and only when they carry no return address:
    /// an empty one is replaced, a missing one appended. The address is percent-encoded once;
    /// everything else remains exactly as it is.
    ///
    /// - Parameters:
    ///   - callbackURL: The order's payment URL.
    ///   - href: The task's link.
    /// - Returns: The link.
    ///
    /// - Note: Source: payment session API, the `callbackurl` rule.
    public static func adding(callbackURL: String, to href: String) -> String {
        guard scheme(of: href) == swishScheme else { return href }
        let hash = href.unicodeScalars.firstIndex(of: "#") ?? href.endIndex
        let fragment = href[hash...]
        let link = href[..<hash]
        let item = callbackParameter + "=" + PercentEncoding.encoded(callbackURL)
        guard let mark = link.unicodeScalars.firstIndex(of: "?") else {
            return link + "?" + item + fragment
        }
        let query = link[link.unicodeScalars.index(after: mark)...]
        var items = query.pieces(between: "&", omittingEmptySubsequences: false).map(String.init)
        let present = items.indices.filter { name(of: items[$0]) == callbackParameter }
        guard present.allSatisfy({ value(of: items[$0]).isEmpty }) else { return href }
        if let first = present.first {
            items[first] = item
        } else if items.last == "" {
            items[items.count - 1] = item
        } else {
            items.append(item)
        }
        return link[..<mark] + "?" + items.joined(separator: "&") + fragment
    }

    /// The scheme of a link in lower case.
    ///
    /// - Returns: The scheme; `nil` when the text does not begin with one.
    public static func scheme(of href: String) -> String? {
        guard let colon = href.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let name = href.utf8[..<colon]
        guard let first = name.first, first.isASCIILetter, name.count <= 32,
            name.allSatisfy({
                $0.isASCIILetter || $0.isASCIIDigit || "+-.".utf8.contains($0)
            })
        else { return nil }
        return String(Substring(name)).lowercased()
    }

    /// Whether a client may be given a link to open: it has one line and no blanks, and a web page
    /// also has a host and no user.
    package static func isWellFormed(_ href: String) -> Bool {
        guard let scheme = scheme(of: href),
            href.unicodeScalars.allSatisfy({
                $0.value > 0x20 && $0.value != 0x7F && !$0.properties.isWhitespace
            })
        else { return false }
        guard scheme == "https" else { return true }
        let rest = href.dropFirst("https:".count)
        guard rest.utf8.starts(with: "//".utf8) else { return false }
        let authority = rest.utf8.dropFirst(2).prefix { !#"/?#\"#.utf8.contains($0) }
        return !authority.isEmpty && authority.first != UInt8(ascii: ":")
            && !authority.contains(UInt8(ascii: "@"))
    }

    private static func name(of item: String) -> String {
        let name = item.utf8.prefix { $0 != UInt8(ascii: "=") }
        return String(decoding: PercentEncoding.decoded(name), as: UTF8.self)
    }

    private static func value(of item: String) -> Substring {
        guard let equals = item.unicodeScalars.firstIndex(of: "=") else { return "" }
        return item[item.unicodeScalars.index(after: equals)...]
    }
}
