internal import EventLog

/// The address of a payment session: a bearer capability.
///
/// Its holder can act on the payment, so neither its description nor the errors of parsing it
/// reveal anything that it contains.
///
/// - Note: Source: payment session API, what the API is.
public struct SessionAddress: Hashable, Sendable {
    /// The address itself: a secret.
    public let text: String
    /// The host in lower case, with the brackets of an IP literal.
    public let host: String

    /// The maximum length of an address, in bytes.
    public static let maximumLength = 2048

    /// Parses an address strictly.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - allowsInsecureLoopback: Whether `http` to 127.0.0.1, ::1 or localhost is accepted.
    /// - Throws: ``SessionAddressError``, which never quotes the address.
    public init(_ text: String, allowsInsecureLoopback: Bool) throws(SessionAddressError) {
        guard !text.isEmpty else { throw .empty }
        guard text.utf8.count <= Self.maximumLength else { throw .tooLong }
        guard !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
            throw .controlCharacter
        }
        guard let parts = AddressParts(text) else { throw .malformed }
        guard parts.scheme == "https" || parts.scheme == "http" else { throw .notHTTPS }
        guard parts.userinfo == nil else { throw .userinfo }
        guard let host = parts.host, APIAddress.isPlainHost(host) else { throw .noHost }
        guard parts.fragment == nil else { throw .fragment }
        if parts.scheme == "http" {
            guard APIAddress.isLoopback(host) else { throw .notHTTPS }
            guard allowsInsecureLoopback else { throw .loopbackNotAllowed }
        }
        self.text = text
        self.host = host
    }

    /// The items of a query that belong to one request or response, not to the session.
    private static let traces: Set<String> = ["_tc_tid"]

    /// What identifies a session in the text of its address: host, port, path and query in their
    /// normal forms, without the trace identifier that the PSP adds to each link.
    ///
    /// The scheme does not count, because `http` is upgraded.
    ///
    /// - Parameter text: The address: a secret.
    /// - Returns: The identity: as secret as the address. A text that is no address is its own.
    ///
    /// - Note: Source: payment session API, what the API is.
    public static func identity(of text: String) -> String {
        guard let parts = AddressParts(text), let host = parts.host else { return text }
        var identity = Array("//\(host)".utf8)
        if let port = parts.effectivePort(for: parts.scheme) { identity += ":\(port)".utf8 }
        identity += parts.pathForComparing
        let items = (parts.query ?? "").utf8.split(separator: UInt8(ascii: "&"))
            .map { AddressParts.normalized(String(decoding: $0, as: UTF8.self)) }
            .filter { item in
                let name = item.prefix { $0 != UInt8(ascii: "=") }
                return !traces.contains(String(decoding: name, as: UTF8.self))
            }
        if !items.isEmpty {
            identity.append(UInt8(ascii: "?"))
            identity += items.joined(separator: CollectionOfOne(UInt8(ascii: "&")))
        }
        return String(decoding: identity, as: UTF8.self)
    }
}

extension SessionAddress: CustomStringConvertible, CustomReflectable {
    /// Dots, never the address.
    public var description: String { "•••" }

    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Why a text is not the address of a payment session.
@nonexhaustive
public enum SessionAddressError: Error, Hashable, Sendable, CaseIterable {
    /// The text is empty.
    case empty
    /// It has more than ``SessionAddress/maximumLength`` bytes.
    case tooLong
    /// It contains a line break or another control character.
    case controlCharacter
    /// It is not an absolute address according to RFC 3986.
    case malformed
    /// The scheme is not `https`.
    case notHTTPS
    /// It is `http` to this machine, which is not allowed.
    case loopbackNotAllowed
    /// It has no host, or not a plain one.
    case noHost
    /// It carries a user name or password.
    case userinfo
    /// It has a fragment, which no request can carry.
    case fragment

    /// The code of all these errors, so that a metric label has few values.
    public var code: String { "session.bad-url" }
}

extension SessionAddressError: CustomStringConvertible {
    /// The error and a valid example; the address itself is never quoted.
    public var description: String {
        switch self {
        case .empty: "the session URL is empty"
        case .tooLong: "the session URL is longer than \(SessionAddress.maximumLength) bytes"
        case .controlCharacter: "the session URL contains a control character"
        case .malformed: "the session URL is not a valid absolute URL"
        case .notHTTPS: "the session URL is not an https URL"
        case .loopbackNotAllowed:
            "plain http to this machine requires the explicit permission for insecure loopback"
        case .noHost: "the session URL has no host"
        case .userinfo: "the session URL must not contain a user name or password"
        case .fragment: "the session URL must not have a fragment"
        }
    }
}

/// The rules for addresses of the PSP's API.
package enum APIAddress {
    /// Whether a host is this machine.
    package static func isLoopback(_ host: String) -> Bool {
        host == "127.0.0.1" || host == "[::1]" || host == "localhost"
    }

    /// Whether a host is a plain name or IP address without percent encoding or unusual characters.
    package static func isPlainHost(_ host: String) -> Bool {
        guard !host.isEmpty, host.utf8.count <= 255 else { return false }
        if host.hasPrefix("[") { return host.utf8.count > 2 }
        return host.utf8.allSatisfy {
            $0.isASCIILetter || $0.isASCIIDigit || "-._".utf8.contains($0)
        }
    }

    /// The address to request for a link of the PSP: `http` becomes `https`, without an explicit
    /// port 80.
    ///
    /// It is intended only for the API's own links, never for tasks, redirects and the merchant's
    /// addresses. `http` to this machine is kept when that is allowed.
    ///
    /// - Returns: The address; `nil` for any other scheme, and for a text that is not an address.
    ///
    /// - Note: Source: payment session API, transport rules.
    package static func upgraded(_ href: String, allowsInsecureLoopback: Bool) -> String? {
        guard let parts = AddressParts(href), let host = parts.host, isPlainHost(host),
            parts.userinfo == nil
        else { return nil }
        switch parts.scheme {
        case "https": return href
        case "http" where allowsInsecureLoopback && isLoopback(host): return href
        case "http":
            let authority = href.utf8.dropFirst("http://".utf8.count)
            let end =
                authority.firstIndex(where: { "/?#".utf8.contains($0) }) ?? authority.endIndex
            let port =
                parts.port.flatMap { $0.isEmpty || Int($0) == 80 ? nil : ":" + $0 } ?? ""
            return "https://" + host + port + String(Substring(authority[end...]))
        default: return nil
        }
    }
}
