public import Adapters
public import EventLog
public import HTTPTypes
internal import SwedbankPay

/// How people are known whom a reverse proxy has signed in: by fields that it adds to requests.
///
/// The fields count only in requests that come from the proxy itself, and each at most once: a
/// proxy that passes on what it was sent cannot make somebody else of the sender. Who is in no
/// known group has no role.
public struct ProxyIdentity: Sendable {
    /// Where the proxies' connections come from.
    public var trustedProxies: [AddressRange]
    /// The roles of the members of each group; without any, only tokens count.
    public var roles: [String: Set<Role>]
    /// The field with the person's name, which is recorded with what the person does.
    public var userField = Self.usualUserField
    /// The field with the names of the person's groups, separated by commas.
    public var groupsField = Self.usualGroupsField
    /// What the proxy proves itself with, beyond its address; `nil` when the address is enough.
    public var secret: ProxySecret?

    /// The usual field with the person's name.
    public static var usualUserField: HTTPField.Name { FieldName.name("X-Forwarded-User") }
    /// The usual field with the person's groups.
    public static var usualGroupsField: HTTPField.Name { FieldName.name("X-Forwarded-Groups") }

    /// Creates the identity of people who come through proxies.
    public init(trustedProxies: [AddressRange], roles: [String: Set<Role>]) {
        (self.trustedProxies, self.roles) = (trustedProxies, roles)
    }

    /// Returns the person who sends a request; `nil` when nobody trusted says who it is, or the
    /// name cannot be recorded.
    func person(in head: HTTPRequest, from source: String?) -> Caller? {
        guard !roles.isEmpty, trusts(source), secret?.isKnown(to: head) ?? true,
            let name = Self.only(userField, in: head), !name.isEmpty
        else { return nil }
        let groups = Self.only(groupsField, in: head)?.pieces(between: ",") ?? []
        let granted = groups.map { roles[Self.trimmed($0)] ?? [] }
        let person = Caller(person: name, roles: granted.reduce([]) { $0.union($1) })
        return OperatorText.isAccount(person.name) ? person : nil
    }

    /// Whether an address is that of a trusted proxy.
    func trusts(_ source: String?) -> Bool {
        source.map { source in trustedProxies.contains { $0.contains(source) } } ?? false
    }

    /// The value of a field that occurs once.
    private static func only(_ name: HTTPField.Name, in head: HTTPRequest) -> String? {
        let values = head.headerFields[values: name]
        return values.count == 1 ? trimmed(values[0]) : nil
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        var text = text.drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}

/// A secret that a proxy sends with each request, so that no other program at its address can speak
/// for people.
///
/// It is a line of a file that nobody else may read; during a change there are two. The file is
/// read again once it was replaced. While it cannot be read, what was read last remains.
public final class ProxySecret: Sendable {
    /// The usual field with the secret.
    public static var usualField: HTTPField.Name { FieldName.name("X-Proxy-Secret") }
    /// The lengths that a secret may have, in bytes.
    public static let bytes = 16...256
    /// The maximum number of secrets.
    public static let secretLimit = 8

    private let field: HTTPField.Name
    private let file: SecretFile
    private let path: String
    private let known = ThreadLock<(mark: SecretFile.Mark?, digests: [Digest256])>((nil, []))

    /// Reads a file.
    ///
    /// - Throws: ``KeyVaultError`` when it cannot be read, others may read it, or its lines are no
    ///   secrets.
    public init(path: String, field: HTTPField.Name = usualField) throws(KeyVaultError) {
        (self.field, self.path, file) = (field, path, SecretFile(path: path))
        try read()
    }

    /// Whether who has sent a request knows the secret.
    func isKnown(to head: HTTPRequest) -> Bool {
        let mark = file.mark
        if mark != nil, mark != known.withLock({ $0.mark }) { try? read() }
        let values = head.headerFields[values: field]
        guard values.count == 1, Self.bytes.contains(values[0].utf8.count) else { return false }
        // Digests are compared: how long that takes tells nothing about a secret.
        let digest = HashChain.hash(Array(values[0].utf8))
        return known.withLock { $0.digests.contains(digest) }
    }

    private func read() throws(KeyVaultError) {
        guard let (text, mark) = try file.readMarked() else {
            throw .missing(reason: "there is no file \(path)")
        }
        let lines = text.split(whereSeparator: \.isNewline)
        guard (1...Self.secretLimit).contains(lines.count),
            lines.allSatisfy({ Self.bytes.contains($0.utf8.count) })
        else {
            throw .malformed(
                reason: "\(path) must have 1 to \(Self.secretLimit) lines, each of "
                    + "\(Self.bytes.lowerBound) to \(Self.bytes.upperBound) bytes"
            )
        }
        known.withLock { $0 = (mark, lines.map { HashChain.hash(Array($0.utf8)) }) }
    }
}
