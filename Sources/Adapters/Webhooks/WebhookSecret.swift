internal import Crypto
public import EventLog
internal import FoundationEssentials

/// A secret that an endpoint shares with its receiver, which verifies with it who sent a message.
///
/// - Note: Source: Standard Webhooks, symmetric signatures: `whsec_` and the base64 of 24 to 64
///   bytes; HMAC-SHA256 of the identity, the time and the body, separated by dots.
public struct WebhookSecret: Sendable {
    /// What the text of a secret begins with.
    public static let prefix = "whsec_"
    /// The lengths that a secret may have, in bytes.
    public static let bytes = 24...64

    private let key: SymmetricKey

    /// Parses a secret; `nil` for any other text.
    public init?(_ text: some StringProtocol) {
        guard text.hasPrefix(Self.prefix),
            let data = Data(base64Encoded: String(text.dropFirst(Self.prefix.count))),
            Self.bytes.contains(data.count)
        else { return nil }
        key = SymmetricKey(data: data)
    }

    /// Signs a message.
    ///
    /// - Parameters:
    ///   - id: The identity of the message, without a dot.
    ///   - seconds: When it is sent, in seconds since 1970.
    ///   - body: The body.
    /// - Returns: The signature, as in the header.
    public func signature(id: String, seconds: Int64, body: [UInt8]) -> String {
        var code = HMAC<SHA256>(key: key)
        code.update(data: Array("\(id).\(seconds).".utf8))
        code.update(data: body)
        return "v1," + Data(code.finalize()).base64EncodedString()
    }
}

extension WebhookSecret: CustomStringConvertible, CustomReflectable {
    /// A fixed text, never the secret.
    public var description: String { "webhook secret" }

    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The file with the secrets of an endpoint: one on each line, all of which sign, so that a
/// receiver can change from one to the next.
///
/// It is read again once it was replaced. While it cannot be read, the secrets read last remain.
public final class WebhookSecretFile: Sendable {
    /// The maximum number of secrets.
    public static let secretLimit = 8

    private let file: SecretFile
    private let known = ThreadLock<(mark: SecretFile.Mark?, secrets: [WebhookSecret])>((nil, []))

    /// Reads a file.
    ///
    /// - Throws: ``KeyVaultError`` when it cannot be read, others may read it, or it has anything
    ///   but secrets.
    public init(path: String) throws(KeyVaultError) {
        file = SecretFile(path: path)
        try read()
    }

    /// The secrets, of which there is at least one.
    public var secrets: [WebhookSecret] {
        let mark = file.mark
        if mark != nil, mark != known.withLock({ $0.mark }) { try? read() }
        return known.withLock { $0.secrets }
    }

    private func read() throws(KeyVaultError) {
        guard let (text, mark) = try file.readMarked() else {
            throw .missing(reason: "there is no file \(file.path)")
        }
        let lines = text.split(whereSeparator: \.isNewline)
        let secrets = lines.compactMap { WebhookSecret($0) }
        guard secrets.count == lines.count, (1...Self.secretLimit).contains(lines.count) else {
            throw .malformed(
                reason: "\(file.path) must have 1 to \(Self.secretLimit) lines, each "
                    + "\(WebhookSecret.prefix) and the base64 of \(WebhookSecret.bytes.lowerBound) to "
                    + "\(WebhookSecret.bytes.upperBound) bytes"
            )
        }
        known.withLock { $0 = (mark, secrets) }
    }
}
