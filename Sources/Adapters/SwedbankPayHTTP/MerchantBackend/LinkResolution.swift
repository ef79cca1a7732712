internal import SwedbankPay

/// Resolves links relative to the address that they were read from (RFC 3986, section 5.2).
enum LinkResolution {
    /// The absolute address of a link.
    ///
    /// - Parameters:
    ///   - link: The link as received, absolute or relative.
    ///   - base: The address that it was read from.
    /// - Returns: The address without its fragment, which no request carries; `nil` when either is
    ///   invalid.
    static func resolve(_ link: String, against base: String) -> String? {
        guard !link.isEmpty, let base = AddressParts(base), base.host != nil else { return nil }
        let link = String(link.unicodeScalars.prefix { $0 != "#" })
        let resolved: String
        if hasScheme(link) {
            guard let parts = AddressParts(link), parts.host != nil else { return nil }
            resolved = text(of: parts, path: withoutDots(parts.path), query: parts.query)
        } else if link.hasPrefix("//") {
            guard let parts = AddressParts(base.scheme + ":" + link) else { return nil }
            resolved = text(of: parts, path: withoutDots(parts.path), query: parts.query)
        } else {
            let (path, query) = split(link)
            if path.isEmpty {
                resolved = text(of: base, path: base.path, query: query ?? base.query)
            } else if path.hasPrefix("/") {
                resolved = text(of: base, path: withoutDots(path), query: query)
            } else {
                let folder =
                    base.path.unicodeScalars.lastIndex(of: "/")
                    .map { String(base.path.unicodeScalars[...$0]) } ?? "/"
                resolved = text(of: base, path: withoutDots(folder + path), query: query)
            }
        }
        guard let host = AddressParts(resolved)?.host, !host.isEmpty else { return nil }
        return resolved
    }

    /// Whether a link begins with a scheme: a colon before any slash, question mark or the end.
    private static func hasScheme(_ link: String) -> Bool {
        link.utf8.first { ":/?".utf8.contains($0) } == UInt8(ascii: ":")
    }

    private static func split(_ link: String) -> (path: String, query: String?) {
        guard let mark = link.utf8.firstIndex(of: UInt8(ascii: "?")) else { return (link, nil) }
        return (String(link[..<mark]), String(link[link.utf8.index(after: mark)...]))
    }

    private static func text(of parts: AddressParts, path: String, query: String?) -> String {
        var text = parts.scheme + "://"
        if let userinfo = parts.userinfo { text += userinfo + "@" }
        text += parts.host ?? ""
        if let port = parts.port { text += ":" + port }
        text += path
        if let query { text += "?" + query }
        return text
    }

    /// A path without the segments `.` and `..` (RFC 3986, section 5.2.4).
    private static func withoutDots(_ path: some StringProtocol) -> String {
        guard path.utf8.contains(UInt8(ascii: ".")) else { return String(path) }
        var kept: [Substring.UTF8View] = []
        let segments = Substring(path).utf8.split(
            separator: UInt8(ascii: "/"),
            omittingEmptySubsequences: false
        )
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            switch String(Substring(segment)) {
            case ".":
                if isLast { kept.append(Substring().utf8) }
            case "..":
                // The first segment is the empty text before the first slash.
                if kept.count > 1 { kept.removeLast() }
                if isLast { kept.append(Substring().utf8) }
            default: kept.append(segment)
            }
        }
        return kept.map { String(Substring($0)) }.joined(separator: "/")
    }
}
