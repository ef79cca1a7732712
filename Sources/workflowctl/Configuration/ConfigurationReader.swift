internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// Reads a part of a configuration file, in which every member must be known.
///
/// A value of one part remains in force where the part that overrides it does not set it.
struct ConfigurationReader {
    /// The path of the object, for errors; empty for the whole file.
    var place = ""

    /// Parses the file as JSON.
    func document(_ bytes: [UInt8]) throws(Failure) -> JSONValue {
        do {
            return try JSONValue(parsing: bytes)
        } catch {
            guard case .malformed(let offset?) = error,
                String(validating: bytes, as: UTF8.self) != nil
            else {
                throw Self.wrong("it is not valid JSON: \(error)")
            }
            let place = TextPlace(of: offset, in: bytes)
            throw Self.wrong("it is not valid JSON at line \(place.line), column \(place.column)")
        }
    }

    func read(
        _ part: [JSONValue.Member],
        into configuration: inout Configuration
    ) throws(Failure) {
        for member in part {
            switch member.name {
            // The locations of the store and the secrets are read first.
            case "store", "tokenFile", "headersFile": _ = try text(member)
            // For editors, which show the descriptions of the schema.
            case "$schema": _ = try text(member)
            case "allowedHosts":
                configuration.transport.allowedHostSuffixes = try texts(member)
            case "authorityFile": configuration.transport.authorityFile = try text(member)
            case "pinnedKeys": configuration.transport.pinnedKeyDigests = try texts(member)
            case "proxy": configuration.transport.proxy = try text(member)
            case "hostsWithoutProxy":
                configuration.transport.hostsWithoutProxy = try texts(member)
            case "appSchemes": configuration.appSchemes = Set(try schemes(member))
            case "callbackScheme": configuration.callbackScheme = try scheme(member)
            case "redirectHosts": configuration.redirectHosts = try patterns(member)
            case "problemsFile":
                configuration.changedCatalogue = try ProblemsFile.read(try text(member)).catalogue
            case "client": try readClient(member, into: &configuration.client)
            case "eventLogging": try readEventLogging(member, into: &configuration)
            case "limits": try readLimits(member, into: &configuration)
            case "audit": try readAudit(member, into: &configuration.audit)
            case "retention": try readRetention(member, into: &configuration.retention)
            case "keys": try readKeys(member, into: &configuration.keys)
            case "recovery": try readRecovery(member, into: &configuration.recovery)
            case "webhooks": configuration.webhooks = try readWebhooks(member)
            case "serve": try readServe(member, into: &configuration.serve)
            case "identity": try readIdentity(member, into: &configuration.identity)
            default: throw unknown(member, among: Self.members)
            }
        }
    }

    /// The members of a file, and of a profile.
    static let members = [
        "store", "tokenFile", "headersFile", "allowedHosts", "authorityFile", "pinnedKeys", "proxy",
        "hostsWithoutProxy", "appSchemes", "callbackScheme", "redirectHosts", "problemsFile",
        "client", "eventLogging", "limits", "audit", "retention", "keys", "recovery",
        "webhooks", "serve", "identity", "profiles",
    ]

    private func readClient(
        _ object: JSONValue.Member,
        into client: inout ClientProfile
    ) throws(Failure) {
        let inner = ConfigurationReader(place: path(of: object))
        for member in try members(of: object) {
            switch member.name {
            case "userAgent": client.userAgent = try inner.text(member)
            case "integration": client.integration = try inner.text(member)
            case "acceptedWallets": client.acceptedWallets = try inner.texts(member)
            case "screenHeight": client.screenHeight = try inner.number(member)
            case "screenWidth": client.screenWidth = try inner.number(member)
            case "screenColorDepth": client.screenColorDepth = try inner.number(member)
            case "acceptHeader": client.acceptHeader = try inner.text(member)
            case "language": client.language = try inner.text(member)
            case "timeZoneOffsetMinutes": client.timeZoneOffsetMinutes = try inner.number(member)
            case "serviceName": client.serviceName = try inner.text(member)
            case "serviceVersion": client.serviceVersion = try inner.text(member)
            default: throw inner.unknown(member)
            }
        }
    }

    private func readEventLogging(
        _ object: JSONValue.Member,
        into configuration: inout Configuration
    ) throws(Failure) {
        let inner = ConfigurationReader(place: path(of: object))
        for member in try members(of: object) {
            switch member.name {
            case "enabled":
                configuration.tellsEvents = try inner.flag(member)
            case "grace": configuration.eventLoggingGrace = try inner.duration(member)
            default: throw inner.unknown(member)
            }
        }
    }

    private func readLimits(
        _ object: JSONValue.Member,
        into configuration: inout Configuration
    ) throws(Failure) {
        let inner = ConfigurationReader(place: path(of: object))
        for member in try members(of: object) {
            switch member.name {
            case "request": configuration.session.requestDeadline = try inner.duration(member)
            case "cardRequest":
                configuration.session.cardRequestDeadline = try inner.duration(member)
            case "retries": configuration.session.retryBudget = try inner.duration(member)
            case "cardRetries": configuration.session.cardRetryBudget = try inner.duration(member)
            case "session": configuration.session.session = try inner.duration(member)
            case "attempt": configuration.session.attempt = try inner.duration(member)
            case "threeDSMethod": configuration.session.threeDSMethod = try inner.duration(member)
            case "swishAttempt": configuration.session.swishAttempt = try inner.duration(member)
            case "tries": configuration.session.tries = try inner.positive(member)
            case "attempts": configuration.session.attempts = try inner.positive(member)
            default: throw inner.unknown(member)
            }
        }
    }

    // MARK: Values

    /// Returns the path of a member of the object.
    func path(of member: JSONValue.Member) -> String {
        // If a member's name and its value were exchanged, the name may be a secret.
        let name = OutsideTextScreen.isName(member.name) ? member.name : "(no name)"
        return place.isEmpty ? name : "\(place).\(name)"
    }

    /// Returns the members of a member that is an object.
    func members(of member: JSONValue.Member) throws(Failure) -> [JSONValue.Member] {
        try members(of: member.value, at: path(of: member))
    }

    func members(
        of value: JSONValue,
        at place: String
    ) throws(Failure) -> [JSONValue.Member] {
        guard case .object(let members) = value else {
            throw Self.wrong("\(place) must be a JSON object")
        }
        return members
    }

    func text(_ member: JSONValue.Member) throws(Failure) -> String {
        try text(member.value, at: path(of: member))
    }

    private func text(_ value: JSONValue, at path: String) throws(Failure) -> String {
        guard case .string(let text) = value, !text.isEmpty,
            !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
        else { throw Self.wrong("\(path) must be a string without line breaks") }
        return text
    }

    func texts(_ member: JSONValue.Member) throws(Failure) -> [String] {
        guard case .array(let values) = member.value else {
            throw Self.wrong("\(path(of: member)) must be a list of strings")
        }
        var texts: [String] = []
        for (index, value) in values.enumerated() {
            texts.append(try text(value, at: "\(path(of: member))[\(index)]"))
        }
        return texts
    }

    private func patterns(_ member: JSONValue.Member) throws(Failure) -> [String] {
        let patterns = try texts(member)
        guard patterns.count <= CheckoutOptions.redirectHostLimit,
            patterns.allSatisfy({ HostPattern($0) != nil })
        else {
            throw Self.wrong(
                "\(path(of: member)) must be a list of at most "
                    + "\(CheckoutOptions.redirectHostLimit) patterns such as \"bank.example\", "
                    + "\"*.bank.example\" or \"**.bank.example\""
            )
        }
        return patterns
    }

    private func scheme(_ member: JSONValue.Member) throws(Failure) -> String {
        let scheme = try text(member)
        guard CallbackScheme(scheme) != nil else {
            throw Self.wrong("\(path(of: member)) must be a URL scheme")
        }
        return scheme
    }

    /// Reads schemes of apps, excluding those of the web and those that run scripts.
    private func schemes(_ member: JSONValue.Member) throws(Failure) -> [String] {
        let schemes = try texts(member).map { $0.lowercased() }
        guard schemes.count <= 64, schemes.allSatisfy({ CallbackScheme($0) != nil }) else {
            throw Self.wrong(
                "\(path(of: member)) must be a list of app URL schemes such as \"swish\""
            )
        }
        return schemes
    }

    /// Reads a boolean member.
    func flag(_ member: JSONValue.Member) throws(Failure) -> Bool {
        guard case .bool(let flag) = member.value else {
            throw Self.wrong("\(path(of: member)) must be true or false")
        }
        return flag
    }

    /// Reads a whole number that is not negative.
    func count(_ member: JSONValue.Member) throws(Failure) -> Int {
        let number = try number(member)
        guard number >= 0 else { throw Self.wrong("\(path(of: member)) must not be negative") }
        return number
    }

    private func number(_ member: JSONValue.Member) throws(Failure) -> Int {
        guard case .integer(let number) = member.value, abs(number) <= 1_000_000 else {
            throw Self.wrong("\(path(of: member)) must be a whole number")
        }
        return Int(number)
    }

    func positive(_ member: JSONValue.Member) throws(Failure) -> Int {
        let number = try number(member)
        guard number > 0 else { throw Self.wrong("\(path(of: member)) must be positive") }
        return number
    }

    func duration(_ member: JSONValue.Member) throws(Failure) -> Duration {
        guard case .string(let text) = member.value, let argument = DurationArgument(text),
            argument.duration > .zero
        else { throw Self.wrong("\(path(of: member)) must be a duration such as \"10s\"") }
        return argument.duration
    }

    /// Reads a retention period.
    func period(_ member: JSONValue.Member) throws(Failure) -> Duration {
        guard case .string(let text) = member.value, let period = PeriodArgument(text),
            period.duration > .zero
        else { throw Self.wrong("\(path(of: member)) must be a period such as \"90d\"") }
        guard !period.isAmbiguous else {
            throw Self.wrong(
                "\(path(of: member)): \(PeriodArgument.ambiguity): \(PeriodArgument.remedy)"
            )
        }
        return period.duration
    }

    // MARK: Failures

    /// Returns the failure for an unknown member, with a suggestion.
    func unknown(_ member: JSONValue.Member, among names: [String] = []) -> Failure {
        guard OutsideTextScreen.isName(member.name) else {
            let within = place.isEmpty ? "" : " in \(place)"
            return Self.wrong("unknown member\(within)")
        }
        let meant = Spelling.nearest(to: member.name, among: names)
            .map { ", did you mean '\($0)'?" }
        return Self.wrong("unknown member '\(path(of: member))'\(meant ?? "")")
    }

    /// The hint of the command that checks the file.
    static let formatHint = "run 'workflowctl schema configuration' for the format"
    /// The hint of all other commands.
    static let hint = formatHint + ", and 'workflowctl config check' to check the file"

    static func wrong(_ reason: String) -> Failure {
        Failure(
            .configuration,
            "configuration.malformed",
            "the configuration is invalid: \(reason)",
            hint: hint
        )
    }
}
