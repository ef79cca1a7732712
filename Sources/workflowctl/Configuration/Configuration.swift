internal import Adapters
internal import SwedbankPay

/// The values of the configuration file, with a default for every member.
struct Configuration: Sendable {
    /// The hosts that the transport may call, the certificates that it trusts, and its limits.
    var transport = TransportConfiguration()
    /// The identification of the engine and of the payer's device.
    var client = ClientProfile()
    /// The schemes of apps for Swish, where it is not only its own.
    var appSchemes: Set<String> = []
    /// The custom scheme with which payers may return.
    var callbackScheme: String?
    /// Patterns of hosts whose pages stay in the web view of a checkout, in addition to the known
    /// ones.
    var redirectHosts: [String] = []
    /// The limits of a session.
    var session = SessionLimits()
    /// The problem catalogue with the host's changes; `nil` when there are none.
    var changedCatalogue: ProblemCatalogue?
    /// Whether events in sessions are reported to the PSP.
    var tellsEvents = false
    /// The time for which a completed command continues to report events.
    var eventLoggingGrace = Duration.seconds(1)

    /// The configuration file.
    var file = ConfigurationFile.none

    /// Which actions of operators are recorded.
    var audit = AuditPolicy()
    /// The retention period of sealed values.
    var retention = RetentionPolicy()
    /// The location of the master keys.
    var keys = KeyPolicy()
    /// Which sessions are retried automatically after an outage of the PSP.
    var recovery = RecoveryLimits()
    /// The endpoints to which the service sends messages about payments.
    var webhooks: [WebhookConfiguration] = []
    /// Where the service listens.
    var serve = ServeConfiguration()
    /// Which proxies the service trusts to say who people are.
    var identity = IdentityConfiguration()

    /// Reads the configuration of a command, with the profile that `--profile` or the environment
    /// names.
    ///
    /// The file is that of `--config`, or else that of the environment, of the user, or of the
    /// machine; without a file, the defaults apply.
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

    /// Reads the values of a file, without those of the command line.
    static func read(_ file: ConfigurationFile) throws(Failure) -> Configuration {
        var configuration = Configuration()
        try ConfigurationReader().read(file.common, into: &configuration)
        let section = ConfigurationReader(place: file.profile.map { "profiles." + $0 } ?? "")
        try section.read(file.section, into: &configuration)
        configuration.file = file
        return configuration
    }

    /// The problem catalogue in effect; the bundled one is slow to read, so it is read on first
    /// use.
    var catalogue: ProblemCatalogue { changedCatalogue ?? .bundled }

    /// Returns whether a session's host is allowed.
    func allows(host: String) -> Bool { transport.allows(host: host) }

    /// The URLs that clients receive.
    var clientAddresses: ClientAddresses {
        var addresses = ClientAddresses()
        addresses.pageHosts = transport.allowedHostSuffixes
        addresses.appSchemes[.swish, default: []].formUnion(appSchemes)
        return addresses
    }
}
