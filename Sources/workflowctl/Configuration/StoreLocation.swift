internal import Adapters
internal import EventLog
internal import SwedbankPay

/// The location of the store, and how it is opened.
struct StoreLocation: Sendable {
    /// The forms in which a store can be named.
    static let forms = StoreKinds.all.map { $0.form }.joined(separator: " or ")

    /// The store, of any kind.
    let kind: any StoreKind
    /// The number of lanes that the store has to have; `nil` for any, and the default when it is
    /// created.
    var lanes: Int?
    /// The shell command for the master keys on the command line.
    var keyCommand: String?
    /// The location of the master keys in the configuration.
    var configuredKeys = KeyPolicy()
    /// The source of the location, for messages; `nil` for the default.
    var source: String?
    /// How long a server may take to connect and to answer; `nil` for the usual time.
    var patience: Duration?

    /// What a server may take beyond `--wait`, so that even a short one reaches it.
    private static let leastPatience = Duration.seconds(2)

    /// The default store.
    static let defaultText = "sqlite:payments.db"

    /// The base name of the files beside the store; for a file, its path.
    var path: String { kind.path }

    /// Reads the location from `--store`, else from the environment or the configuration, else uses
    /// the default.
    static func read(
        _ options: GlobalOptions,
        environment: [String: String]
    ) throws(Failure) -> StoreLocation {
        try read(
            options,
            environment: environment,
            configuration: Configuration.read(options, environment: environment)
        )
    }

    /// Reads the location with a configuration that was read before.
    ///
    /// - Throws: A usage failure also when a service was chosen: whoever needs the store itself
    ///   must not use another one in its place.
    static func read(
        _ options: GlobalOptions,
        environment: [String: String],
        configuration: Configuration
    ) throws(Failure) -> StoreLocation {
        try refuseService(options, environment: environment)
        let given = try configuration.file.value(
            "store",
            typed: options.store,
            variable: "WORKFLOWCTL_STORE",
            in: environment
        )
        var location = try StoreLocation(given?.text ?? Self.defaultText)
        location.source = given?.source
        location.keyCommand = options.keyCommand
        location.patience = options.wait.duration + leastPatience
        location.configuredKeys = configuration.keys
        return location
    }

    /// Parses a location in one of the ``forms``.
    init(_ text: String) throws(Failure) {
        guard let kind = StoreKinds.kind(of: text) else { throw Self.noStore(text) }
        if let fault = kind.fault(in: text) {
            // The text may contain a password, so the message quotes only the option's name.
            throw .usage("store", fault, hint: "use --store " + kind.fullForm)
        }
        self.kind = kind.init(text)
    }

    /// Returns the failure for a text that names no store; it quotes the text only if it is the
    /// path of a file, since it might be a secret.
    private static func noStore(_ text: String) -> Failure {
        let forms = StoreKinds.all.map { $0.form }
        let isPath =
            !text.isEmpty
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !":@?=".utf8.contains($0) }
            && FileFacts(path: text) != nil
        return .usage(
            "store",
            "invalid store: neither " + forms.joined(separator: " nor "),
            hint: isPath
                ? "the store in that file is \(ShellText.word("sqlite:" + text))"
                : "use --store " + forms.joined(separator: " or --store ")
        )
    }

    /// Returns a text if it has no password; otherwise the variable that contains it.
    static func pasted(_ text: String) -> String {
        StoreKinds.kind(of: text)?.mayHoldPassword(text) == true ? "$WORKFLOWCTL_STORE" : text
    }

    /// Returns a text that names a store, with any possible password replaced.
    ///
    /// - Throws: A failure that does not quote a text that may be a secret.
    static func withoutPassword(_ text: String) throws(Failure) -> String {
        let location = try StoreLocation(text)
        return pasted(text) == text ? text : location.kind.place
    }

    /// The location as `--store` accepts it, for people and for commands to paste: never with a
    /// password.
    var text: String {
        let text = Self.pasted(kind.secretText)
        guard text != kind.secretText, let source, source != "WORKFLOWCTL_STORE" else {
            return text
        }
        return "the store of \(source)"
    }

    /// The option that names the store, for commands to paste into a shell.
    var option: String { "--store " + GlobalOptions.quotedStore(kind.secretText) }

    /// Returns the vault with the master keys of the store; `nil` when there is no key file.
    ///
    /// The keys come from the command that the caller gave, else from the environment (a command,
    /// the keys, a file), else from the configured location, else from the file beside the store.
    func vault(environment: [String: String]) throws(Failure) -> (any KeyVault)? {
        do throws(KeyVaultError) {
            if let command = command(environment) { return try KeyCommandVault(command: command) }
            if environment["WORKFLOWCTL_MASTER_KEY"].nonEmpty != nil {
                return try EnvironmentVault(environment: environment)
            }
            return try KeyFileVault(path: keyFile(environment), createsMissing: false)
        } catch {
            if case .missing = error { return nil }
            throw Failure(error)
        }
    }

    /// Creates the key file of a store without sealed values.
    ///
    /// - Throws: A failure when the store has sealed values: their key is lost or elsewhere, and
    ///   another would not open them.
    func firstVault(
        of store: any PersistentStore,
        environment: [String: String],
        mayBeMade: Bool
    ) async throws(Failure) -> any KeyVault {
        let path = keyFile(environment)
        do {
            for summary in try await store.sessions(matching: SessionQuery()) {
                guard try await store.wrappedKey(of: summary.session) == nil else {
                    // Another process may have created the key meanwhile, and sealed values with
                    // it.
                    if let vault = try vault(environment: environment) { return vault }
                    throw KeyVaultError.missing(
                        reason:
                            "the store has sealed values, but the key file \(path) does not exist"
                    )
                }
            }
            return try KeyFileVault(path: path, createsMissing: mayBeMade)
        } catch let error as EventStoreError {
            throw Failure(error)
        } catch let error as KeyVaultError {
            throw Failure(error)
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(.defect, "vault.unavailable", "\(error)")
        }
    }

    /// Returns the vault of a store that is only read.
    func existingVault(environment: [String: String]) throws(Failure) -> any KeyVault {
        guard let vault = try vault(environment: environment) else {
            throw Failure(
                KeyVaultError.missing(reason: "the key file \(keyFile(environment)) does not exist")
            )
        }
        return vault
    }

    /// Refuses to open sessions with a master key when the newest session has another one that is
    /// not available, because nodes with different keys do not find the session URLs of each other.
    func refuseForeignKeys(
        _ vault: any KeyVault,
        in store: any PersistentStore
    ) async throws(Failure) {
        guard let holder = vault as? any MasterKeyHolder else { return }
        let newest: [UInt8]?
        do { newest = try await store.newestWrappedKey() } catch { throw Failure(error) }
        guard let newest, holder.lacksKey(of: newest) else { return }
        throw Failure(KeyVaultError.wrongKey)
    }

    private func command(_ environment: [String: String]) -> String? {
        if let given = keyCommand ?? environment["WORKFLOWCTL_KEY_COMMAND"].nonEmpty {
            return given
        }
        let isElsewhere = ["WORKFLOWCTL_MASTER_KEY", "WORKFLOWCTL_KEY_FILE"]
            .contains { environment[$0].nonEmpty != nil }
        return isElsewhere ? nil : configuredKeys.command
    }

    /// Returns the files that may hold keys of the store, whether they exist or not.
    func keyFiles(environment: [String: String]) -> [String] {
        let signing =
            environment["WORKFLOWCTL_SIGNING_KEY_FILE"].nonEmpty ?? path + ".signing-key"
        return [keyFile(environment), signing]
    }

    private func keyFile(_ environment: [String: String]) -> String {
        environment["WORKFLOWCTL_KEY_FILE"].nonEmpty ?? configuredKeys.file ?? path + ".key"
    }
}
