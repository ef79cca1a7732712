internal import EventLog

/// An address parsed strictly, so that it has one interpretation only.
///
/// Anything that two parsers could interpret differently is refused: user names, backslashes,
/// percent signs or unusual number forms in the host, control characters, fragments.
struct RequestURL: Hashable, Sendable {
    /// The maximum length of an address in bytes.
    static let maximumLength = 8_192

    /// Whether the scheme is https; otherwise it is http.
    let isSecure: Bool
    /// The host in lower case; an IPv6 address is in brackets.
    let host: String
    /// The port, if the address has one.
    let port: UInt16?
    /// Path and query, beginning with a slash.
    let target: String
    /// Everything before the path: scheme, host and port.
    let beginning: String

    /// Parses an address.
    init(reading text: String) throws(URLRefusal) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.maximumLength else { throw .tooLong }
        for byte in bytes where byte <= 0x20 || byte >= 0x7F || byte == UInt8(ascii: "\\") {
            throw .forbiddenCharacter
        }
        guard !bytes.contains(UInt8(ascii: "#")) else { throw .fragment }
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { throw .malformed }
        switch Self.lowercase(bytes[..<colon]) {
        case "https": isSecure = true
        case "http": isSecure = false
        default: throw .scheme
        }
        var rest = bytes[(colon + 1)...]
        guard rest.starts(with: "//".utf8) else { throw .malformed }
        rest = rest.dropFirst(2)
        let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
        let authority = rest[..<(end ?? rest.endIndex)]
        let after = rest[(end ?? rest.endIndex)...]
        guard !authority.contains(UInt8(ascii: "@")) else { throw .credentials }
        (host, port) = try Self.readAuthority(authority)
        let target = String(decoding: after, as: UTF8.self)
        self.target = target.hasPrefix("/") ? target : "/" + target
        beginning =
            (isSecure ? "https://" : "http://") + host + (port.map { ":\($0)" } ?? "")
    }

    /// The address in its canonical form.
    var text: String { beginning + target }

    /// Whether the host is this machine, under a name or number that has no other meaning.
    var isLoopback: Bool { Self.isLoopback(host) }

    /// Whether a host is this machine, whichever of its names and numbers is used.
    static func isLoopback(_ host: String) -> Bool {
        host == "localhost" || host == "[::1]" || (isIPv4(host) && host.hasPrefix("127."))
    }

    private static func readAuthority(
        _ bytes: ArraySlice<UInt8>
    ) throws(URLRefusal) -> (String, UInt16?) {
        var name = bytes
        var port: ArraySlice<UInt8>?
        if bytes.first == UInt8(ascii: "[") {
            guard let close = bytes.firstIndex(of: UInt8(ascii: "]")) else { throw .malformed }
            name = bytes[...close]
            let after = bytes[(close + 1)...]
            guard after.isEmpty || after.first == UInt8(ascii: ":") else { throw .malformed }
            port = after.isEmpty ? nil : after.dropFirst()
            // Only loopback may be addressed by number.
            guard lowercase(name) == "[::1]" else { throw .host }
        } else if let colon = bytes.firstIndex(of: UInt8(ascii: ":")) {
            name = bytes[..<colon]
            port = bytes[(colon + 1)...]
        }
        let host = lowercase(name)
        guard host == "[::1]" || isIPv4(host) || isName(host) else { throw .malformed }
        guard let port else { return (host, nil) }
        let digits = String(decoding: port, as: UTF8.self)
        guard port.allSatisfy(isDigit), let number = UInt16(digits), number > 0 else {
            throw .malformed
        }
        return (host, number)
    }

    private static func isName(_ host: String) -> Bool {
        let labels = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let wellFormed = labels.allSatisfy { label in
            (1...63).contains(label.count) && label.first != UInt8(ascii: "-")
                && label.last != UInt8(ascii: "-")
                && label.allSatisfy { isDigit($0) || isSmallLetter($0) || $0 == UInt8(ascii: "-") }
        }
        // A last label that begins with a digit could be parsed as a number in another base.
        guard wellFormed, host.utf8.count <= 253, let first = labels.last?.first else {
            return false
        }
        return !isDigit(first)
    }

    private static func isIPv4(_ host: String) -> Bool {
        // Most hosts are names, which their last byte shows.
        guard let last = host.utf8.last, isDigit(last) else { return false }
        let parts = host.utf8.split(
            separator: UInt8(ascii: "."),
            omittingEmptySubsequences: false
        )
        return parts.count == 4
            && parts.allSatisfy { part in
                guard (1...3).contains(part.count), part.allSatisfy(isDigit),
                    part.count == 1 || part.first != UInt8(ascii: "0")
                else { return false }
                return part.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } <= 255
            }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isSmallLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }

    private static func lowercase(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes.map(\.lowercasedASCII), as: UTF8.self)
    }
}

extension TransportConfiguration {
    /// Returns whether a host may be called; its port is checked when a URL is called.
    package func allows(host: String) -> Bool {
        let host = host.lowercased()
        if allowsInsecureLoopback, ["127.0.0.1", "[::1]", "localhost"].contains(host) {
            return true
        }
        return HostList.membership(of: host, port: nil, in: allowedHostSuffixes) != .otherHost
    }

    /// Returns why no request would be sent to an address; `nil` when it is permitted.
    ///
    /// Whoever records that a request is to be sent asks this first.
    package func refusal(of address: String) -> URLRefusal? {
        do throws(URLRefusal) {
            try check(RequestURL(reading: address))
            return nil
        } catch {
            return error
        }
    }

    /// Throws when an address is not permitted.
    func check(_ url: RequestURL) throws(URLRefusal) {
        let port = url.port.flatMap { $0 == 443 ? nil : Int($0) }
        if url.isLoopback {
            guard allowsInsecureLoopback else { throw url.isSecure ? .host : .scheme }
            // Any port is permitted for sandboxes, unless the configuration names ports.
            let ports = HostList.ports(in: allowedHostSuffixes, where: RequestURL.isLoopback)
            guard ports.isEmpty || port.map({ ports.contains($0) }) == true else { throw .port }
            return
        }
        guard url.isSecure else { throw .scheme }
        switch HostList.membership(of: url.host, port: port, in: allowedHostSuffixes) {
        case .member: return
        case .otherPort: throw .port
        case .otherHost: throw .host
        }
    }
}
