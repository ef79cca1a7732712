internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// Reads a part of a configuration file, in which every member must be known.
///
/// What one part says stays as it is where the next one, which lies over it, says nothing.
struct ConfigurationReader {
    /// The file as JSON.
    func document(_ bytes: [UInt8]) throws(Failure) -> JSONValue {
        do {
            return try JSONValue(parsing: bytes)
        } catch {
            throw Self.wrong("it is no JSON that can be read: \(error)")
        }
    }

    func read(
        _ part: [JSONValue.Member],
        into configuration: inout Configuration
    ) throws(Failure) {
        for member in part {
            switch member.name {
            // Where the store and the secrets are is asked for before all else.
            case "store", "tokenFile", "headersFile": _ = try text(member)
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
            default: throw Self.unknown(member.name)
            }
        }
    }

    private func readClient(
        _ object: JSONValue.Member,
        into client: inout ClientProfile
    ) throws(Failure) {
        for member in try members(of: object.value, at: object.name) {
            switch member.name {
            case "userAgent": client.userAgent = try text(member)
            case "integration": client.integration = try text(member)
            case "acceptedWallets": client.acceptedWallets = try texts(member)
            case "screenHeight": client.screenHeight = try number(member)
            case "screenWidth": client.screenWidth = try number(member)
            case "screenColorDepth": client.screenColorDepth = try number(member)
            case "acceptHeader": client.acceptHeader = try text(member)
            case "language": client.language = try text(member)
            case "timeZoneOffsetMinutes": client.timeZoneOffsetMinutes = try number(member)
            case "serviceName": client.serviceName = try text(member)
            case "serviceVersion": client.serviceVersion = try text(member)
            default: throw Self.unknown("client." + member.name)
            }
        }
    }

    private func readEventLogging(
        _ object: JSONValue.Member,
        into configuration: inout Configuration
    ) throws(Failure) {
        for member in try members(of: object.value, at: object.name) {
            switch member.name {
            case "enabled":
                configuration.tellsEvents = try flag(member, of: "eventLogging")
            case "grace": configuration.tellingGrace = try duration(member)
            default: throw Self.unknown("eventLogging." + member.name)
            }
        }
    }

    private func readLimits(
        _ object: JSONValue.Member,
        into configuration: inout Configuration
    ) throws(Failure) {
        for member in try members(of: object.value, at: object.name) {
            switch member.name {
            case "request": configuration.session.requestDeadline = try duration(member)
            case "cardRequest": configuration.session.cardRequestDeadline = try duration(member)
            case "retries": configuration.session.retryBudget = try duration(member)
            case "cardRetries": configuration.session.cardRetryBudget = try duration(member)
            case "session": configuration.session.session = try duration(member)
            case "attempt": configuration.session.attempt = try duration(member)
            case "threeDSMethod": configuration.session.threeDSMethod = try duration(member)
            case "swishAttempt": configuration.session.swishAttempt = try duration(member)
            case "tries": configuration.session.tries = try positive(member)
            case "attempts": configuration.session.attempts = try positive(member)
            default: throw Self.unknown("limits." + member.name)
            }
        }
    }

    // MARK: Values

    func members(
        of value: JSONValue,
        at place: String
    ) throws(Failure) -> [JSONValue.Member] {
        guard case .object(let members) = value else {
            throw Self.wrong("\(place) is not a JSON object")
        }
        return members
    }

    func text(_ member: JSONValue.Member) throws(Failure) -> String {
        guard case .string(let text) = member.value, !text.isEmpty,
            !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
        else { throw Self.wrong("\(member.name) is not a text of one line") }
        return text
    }

    private func texts(_ member: JSONValue.Member) throws(Failure) -> [String] {
        guard case .array(let values) = member.value else {
            throw Self.wrong("\(member.name) is not a list of texts")
        }
        var texts: [String] = []
        for value in values { texts.append(try text(.init(member.name, value))) }
        return texts
    }

    private func patterns(_ member: JSONValue.Member) throws(Failure) -> [String] {
        let patterns = try texts(member)
        guard patterns.count <= CheckoutOptions.redirectHostLimit,
            patterns.allSatisfy({ HostPattern($0) != nil })
        else {
            throw Self.wrong(
                "redirectHosts is no list of at most \(CheckoutOptions.redirectHostLimit) patterns such as "
                    + "\"bank.example\", \"*.bank.example\", \"**.bank.example\""
            )
        }
        return patterns
    }

    private func scheme(_ member: JSONValue.Member) throws(Failure) -> String {
        let scheme = try text(member)
        guard CallbackScheme(scheme) != nil else {
            throw Self.wrong("callbackScheme is not the scheme of an address")
        }
        return scheme
    }

    /// Schemes of apps; one of the web or one that runs what stands in it opens no app.
    private func schemes(_ member: JSONValue.Member) throws(Failure) -> [String] {
        let schemes = try texts(member).map { $0.lowercased() }
        guard schemes.count <= 64, schemes.allSatisfy({ CallbackScheme($0) != nil }) else {
            throw Self.wrong("appSchemes is no list of schemes of apps such as \"swish\"")
        }
        return schemes
    }

    private func number(_ member: JSONValue.Member) throws(Failure) -> Int {
        guard case .integer(let number) = member.value, abs(number) <= 1_000_000 else {
            throw Self.wrong("\(member.name) is not a whole number")
        }
        return Int(number)
    }

    private func positive(_ member: JSONValue.Member) throws(Failure) -> Int {
        let number = try number(member)
        guard number > 0 else { throw Self.wrong("\(member.name) is not positive") }
        return number
    }

    private func duration(_ member: JSONValue.Member) throws(Failure) -> Duration {
        guard case .string(let text) = member.value, let argument = DurationArgument(text),
            argument.duration > .zero
        else { throw Self.wrong("\(member.name) is not a duration such as \"10s\"") }
        return argument.duration
    }

    static func unknown(_ name: String) -> Failure {
        // Where a member's name and its value were mixed up, the name may be a secret.
        wrong(
            "there is no member \(OutsideTextScreen.isName(name) ? "'\(name)'" : "of such a name")"
        )
    }

    static func wrong(_ reason: String) -> Failure {
        Failure(
            .configuration,
            "configuration.malformed",
            "the configuration is wrong: \(reason)",
            hint: "the manual page lists the members of the configuration"
        )
    }
}
