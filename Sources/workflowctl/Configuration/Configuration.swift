internal import Adapters
internal import SwedbankPay

/// What the configuration file says; every member has a default.
struct Configuration: Sendable {
    /// Whom the transport talks to, whom it trusts, and its limits.
    var transport = TransportConfiguration()
    /// How the engine presents itself and the payer's device.
    var client = ClientProfile()
    /// Schemes of apps that Swish is paid with, where it is not its own alone.
    var appSchemes: Set<String> = []
    /// A custom scheme that a return may have.
    var callbackScheme: String?
    /// Patterns of hosts whose pages stay in the web view of a checkout, beside the known ones.
    var redirectHosts: [String] = []
    /// The bounds of a session.
    var session = SessionLimits()
    /// The problem catalogue with the rows that the host changed; `nil` when it changed none.
    var changedCatalogue: ProblemCatalogue?
    /// Whether events in sessions are reported to the PSP.
    var tellsEvents = false
    /// How long a command that is done goes on telling.
    var tellingGrace = Duration.seconds(1)

    /// The file that says so.
    var file = ConfigurationFile.none

    /// What of people's acts is recorded.
    var audit = AuditPolicy()
    /// How long sealed values are kept.
    var retention = RetentionPolicy()
    /// Where the master keys are.
    var keys = KeyPolicy()
    /// Which sessions go on by themselves after an outage of the PSP.
    var recovery = RecoveryLimits()

    /// The configuration of a command: from `--config`, else from where the environment says, else
    /// from the user's own file, else from the machine's, else the defaults; with the profile that
    /// `--profile` or the environment names.
    static func read(
        _ options: GlobalOptions,
        environment: [String: String]
    ) throws(Failure) -> Configuration {
        let file = try ConfigurationFile.read(options, environment: environment)
        var configuration = try read(file)
        configuration.transport.allowsInsecureLoopback = options.allowInsecureLoopback
        configuration.transport.userAgent = configuration.client.userAgent
        return configuration
    }

    /// What a file says, without what the command line adds.
    static func read(_ file: ConfigurationFile) throws(Failure) -> Configuration {
        var configuration = Configuration()
        try ConfigurationReader().read(file.common, into: &configuration)
        let section = ConfigurationReader(place: file.profile.map { "profiles." + $0 } ?? "")
        try section.read(file.section, into: &configuration)
        configuration.file = file
        return configuration
    }

    /// The problem catalogue in force; the bundled one is slow to read, so it is read on first use.
    var catalogue: ProblemCatalogue { changedCatalogue ?? .bundled }

    /// Whether a session's host may be called.
    func allows(host: String) -> Bool {
        let host = host.lowercased()
        if transport.allowsInsecureLoopback, ["127.0.0.1", "[::1]", "localhost"].contains(host) {
            return true
        }
        // The port is judged where the address is called.
        return HostList.membership(of: host, port: nil, in: transport.allowedHostSuffixes)
            != .otherHost
    }

    /// Which addresses clients are handed.
    var clientAddresses: ClientAddresses {
        var addresses = ClientAddresses()
        addresses.pageHosts = transport.allowedHostSuffixes
        addresses.appSchemes[.swish, default: []].formUnion(appSchemes)
        return addresses
    }
}
