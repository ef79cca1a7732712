internal import EventLog

/// Where a server listens.
struct ListenAddress: Hashable, Sendable {
    var host: String
    var port: Int

    init(host: String, port: Int) { (self.host, self.port) = (host, port) }

    /// The address in a text such as `127.0.0.1:8092` or `[::1]:8092`; `nil` for another form.
    init?(_ text: String) {
        guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")),
            case let digits = text[text.index(after: colon)...],
            digits.utf8.allSatisfy(\.isASCIIDigit), let port = UInt16(digits)
        else { return nil }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = String(host.dropFirst().dropLast())
        }
        guard !host.isEmpty else { return nil }
        self.init(host: host, port: Int(port))
    }

    /// The address as it is written, and as it stands in URLs.
    var text: String { "\(host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host):\(port)" }

    /// Whether only programs on this machine can reach it.
    var isLoopback: Bool { ["127.0.0.1", "::1", "localhost"].contains(host.lowercased()) }
}
