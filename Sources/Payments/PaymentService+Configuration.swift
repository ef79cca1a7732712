public import Adapters
public import EventLog
internal import Glibc
public import SwedbankPay
internal import Workflow

extension PaymentService {
    /// The configuration of a payment service: a store and an environment; everything else has a
    /// default.
    public struct Configuration: Sendable {
        /// Where the logs are: the path of a SQLite file, or a connection string `postgres://…` of
        /// a PostgreSQL database.
        ///
        /// A missing file is created. Several processes may use one file, and several machines one
        /// database.
        public var store: String
        /// The environment in which payments are made.
        public var environment: Environment
        /// The keys that seal secrets in the log; `nil` uses a key file beside the SQLite file.
        ///
        /// Required for a PostgreSQL database, all nodes of which must have the same keys.
        public var vault: (any KeyVault)?
        /// The source of payment orders; `nil` when sessions are only opened by their URLs.
        public var merchant: Merchant?
        /// The transport for HTTP requests instead of libcurl; it decides which hosts it may
        /// contact.
        public var transport: (any Transport)?
        /// The provider that performs requests to the PSP; `nil` uses HTTP.
        public var provider: (any PaymentProvider)?
        /// The name under which this process records events and shares a store: by default that of
        /// the machine.
        public var node: String
        /// The limits, retries and intervals of the engine.
        public var engine = PaymentConfiguration()
        /// The limits of HTTP, proxies and pinned keys; hosts that you add to its list are allowed,
        /// too.
        public var http = TransportConfiguration()
        /// Which payments continue by themselves after an outage of the PSP.
        package var recovery = RecoveryLimits()
        /// The interval at which payments that gave up on the PSP are resumed, if it responds.
        package var recoveryInterval = SessionRecovery.interval
        /// The options of a SQLite store.
        public var sqlite = SQLiteOptions()
        /// The options of a PostgreSQL store.
        public var postgreSQL = PostgreSQLOptions()

        /// Creates a configuration with a store, an environment, and defaults for everything else.
        public init(store: String, environment: Environment) {
            self.store = store
            self.environment = environment
            node = Self.hostName
        }

        /// The name of this machine; `local` when it has none.
        private static var hostName: String {
            var bytes = [CChar](repeating: 0, count: 256)
            guard gethostname(&bytes, bytes.count - 1) == 0 else { return "local" }
            let name = String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
            return name.isEmpty ? "local" : name
        }
    }
}

extension PaymentService.Configuration: CustomStringConvertible, CustomReflectable {
    /// The environment and the kind of the store, without its location, which may contain a
    /// password.
    public var description: String {
        "payments in .\(environment.rawValue), in a \(storeKind) store"
    }

    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension PaymentService.Configuration {
    /// The options of all kinds of stores, of which the store's kind uses its own.
    var storeOptions: [any Sendable] { [sqlite, postgreSQL] }

    /// The engine's configuration, with the name of the node.
    var namedEngine: PaymentConfiguration {
        var engine = engine
        engine.node = node
        return engine
    }

    /// HTTP with the hosts of the environment, the added ones, and the merchant backend's.
    var reach: TransportConfiguration {
        var http = http
        http.allowsInsecureLoopback = environment.allowsInsecureLoopback
        http.allowedHostSuffixes =
            environment == .sandbox ? [] : environment.hosts + addedHosts + merchantHosts
        return http
    }

    /// The hosts that can be called in addition to the PSP's.
    var addedHosts: [String] {
        let standard = TransportConfiguration.defaultHostSuffixes
        return http.allowedHostSuffixes.filter { !standard.contains($0) }
    }

    private var merchantHosts: [String] {
        guard let root = merchant?.root, let parts = AddressParts(root), let host = parts.host
        else { return [] }
        return [host + (parts.port.map { ":" + $0 } ?? "")]
    }

    /// The options of the PSP's API.
    var api: SwedbankPayOptions {
        var options = SwedbankPayOptions()
        options.allowsInsecureLoopback = environment.allowsInsecureLoopback
        options.clientAddresses = engine.clientAddresses
        options.requestDeadline = engine.sessionLimits.requestDeadline
        options.cardRequestDeadline = engine.sessionLimits.cardRequestDeadline
        return options
    }
}
