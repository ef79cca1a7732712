internal import Adapters
public import EventLog
internal import FoundationEssentials
internal import SwedbankPay

/// The tokens by which callers are known: a file that has the digests of secrets, roles and
/// expiries.
///
/// A changed file counts from the next request on, so that a revoked token is refused at once.
///
/// - Note: Isolation: any.
public struct AccessTokens: Sendable {
    /// The path of the file.
    public let path: String
    /// Tokens beside those of the file, for the life of a process.
    private var temporary: [Entry] = []

    /// What was read last, and from which version of the file.
    private let read = ThreadLock<(mark: SecretFile.Mark, entries: [Entry])?>(nil)

    /// Creates the tokens of a file, which may not exist yet.
    public init(path: String) { self.path = path }

    /// What is known of a token.
    public struct Entry: Hashable, Sendable, Codable {
        /// The identifier, which is part of the token.
        public var id: String
        /// Whose token it is, for people and logs.
        public var name: String
        /// The roles.
        public var roles: [String]
        /// The SHA-256 of the token, in hexadecimal digits.
        var digest: String
        /// When it was made.
        public var created: String
        /// When it stops to be valid; `nil` for never.
        public var expires: String?
        /// When it was revoked.
        public var revoked: String?

        /// Whether the token is valid at a time.
        public func isValid(at now: Instant) -> Bool {
            guard revoked == nil else { return false }
            guard let expires else { return true }
            return Instant(expires).map { now < $0 } ?? false
        }
    }

    /// Why the file cannot be used.
    public enum Fault: Error, Hashable, Sendable {
        /// The file cannot be read or written, or others could change it.
        case file(reason: String)
        /// The file is not a list of tokens.
        case malformed
        /// There is no such token.
        case unknown
    }

    private struct Document: Codable {
        var tokens: [Entry] = []
    }

    /// The beginning of every token.
    static let prefix = "pwt_"
    /// The maximum size of the file, in bytes.
    static let sizeLimit = 1 << 20

    /// The tokens of the file, the oldest first; none when there is no file.
    public func entries() throws(Fault) -> [Entry] {
        let mark = file.mark
        if let known = read.withLock({ $0 }), known.mark == mark { return known.entries }
        let entries = try document().tokens
        // Written only if the file was the same before and after: a later version is read again.
        if let mark, file.mark == mark { read.withLock { $0 = (mark, entries) } }
        return entries
    }

    /// Makes a token, and returns the secret, which is kept nowhere.
    public func create(
        name: String,
        roles: Set<Role>,
        expires: Instant?,
        at now: Instant,
        random: any RandomSource
    ) throws(Fault) -> (entry: Entry, secret: String) {
        let id = Self.text(random.bytes(4))
        let secret = Self.prefix + id + "_" + Self.text(random.bytes(32))
        let entry = Entry(
            id: id,
            name: name,
            roles: roles.map(\.rawValue).sorted(),
            digest: Self.digest(of: secret),
            created: "\(now)",
            expires: expires.map { "\($0)" }
        )
        try change { $0.tokens.append(entry) }
        return (entry, secret)
    }

    /// Makes a token with all roles that is valid as long as this value, and returns the secret.
    public mutating func addTemporary(named name: String, random: any RandomSource) -> String {
        let secret = Self.prefix + name + "_" + Self.text(random.bytes(32))
        temporary.append(
            Entry(
                id: name,
                name: name,
                roles: Role.allCases.map(\.rawValue),
                digest: Self.digest(of: secret),
                created: ""
            )
        )
        return secret
    }

    /// Revokes a token; again has no effect.
    public func revoke(_ id: String, at now: Instant) throws(Fault) {
        var isKnown = false
        try change { document in
            for index in document.tokens.indices where document.tokens[index].id == id {
                isKnown = true
                if document.tokens[index].revoked == nil {
                    document.tokens[index].revoked = "\(now)"
                }
            }
        }
        guard isKnown else { throw .unknown }
    }

    /// Returns the caller with a token; `nil` for one that is unknown, expired or revoked.
    func caller(with token: String, at now: Instant) throws(Fault) -> Caller? {
        try entry(with: token, at: now)?.caller
    }

    /// Returns what is known of a token; `nil` for one that is unknown, expired or revoked.
    func entry(with token: String, at now: Instant) throws(Fault) -> Entry? {
        guard token.hasPrefix(Self.prefix), token.utf8.count <= 128 else { return nil }
        let digest = Self.digest(of: token)
        // Digests are compared: how long that takes tells nothing about a token.
        return try (temporary + entries()).first { $0.digest == digest && $0.isValid(at: now) }
    }

    /// Returns the same by its identifier, and by its mark, since identifiers may be given again.
    func entry(named id: String, mark: String, at now: Instant) throws(Fault) -> Entry? {
        try (temporary + entries()).first {
            $0.id == id && $0.mark == mark && $0.isValid(at: now)
        }
    }

    private static func digest(of token: String) -> String {
        "\(HashChain.hash(Array(token.utf8)))"
    }

    /// The bytes in hexadecimal digits.
    private static func text(_ bytes: [UInt8]) -> String {
        bytes.map { String(UInt16($0) | 0x100, radix: 16).dropFirst() }.joined()
    }
}

// MARK: - The file

extension AccessTokens {
    private var file: SecretFile { SecretFile(path: path, bytesLimit: Self.sizeLimit) }

    private func document() throws(Fault) -> Document {
        let text: String?
        do throws(KeyVaultError) {
            text = try file.read()
        } catch {
            throw Fault(error)
        }
        return try text.map(Self.document) ?? Document()
    }

    private static func document(in text: String) throws(Fault) -> Document {
        do {
            return try JSONDecoder().decode(Document.self, from: Data(text.utf8))
        } catch {
            throw .malformed
        }
    }

    private static func text(of document: Document) throws(Fault) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(document) else { throw .malformed }
        return String(decoding: data, as: UTF8.self) + "\n"
    }

    /// Changes the file; others that change it at the same time wait.
    private func change(_ change: (inout Document) -> Void) throws(Fault) {
        do throws(KeyVaultError) {
            if try file.read() == nil {
                let empty = try? Self.text(of: Document())
                try file.create(with: empty ?? "{}\n")
            }
            try file.change { text throws(KeyVaultError) in
                do throws(Fault) {
                    var document = try Self.document(in: text)
                    change(&document)
                    return try Self.text(of: document)
                } catch {
                    throw .malformed(reason: "\(path) is not a list of tokens")
                }
            }
        } catch {
            throw Fault(error)
        }
    }
}

extension AccessTokens.Fault {
    fileprivate init(_ error: KeyVaultError) {
        switch error {
        case .malformed: self = .malformed
        case .missing(let reason), .unavailable(let reason): self = .file(reason: reason)
        case .insecurePermissions(let path, _):
            self = .file(reason: "others can read or write \(path); run chmod 600 on it")
        case .foreignOwner(let path, _): self = .file(reason: "\(path) belongs to another user")
        case .wrongKey: self = .malformed
        @unknown default: self = .malformed
        }
    }
}
