package import EventLog
package import SwedbankPay

/// The installation that a ``Checkup`` examines, as plain values.
///
/// The program reads its own settings; the checkup needs only what follows from them.
package struct Installation: Sendable {
    /// The program and how it was built, in one line.
    package var build: String
    /// The version of the program, as recorded in the records that it writes.
    package var version: String
    /// The source of the configuration, or why it cannot be read.
    package var configuration: Result<Source, CheckupFailure>
    /// The store, or why it is not known.
    package var store: Result<Store, CheckupFailure>
    /// The hosts that may be contacted, and how.
    package var transport: TransportConfiguration
    /// The loop on which a PSP is contacted.
    package var loop: UVLoop
    /// Returns the rules of this build; called only when they are needed, since a problem catalogue
    /// is slow to read.
    package var rules: @Sendable () -> SessionDecider
    /// Returns the current time.
    package var now: @Sendable () -> Instant
    /// Returns what a failure of the store means, and what to do about it.
    package var explain: @Sendable (EventStoreError) -> CheckupFailure

    /// Creates an installation with these members.
    package init(
        build: String,
        version: String,
        configuration: Result<Source, CheckupFailure>,
        store: Result<Store, CheckupFailure>,
        transport: TransportConfiguration,
        loop: UVLoop,
        rules: @escaping @Sendable () -> SessionDecider,
        now: @escaping @Sendable () -> Instant,
        explain: @escaping @Sendable (EventStoreError) -> CheckupFailure
    ) {
        self.build = build
        self.version = version
        self.configuration = configuration
        self.store = store
        self.transport = transport
        self.loop = loop
        self.rules = rules
        self.now = now
        self.explain = explain
    }
}

extension Installation {
    /// The source of the configuration.
    package struct Source: Hashable, Sendable {
        /// A description of the source, for people.
        package var words: String
        /// The path of the file; `nil` when only the defaults apply.
        package var path: String?

        /// Creates a source with these members.
        package init(words: String, path: String?) {
            self.words = words
            self.path = path
        }
    }

    /// The store of an installation.
    package struct Store: Sendable {
        /// The store, of any kind.
        package var kind: any StoreKind
        /// The location of the store, for people: never with a password.
        package var name: String
        /// The source of the location, for people; `nil` for the default.
        package var source: String?
        /// The files that may hold keys of the store, whether they exist or not.
        package var keyFiles: [String]
        /// The files with credentials of the PSP or a merchant backend.
        package var secretFiles: [String]
        /// The endpoints of the service, by name.
        package var webhooks: [(name: String, files: WebhookFiles)] = []
        /// Opens the store for reading.
        package var open: @Sendable () async throws(CheckupFailure) -> any PersistentStore
        /// Returns the vault with the master keys; `nil` when there is no key file.
        package var vault: @Sendable () throws(CheckupFailure) -> (any KeyVault)?

        /// Creates a store with these members.
        package init(
            kind: any StoreKind,
            name: String,
            source: String?,
            keyFiles: [String],
            secretFiles: [String],
            open: @escaping @Sendable () async throws(CheckupFailure) -> any PersistentStore,
            vault: @escaping @Sendable () throws(CheckupFailure) -> (any KeyVault)?
        ) {
            self.kind = kind
            self.name = name
            self.source = source
            self.keyFiles = keyFiles
            self.secretFiles = secretFiles
            self.open = open
            self.vault = vault
        }
    }
}
