internal import Adapters
internal import EventLog
internal import HTTPTypes
internal import Service

/// Which reverse proxies the service trusts, and what the people may do whom they sign in.
struct IdentityConfiguration: Sendable {
    /// Where the proxies' connections come from.
    var trustedProxies: [AddressRange] = []
    /// The same, as the configuration writes them.
    var proxies: [String] = []
    /// The roles of the members of each group.
    var roles: [String: [Role]] = [:]
    /// The field with the person's name.
    var userHeader = ProxyIdentity.usualUserField
    /// The field with the person's groups.
    var groupsHeader = ProxyIdentity.usualGroupsField
    /// The field with the proxy's secret.
    var secretHeader = ProxySecret.usualField
    /// The file with the proxy's secret; `nil` when its address is enough.
    var secretFile: String?

    /// The maximum numbers of proxies and of groups.
    static let (proxyLimit, groupLimit) = (64, 256)

    /// What people are known by; `nil` when no proxy is trusted.
    ///
    /// - Throws: A failure when roles are given and no proxy is trusted, or the secret cannot be
    ///   read.
    func identity() throws(Failure) -> ProxyIdentity? {
        guard !roles.isEmpty || !trustedProxies.isEmpty else { return nil }
        guard !trustedProxies.isEmpty else {
            throw Failure(
                .configuration,
                "service.identity",
                "people have roles, and no proxy is trusted to say who they are",
                hint: "name the addresses of the proxy in identity.trustedProxies"
            )
        }
        var identity = ProxyIdentity(
            trustedProxies: trustedProxies,
            roles: roles.mapValues { Set($0) }
        )
        (identity.userField, identity.groupsField) = (userHeader, groupsHeader)
        if let secretFile {
            do throws(KeyVaultError) {
                identity.secret = try ProxySecret(path: secretFile, field: secretHeader)
            } catch {
                var failure = Failure(error)
                failure.code = "service.identity"
                failure.message = "the secret of the proxy cannot be used: \(failure.message)"
                failure.hint =
                    "name a file of mode 0600 with a line of at least "
                    + "\(ProxySecret.bytes.lowerBound) characters"
                throw failure
            }
        }
        return identity
    }

    /// Whether every program on this machine can say that it is anybody.
    var believesThisMachine: Bool {
        !roles.isEmpty && secretFile == nil
            && trustedProxies.contains { ["127.0.0.1", "::1"].contains(where: $0.contains) }
    }

    /// The groups with their roles, for people.
    var roleWords: [String] {
        roles.sorted { $0.key < $1.key }.map { group, roles in
            "\(group): \(roles.map(\.rawValue).joined(separator: ", "))"
        }
    }
}

extension ConfigurationReader {
    /// Reads which proxies are trusted, and what the people may do whom they sign in.
    func readIdentity(
        _ object: JSONValue.Member,
        into identity: inout IdentityConfiguration
    ) throws(Failure) {
        let inner = ConfigurationReader(place: path(of: object))
        for member in try members(of: object) {
            switch member.name {
            case "trustedProxies":
                (identity.trustedProxies, identity.proxies) = try inner.proxies(member)
            case "roles": identity.roles = try inner.roles(member)
            case "userHeader": identity.userHeader = try inner.field(member)
            case "groupsHeader": identity.groupsHeader = try inner.field(member)
            case "secretHeader": identity.secretHeader = try inner.field(member)
            case "secretFile": identity.secretFile = try inner.text(member)
            default:
                throw inner.unknown(
                    member,
                    among: [
                        "trustedProxies", "roles", "userHeader", "groupsHeader", "secretHeader",
                        "secretFile",
                    ]
                )
            }
        }
    }

    private func proxies(
        _ member: JSONValue.Member
    ) throws(Failure) -> ([AddressRange], [String]) {
        let texts = try texts(member)
        let ranges = texts.compactMap { AddressRange($0) }
        guard ranges.count == texts.count, texts.count <= IdentityConfiguration.proxyLimit else {
            throw Self.wrong(
                "\(path(of: member)) must be a list of at most "
                    + "\(IdentityConfiguration.proxyLimit) addresses such as \"127.0.0.1\" or "
                    + "\"10.0.0.0/8\""
            )
        }
        return (ranges, texts)
    }

    /// Reads the roles as a whole: those of a profile replace the others.
    private func roles(_ member: JSONValue.Member) throws(Failure) -> [String: [Role]] {
        let inner = ConfigurationReader(place: path(of: member))
        var roles: [String: [Role]] = [:]
        for group in try members(of: member) {
            let names = try inner.texts(group)
            let known = names.compactMap { Role(rawValue: $0) }
            guard !group.name.isEmpty, !known.isEmpty, known.count == names.count else {
                throw Self.wrong(
                    "\(inner.path(of: group)) must be a list of "
                        + Role.allCases.map(\.rawValue).joined(separator: ", ")
                )
            }
            roles[group.name] = known
        }
        guard roles.count <= IdentityConfiguration.groupLimit else {
            throw Self.wrong(
                "\(inner.place) has more than \(IdentityConfiguration.groupLimit) groups"
            )
        }
        return roles
    }

    private func field(_ member: JSONValue.Member) throws(Failure) -> HTTPField.Name {
        guard let name = HTTPField.Name(try text(member)) else {
            throw Self.wrong("\(path(of: member)) must be the name of a header field")
        }
        return name
    }
}
