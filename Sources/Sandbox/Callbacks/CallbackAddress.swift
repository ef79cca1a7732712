/// An address to which a callback may be sent.
///
/// - Note: Source: payment order API, `urls.callbackUrl` is https; plain http is limited to this
///   machine.
struct CallbackAddress: Sendable, Equatable {
    let isSecure: Bool
    let host: String
    let port: Int
    /// The path and the query, as sent in the request line.
    let target: String

    /// Parses an absolute http or https address; `nil` for anything else.
    init?(_ text: String) {
        guard let separator = text.unicodeScalars.firstRange(of: "://".unicodeScalars),
            !text.unicodeScalars.contains(where: \.properties.isWhitespace)
        else { return nil }
        switch text[..<separator.lowerBound].lowercased() {
        case "https": isSecure = true
        case "http": isSecure = false
        default: return nil
        }
        let rest = Substring(
            text[separator.upperBound...].unicodeScalars.prefix { $0 != "#" }
        )
        let end = rest.unicodeScalars.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        let authority = rest[..<end]
        guard !authority.isEmpty, !authority.unicodeScalars.contains("@") else { return nil }
        var name = authority
        var digits: Substring?
        if authority.hasPrefix("["), let bracket = authority.unicodeScalars.firstIndex(of: "]") {
            name = authority[authority.index(after: authority.startIndex)..<bracket]
            let after = authority[authority.unicodeScalars.index(after: bracket)...]
            if after.hasPrefix(":") { digits = after.dropFirst() }
        } else if let colon = authority.unicodeScalars.lastIndex(of: ":") {
            name = authority[..<colon]
            digits = authority[authority.unicodeScalars.index(after: colon)...]
        }
        guard !name.isEmpty else { return nil }
        if let digits {
            guard let number = Int(digits), (1...65_535).contains(number) else { return nil }
            port = number
        } else {
            port = isSecure ? 443 : 80
        }
        host = name.lowercased()
        let path = String(rest[end...])
        target = path.isEmpty ? "/" : path.hasPrefix("?") ? "/" + path : path
    }

    /// Whether the address is on this machine.
    var isLoopback: Bool {
        host == "localhost" || host == "::1"
            || (host.hasPrefix("127.") && host.pieces(between: ".").count == 4
                && host.allSatisfy { $0.isNumber || $0 == "." })
    }

    /// Whether an order may contain the address.
    static func isAcceptable(_ text: String) -> Bool {
        guard let address = CallbackAddress(text) else { return false }
        return address.isSecure || address.isLoopback
    }
}
