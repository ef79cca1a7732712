internal import EventLog

/// The URL scheme of an app, through which a payer returns to the app, for example `shopapp`.
///
/// Schemes that browsers or the system interpret are rejected, because with one of them a payer
/// could be sent anywhere, or a script be run.
///
/// - Note: Source: payment URL helpers, flaws to avoid.
public struct CallbackScheme: Hashable, Sendable {
    /// The scheme, in lower case.
    public let name: String

    /// The maximum length of a scheme.
    public static let maximumLength = 64

    /// Schemes that don't belong to a single app.
    static let foreign: Set<String> = [
        "about", "blob", "chrome", "content", "cid", "data", "facetime", "file", "filesystem",
        "ftp", "geo", "git", "http", "https", "imap", "intent", "itms", "itms-apps", "jar",
        "javascript", "ldap", "ldaps", "mailto", "maps", "market", "mid", "ms-settings", "resource",
        "sftp", "shortcuts", "sip", "sips", "sms", "smsto", "ssh", "tel", "telnet", "urn",
        "vbscript", "view-source", "wais", "ws", "wss",
    ]

    /// Reads a scheme: a letter, followed by letters, digits, `+`, `-` and `.`.
    ///
    /// Returns `nil` for any other text, and for a scheme that doesn't belong to a single app.
    public init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard (1...Self.maximumLength).contains(bytes.count), bytes[0].isASCIILetter,
            bytes.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || "+-.".utf8.contains($0) })
        else { return nil }
        let name = text.lowercased()
        guard !Self.foreign.contains(name) else { return nil }
        self.name = name
    }
}

extension CallbackScheme: CustomStringConvertible {
    /// The scheme.
    public var description: String { name }
}
