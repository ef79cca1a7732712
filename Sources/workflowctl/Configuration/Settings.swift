internal import Adapters
internal import EventLog
internal import HTTPTypes
internal import Inspection
internal import Service
internal import SwedbankPay

/// All members of the configuration with their values in effect and their sources.
struct Settings: Sendable {
    /// The source of a value.
    enum Source: String, Sendable {
        /// The program's default.
        case `default`
        /// The configuration file.
        case file
        /// An environment variable.
        case environment
        /// The command line.
        case option
    }

    /// A member with its value.
    struct Setting: Sendable {
        /// The path of the member, as in errors.
        var member: String
        var value: JSONValue
        var source: Source
        /// The option, the variable or the path in the file; `nil` for a default.
        var from: String?
    }

    private(set) var all: [Setting] = []
    private let file: ConfigurationFile

    /// Collects the settings of a command.
    init(
        _ options: GlobalOptions,
        environment: [String: String],
        _ configuration: Configuration
    ) throws(Failure) {
        file = configuration.file
        try addPlaces(options, environment)
        addTransport(configuration)
        addClient(configuration.client)
        add("eventLogging.enabled", .bool(configuration.tellsEvents))
        add("eventLogging.grace", configuration.eventLoggingGrace.json)
        addLimits(configuration.session)
        add("audit.recordReveal", .bool(configuration.audit.recordsReveal))
        add("audit.recordInterventions", .bool(configuration.audit.recordsInterventions))
        add("audit.requireReason", .bool(configuration.audit.requiresReason))
        add("audit.requireSecondPerson", .bool(configuration.audit.requiresSecondPerson))
        add("retention.period", configuration.retention.period.periodJSON)
        for outcome in Outcome.allCases {
            add("retention.\(outcome)", configuration.retention.byOutcome[outcome].periodJSON)
        }
        addKeys(options, environment, configuration.keys)
        addRecovery(configuration.recovery)
        add("webhooks", .texts(configuration.webhooks.map(\.words)))
        addServe(configuration.serve, configuration.identity)
    }

    /// Replaces a secret value.
    static let seal = JSONValue.string("•••")

    // MARK: Sections

    /// Adds the locations of the store and the secrets.
    private mutating func addPlaces(
        _ options: GlobalOptions,
        _ environment: [String: String]
    ) throws(Failure) {
        let places: [(member: String, option: String, typed: String?, variable: String)] = [
            ("store", "--store", options.store, "WORKFLOWCTL_STORE"),
            ("tokenFile", "--token-file", options.tokenFile, "WORKFLOWCTL_TOKEN_FILE"),
            ("headersFile", "--headers-file", options.headersFile, "WORKFLOWCTL_HEADERS_FILE"),
        ]
        for (member, option, typed, variable) in places {
            let given = try file.value(member, typed: typed, variable: variable, in: environment)
            var text = given?.text ?? (member == "store" ? StoreLocation.defaultText : nil)
            if member == "store", let given {
                text = try StoreLocation.withoutPassword(given.text)
            }
            let value = JSONValue(text)
            switch given?.source {
            case nil: add(member, value)
            case "the command line": add(member, value, .option, option)
            case variable: add(member, value, .environment, variable)
            default: add(member, value)
            }
        }
    }

    private mutating func addTransport(_ configuration: Configuration) {
        let transport = configuration.transport
        add("allowedHosts", .texts(transport.allowedHostSuffixes))
        add("authorityFile", JSONValue(transport.authorityFile))
        add("pinnedKeys", .texts(transport.pinnedKeyDigests))
        // A URL with a user has a password.
        let isSecret = transport.proxy?.unicodeScalars.contains("@") == true
        add("proxy", isSecret ? Self.seal : JSONValue(transport.proxy))
        add("hostsWithoutProxy", .texts(transport.hostsWithoutProxy))
        add("callbackScheme", JSONValue(configuration.callbackScheme))
        add("appSchemes", .texts(configuration.appSchemes.sorted()))
        add("redirectHosts", .texts(configuration.redirectHosts))
        let changed = try? file.value("problemsFile", typed: nil, variable: "", in: [:])
        add("problemsFile", JSONValue(changed?.text))
    }

    private mutating func addClient(_ client: ClientProfile) {
        add("client.userAgent", .string(client.userAgent))
        add("client.integration", .string(client.integration))
        add("client.acceptedWallets", .texts(client.acceptedWallets))
        add("client.screenHeight", .integer(Int64(client.screenHeight)))
        add("client.screenWidth", .integer(Int64(client.screenWidth)))
        add("client.screenColorDepth", .integer(Int64(client.screenColorDepth)))
        add("client.acceptHeader", .string(client.acceptHeader))
        add("client.language", .string(client.language))
        add("client.timeZoneOffsetMinutes", .integer(Int64(client.timeZoneOffsetMinutes)))
        add("client.serviceName", .string(client.serviceName))
        add("client.serviceVersion", .string(client.serviceVersion))
    }

    private mutating func addLimits(_ limits: SessionLimits) {
        add("limits.request", limits.requestDeadline.json)
        add("limits.cardRequest", limits.cardRequestDeadline.json)
        add("limits.retries", limits.retryBudget.json)
        add("limits.cardRetries", limits.cardRetryBudget.json)
        add("limits.session", limits.session.json)
        add("limits.attempt", limits.attempt.json)
        add("limits.threeDSMethod", limits.threeDSMethod.json)
        add("limits.swishAttempt", limits.swishAttempt.json)
        add("limits.tries", .integer(Int64(limits.tries)))
        add("limits.attempts", .integer(Int64(limits.attempts)))
    }

    /// A command may contain a secret; the file beside the store is only a default.
    private mutating func addKeys(
        _ options: GlobalOptions,
        _ environment: [String: String],
        _ keys: KeyPolicy
    ) {
        let variable = [
            "WORKFLOWCTL_KEY_COMMAND", "WORKFLOWCTL_MASTER_KEY", "WORKFLOWCTL_KEY_FILE",
        ]
        .first { environment[$0].nonEmpty != nil }
        switch (options.keyCommand, variable) {
        case (_?, _): add("keys.command", Self.seal, .option, "--key-command")
        case (nil, "WORKFLOWCTL_KEY_FILE"?): add("keys.command", .null)
        case (nil, let variable?): add("keys.command", Self.seal, .environment, variable)
        case (nil, nil): add("keys.command", keys.command == nil ? .null : Self.seal)
        }
        if options.keyCommand == nil, variable == "WORKFLOWCTL_KEY_FILE" {
            add(
                "keys.file",
                JSONValue(environment["WORKFLOWCTL_KEY_FILE"].nonEmpty),
                .environment,
                "WORKFLOWCTL_KEY_FILE"
            )
        } else {
            add(
                "keys.file",
                options.keyCommand == nil && variable == nil ? JSONValue(keys.file) : .null
            )
        }
    }

    private mutating func addRecovery(_ limits: RecoveryLimits) {
        add("recovery.tries", .integer(Int64(limits.tries)))
        add("recovery.pause", limits.pause.json)
        add("recovery.window", limits.window.json)
        add("recovery.perSecond", .integer(Int64(limits.perSecond)))
        add("recovery.sessions", .integer(Int64(limits.sessions)))
    }

    private mutating func addServe(
        _ serve: ServeConfiguration,
        _ identity: IdentityConfiguration
    ) {
        add("serve.listen", .string((serve.listen ?? ServeConfiguration.usual).text))
        add("serve.publicListen", JSONValue(serve.publicListen?.text))
        add("serve.tlsCertificate", JSONValue(serve.tlsCertificate))
        add("serve.tlsKey", JSONValue(serve.tlsKey))
        for limit in PaymentAPI.Limits.members {
            add("serve.\(limit.name)", .integer(Int64(serve.limits[keyPath: limit.path])))
        }
        add("serve.ownSessions", .bool(serve.limitsDrivers))
        add("serve.returnURL", JSONValue(serve.returning.url))
        add("serve.androidPackages", .texts(serve.returning.androidPackages))
        add("serve.appleSchemes", .texts(serve.returning.appleSchemes))
        add("serve.appleAppIDs", .texts(serve.returning.appleAppIDs))
        add("serve.trampolineURL", JSONValue(serve.returning.trampolineURL))
        add("identity.trustedProxies", .texts(identity.proxies))
        add("identity.roles", .texts(identity.roleWords))
        add("identity.userHeader", .string(identity.userHeader.rawName))
        add("identity.groupsHeader", .string(identity.groupsHeader.rawName))
        add("identity.secretHeader", .string(identity.secretHeader.rawName))
        add("identity.secretFile", JSONValue(identity.secretFile))
    }

    // MARK: Adding settings

    /// Adds a member from the file, or with the program's default.
    private mutating func add(_ member: String, _ value: JSONValue) {
        guard let path = file.path(of: member) else {
            return all.append(Setting(member: member, value: value, source: .default))
        }
        all.append(Setting(member: member, value: value, source: .file, from: path))
    }

    private mutating func add(
        _ member: String,
        _ value: JSONValue,
        _ source: Source,
        _ from: String
    ) {
        all.append(Setting(member: member, value: value, source: source, from: from))
    }
}

extension Settings {
    /// The settings as JSON.
    var json: JSONValue {
        .array(
            all.map {
                [
                    "member": .string($0.member), "value": $0.value,
                    "source": .string($0.source.rawValue), "from": JSONValue($0.from),
                ]
            }
        )
    }
}

extension ConfigurationFile {
    /// Returns the path at which the file sets a member; `nil` when it does not.
    ///
    /// `member` is a member's name, or an object and its member joined by a dot.
    func path(of member: String) -> String? {
        let names = member.pieces(between: ".").map(String.init)
        func says(_ part: [JSONValue.Member]) -> Bool {
            guard let found = part.first(where: { $0.name == names[0] }) else { return false }
            return names.count == 1 || found.value[names[1]] != nil
        }
        if says(section) { return "profiles.\(profile ?? "").\(member)" }
        // The keys of a profile replace those of the common part as a whole.
        let isReplaced = names[0] == "keys" && section.contains { $0.name == "keys" }
        return says(common) && !isReplaced ? member : nil
    }
}

extension JSONValue {
    fileprivate static func texts(_ texts: [String]) -> JSONValue {
        .array(texts.map { .string($0) })
    }
}

extension Duration {
    /// The duration in the format of the configuration.
    fileprivate var json: JSONValue {
        let milliseconds = Int64(self / .milliseconds(1))
        guard milliseconds % 1000 == 0 else { return .string("\(milliseconds)ms") }
        let seconds = milliseconds / 1000
        let units = [(86_400, "d"), (3600, "h"), (60, "m")]
        let unit = units.first { seconds % Int64($0.0) == 0 } ?? (1, "s")
        return .string("\(seconds / Int64(unit.0))\(unit.1)")
    }
}

extension Duration? {
    fileprivate var periodJSON: JSONValue { JSONValue(self?.periodText) }
}
