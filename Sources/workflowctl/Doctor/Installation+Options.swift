internal import Adapters
internal import EventLog
internal import SwedbankPay

extension Installation {
    /// Reads the installation from the options, the environment and the configuration.
    ///
    /// When the configuration cannot be read, the defaults apply to everything else.
    init(_ global: GlobalOptions, in invocation: Invocation) {
        let (configuration, source) = Self.readConfiguration(global, in: invocation)
        self.init(
            build: BuildFacts.line,
            version: Build.version,
            configuration: source,
            store: Self.locateStore(global, configuration, in: invocation),
            transport: configuration.transport,
            loop: invocation.loop,
            rules: {
                SessionDecider(
                    catalogue: configuration.catalogue,
                    limits: configuration.session
                )
            },
            now: invocation.now,
            explain: { CheckupFailure(Failure($0)) }
        )
    }

    private static func readConfiguration(
        _ global: GlobalOptions,
        in invocation: Invocation
    ) -> (Configuration, Result<Source, CheckupFailure>) {
        do throws(Failure) {
            let read = try Configuration.read(global, environment: invocation.environment)
            return (read, .success(Source(words: read.file.words, path: read.file.place?.path)))
        } catch {
            return (Configuration(), .failure(CheckupFailure(error)))
        }
    }

    private static func locateStore(
        _ global: GlobalOptions,
        _ configuration: Configuration,
        in invocation: Invocation
    ) -> Result<Store, CheckupFailure> {
        let (environment, loop) = (invocation.environment, invocation.loop)
        let secrets = try? OrderSecrets.paths(global, environment, configuration.file)
        do throws(Failure) {
            let location = try StoreLocation.read(
                global,
                environment: environment,
                configuration: configuration
            )
            var store = Store(
                kind: location.kind,
                name: location.text,
                source: location.source,
                keyFiles: location.keyFiles(environment: environment),
                secretFiles: [secrets?.token, secrets?.headers].compactMap(\.self)
                    + configuration.webhooks.map(\.secretFile),
                open: { () async throws(CheckupFailure) -> any PersistentStore in
                    do throws(Failure) {
                        return try await location.open(.reading, on: loop)
                    } catch {
                        throw CheckupFailure(error)
                    }
                },
                vault: { () throws(CheckupFailure) -> (any KeyVault)? in
                    do throws(Failure) {
                        return try location.vault(environment: environment)
                    } catch {
                        throw CheckupFailure(error)
                    }
                }
            )
            store.webhooks = configuration.webhooks.map {
                ($0.name, WebhookFiles(beside: location.path, name: $0.name))
            }
            return .success(store)
        } catch {
            return .failure(CheckupFailure(error))
        }
    }
}

extension CheckupFailure {
    /// Creates the failure of a check from that of a command.
    init(_ failure: Failure) {
        self.init(code: failure.code, message: failure.message, advice: failure.hint)
    }
}
