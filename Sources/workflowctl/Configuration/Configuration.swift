internal import Adapters
internal import SwedbankPay

/// The configuration; every member has a default.
struct Configuration: Sendable {
    /// The allowed hosts, the trusted authorities, and the transport's limits.
    var transport = TransportConfiguration()
    /// How the engine presents itself and the payer's device.
    var client = ClientProfile()
    /// Schemes of apps, beside Swish's own, with which Swish can be paid.
    var appSchemes: Set<String> = []
    /// A custom scheme that a return address may have.
    var callbackScheme: String?
    /// Patterns of hosts whose pages stay in a checkout's web view, beside the known ones.
    var redirectHosts: [String] = []
    /// The limits of a session.
    var session = SessionLimits()
    /// The problem catalogue with the host's changes; `nil` when there are none.
    var changedCatalogue: ProblemCatalogue?
    /// Whether events in sessions are reported to the PSP.
    var tellsEvents = false
    /// How long a finished command continues to report events.
    var tellingGrace = Duration.seconds(1)

    /// The file from which this was read.
    var file = ConfigurationFile.none

    /// Which operator actions are recorded.
    var audit = AuditPolicy()
    /// How long sealed values are kept.
    var retention = RetentionPolicy()
    /// Where the master keys are.
    var keys = KeyPolicy()
    /// Which sessions resume automatically after an outage of the PSP.
    var recovery = RecoveryLimits()

    /// Reads the configuration of a command.
    ///
    /// The file is that of `--config`, else the one that the environment names, else the user's
    /// own, else the machine's; without a file the defaults apply. The profile is that of
    /// `--profile` or the environment.
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

    /// Reads a file, without the options of the command line.
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

    /// Returns whether a session's host is allowed.
    func allows(host: String) -> Bool {
        let host = host.lowercased()
        if transport.allowsInsecureLoopback, ["127.0.0.1", "[::1]", "localhost"].contains(host) {
            return true
        }
        // The port is checked where the request is sent.
        return HostList.membership(of: host, port: nil, in: transport.allowedHostSuffixes)
            != .otherHost
    }

    /// The addresses that may be handed to clients.
    var clientAddresses: ClientAddresses {
        var addresses = ClientAddresses()
        addresses.pageHosts = transport.allowedHostSuffixes
        addresses.appSchemes[.swish, default: []].formUnion(appSchemes)
        return addresses
    }
}
