internal import Adapters
internal import ArgumentParser
internal import Console
internal import EventLog
internal import Inspection
internal import Logging
internal import Service
internal import SwedbankPay
internal import Workflow

/// `serve`: drives all payments of a store, and responds over HTTP.
struct ServeCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the engine as a service with an HTTP API.",
        discussion: """
            Drives every session of the store that no other process drives: it polls, retries, \
            expires, and continues what a process that ended has left. Programs in any language \
            open and drive sessions through its API; GET /openapi.json describes it.

            Callers need a token: 'serve token create' makes one. With --dev, one is made for \
            this run and printed with requests to try. With a certificate, it speaks HTTP/2 and \
            HTTP/1.1 over TLS; a replaced certificate is used for new connections at once. \
            Without one, it listens on this machine only, unless the configuration names \
            trusted proxies, which end TLS and may say who people are.

            Runs until interrupted; then it lets requests end and gives its sessions to other \
            processes. Each request is written to standard error as a line of JSON.

            Examples:
              workflowctl serve --dev --allow-insecure-loopback
              workflowctl serve token create --role driver --name shop
              workflowctl serve --listen 127.0.0.1:8092 --store postgres://db/payments
              workflowctl serve --tls-certificate pay.pem --tls-key pay.key
            """,
        subcommands: [ServeTokenCommand.self]
    )

    @Option(
        help: ArgumentHelp(
            "The address and port to listen on; port 0 chooses a free one. Default: \(ServeConfiguration.usual.text).",
            valueName: "address:port"
        )
    )
    var listen: String?

    @Option(
        help: ArgumentHelp(
            "Another address and port, which offers only what payers and the PSP need.",
            valueName: "address:port"
        )
    )
    var publicListen: String?

    @Option(
        help: ArgumentHelp(
            "A PEM file with the certificate for TLS, and those that issued it.",
            valueName: "file"
        )
    )
    var tlsCertificate: String?

    @Option(
        help: ArgumentHelp("A PEM file with the certificate's key, mode 0600.", valueName: "file")
    )
    var tlsKey: String?

    @Flag(help: "Make a token for this run that may do everything, and print requests to try.")
    var dev = false

    @OptionGroup var tokens: TokensFileOption
    @OptionGroup var global: GlobalOptions

    static var commonOptions: Set<String> {
        ["--allow-insecure-loopback", "--token-file", "--headers-file"]
    }

    func refuseBadArguments() throws(Failure) {
        for address in [listen, publicListen] { _ = try Self.typed(address) }
    }

    private static func typed(_ text: String?) throws(Failure) -> ListenAddress? {
        guard let text else { return nil }
        guard let address = ListenAddress(text) else {
            throw .usage(
                "listen",
                "invalid address to listen on",
                hint: "write it as \(ServeConfiguration.usual.text)"
            )
        }
        return address
    }

    /// Where the service listens and how, and how people are known there.
    private struct Listening {
        var address: ListenAddress
        /// Where it listens for payers and the PSP.
        var publicAddress: ListenAddress?
        var tls: TLSFiles?
        var people: ProxyIdentity?
    }

    /// Where to listen and how, as the command line says or else the configuration.
    private func listening(
        _ configuration: Configuration,
        _ tokens: AccessTokens,
        _ log: Logger,
        _ invocation: Invocation
    ) throws(Failure) -> Listening {
        let (serve, identity) = (configuration.serve, configuration.identity)
        let listening = Listening(
            address: try Self.typed(listen) ?? serve.listen ?? ServeConfiguration.usual,
            publicAddress: try Self.typed(publicListen) ?? serve.publicListen,
            tls: try tls(serve, log),
            people: try identity.identity()
        )
        let (all, payers) = (listening.address, listening.publicAddress)
        if listening.tls == nil, identity.trustedProxies.isEmpty {
            if !all.isLoopback { throw Self.readable(isTyped: listen != nil) }
            if payers?.isLoopback == false { throw Self.readable(isTyped: publicListen != nil) }
        }
        if !all.isLoopback, identity.roles.isEmpty {
            try refuseWithoutCallers(tokens, at: invocation.now())
        }
        if identity.believesThisMachine {
            invocation.note(
                "note: every program on this machine can say that it is anybody; "
                    + "identity.secretFile prevents that"
            )
        }
        return listening
    }

    /// Returns the failure for an address beyond this machine without TLS.
    private static func readable(isTyped: Bool) -> Failure {
        Failure(
            isTyped ? .usage : .configuration,
            "service.no-tls",
            "beyond this machine, others could read what is sent to the service",
            hint: "name a certificate with --tls-certificate and --tls-key, or the proxy that "
                + "ends TLS in identity.trustedProxies of the configuration; or listen on "
                + "127.0.0.1, [::1] or localhost"
        )
    }

    /// Refuses to listen beyond this machine when no token is valid.
    private func refuseWithoutCallers(
        _ tokens: AccessTokens,
        at now: Instant
    ) throws(Failure) {
        let entries: [AccessTokens.Entry]
        do throws(AccessTokens.Fault) { entries = try tokens.entries() } catch {
            throw Failure(error, tokens.path)
        }
        guard !entries.contains(where: { $0.isValid(at: now) }) else { return }
        throw Failure(
            listen == nil ? .configuration : .usage,
            "service.no-callers",
            "nobody could use the service: there is no token, and no proxy says who people are",
            hint: "'workflowctl serve token create --role driver --name shop' makes a token; "
                + "or set identity.roles in the configuration"
        )
    }

    /// The certificate and its key, as the command line names them, or else the configuration;
    /// `nil` for no TLS.
    private func tls(_ serve: ServeConfiguration, _ log: Logger) throws(Failure) -> TLSFiles? {
        switch (tlsCertificate ?? serve.tlsCertificate, tlsKey ?? serve.tlsKey) {
        case (nil, nil): return nil
        case (let certificate?, let key?):
            return try TLSFiles(certificate: certificate, key: key, log: log)
        case (let certificate, _):
            throw Failure(
                tlsCertificate == nil && tlsKey == nil ? .configuration : .usage,
                "service.tls",
                certificate == nil
                    ? "there is a TLS key without a certificate"
                    : "there is a TLS certificate without a key",
                hint: "name both with --tls-certificate and --tls-key, or in the configuration"
            )
        }
    }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let configuration = try Configuration.read(global, environment: invocation.environment)
        let log = Logger(label: "workflowctl.serve") { label in
            JSONLogHandler(label: label, sink: invocation.diagnostics, logLevel: .info)
        }
        var accepted = AccessTokens(path: try tokens.path(for: global, in: invocation))
        let listening = try listening(configuration, accepted, log, invocation)
        let secret = dev ? accepted.addTemporary(named: "dev", random: SystemRandom()) : nil
        // Before the engine exists, which measures from then on.
        let readings = MetricReadings.process
        return try await Driver.withEngine(
            for: self,
            in: invocation,
            access: .createIfMissing
        ) { [accepted] driver throws(Failure) in
            let limits = configuration.serve.limits
            var policies = try await policies(driver, configuration)
            policies.identity = listening.people
            let webhooks = try await webhooks(of: driver, configuration, log)
            var api = PaymentAPI(
                engine: driver.engine,
                store: driver.store,
                vault: driver.vault,
                reach: driver.reach,
                tokens: accepted,
                documents: ServiceDocuments(
                    description: EmbeddedSchemas.service,
                    errors: ErrorPage.all
                ),
                policies: policies,
                limits: limits,
                clock: UVClock(on: invocation.loop),
                log: log
            )
            api.readings = readings
            let host = try await ServiceHost.start(
                api,
                pages: Console(of: api, offset: LocalTime.offset),
                at: listening.address,
                tls: listening.tls,
                bodyLimit: limits.bodyBytes
            )
            var publicHost: ServiceHost?
            if let address = listening.publicAddress {
                do throws(Failure) {
                    publicHost = try await ServiceHost.start(
                        api,
                        .payers,
                        at: address,
                        tls: listening.tls,
                        bodyLimit: limits.bodyBytes
                    )
                } catch {
                    await host.shutdown()
                    throw error
                }
            }
            let work = Task { [api] in await Self.work(of: driver, api, webhooks, log) }
            printResult(host.url, publicHost?.url, secret, invocation)
            await stayAlive(driver, in: invocation)
            work.cancel()
            await work.value
            await host.shutdown()
            await publicHost?.shutdown()
            return .interrupted
        }
    }

    /// What the configuration says about operators and orders.
    private func policies(
        _ driver: Driver,
        _ configuration: Configuration
    ) async throws(Failure) -> PaymentAPI.Policies {
        var policies = PaymentAPI.Policies()
        policies.recordsInterventions = configuration.audit.recordsInterventions
        policies.requiresReason = configuration.audit.requiresReason
        policies.redirectHosts = configuration.redirectHosts
        policies.callbackScheme = configuration.callbackScheme
        policies.requiresSecondPerson = configuration.audit.requiresSecondPerson
        policies.limitsDrivers = configuration.serve.limitsDrivers
        policies.mounted = try configuration.serve.returning.mounted(
            allowsInsecureLoopback: global.allowInsecureLoopback
        )
        let secrets = try OrderSecrets(
            global,
            environment: driver.invocation.environment,
            configuration: configuration
        )
        policies.orders =
            try await driver.store.isScratchStore() ? Scratch.access : secrets.access
        policies.transport = driver.transport
        return policies
    }

    /// The endpoints that receive messages about payments.
    private func webhooks(
        of driver: Driver,
        _ configuration: Configuration,
        _ log: Logger
    ) async throws(Failure) -> Webhooks {
        let location = try StoreLocation.read(
            global,
            environment: driver.invocation.environment,
            configuration: configuration
        )
        return try await Webhooks(configuration, at: location, for: driver, log: log)
    }

    /// What runs beside the engine until the task is canceled: streams, webhooks, and the sessions
    /// that had given up on a PSP that is available again.
    private static func work(
        of driver: Driver,
        _ api: PaymentAPI,
        _ webhooks: Webhooks,
        _ log: Logger
    ) async {
        let recovery = SessionRecovery(
            engine: driver.engine,
            store: driver.store,
            clock: UVClock(on: driver.invocation.loop),
            limits: driver.recovery
        )
        await withDiscardingTaskGroup { group in
            group.addTask { await recovery.run(behind: driver.provider) }
            group.addTask { await webhooks.run() }
            group.addTask { await Projector(of: driver.store, log: log).run() }
            await api.run()
            group.cancelAll()
        }
    }

    /// Waits until the command is interrupted; meanwhile the service manager hears that the engine
    /// responds.
    private func stayAlive(_ driver: Driver, in invocation: Invocation) async {
        let manager = NotifySocket(invocation.environment)
        manager?.tell("READY=1")
        let interval = manager?.watchdogInterval.map { $0 / 2 } ?? .seconds(3600)
        while !Task.isCancelled {
            try? await invocation.loop.sleep(for: interval)
            _ = await driver.engine.sessionCount
            manager?.tell("WATCHDOG=1")
        }
        manager?.tell("STOPPING=1")
    }

    private func printResult(
        _ url: String,
        _ publicURL: String?,
        _ secret: String?,
        _ invocation: Invocation
    ) {
        if global.json {
            invocation.print(
                .object(
                    [.init("url", .string(url))]
                        + (publicURL.map { [.init("publicUrl", .string($0))] } ?? [])
                        + (secret.map { [.init("token", .string($0))] } ?? [])
                )
            )
            return
        }
        let style = invocation.output.style
        invocation.print(style.paint("service", .heading) + " " + style.paint(url, .accent))
        invocation.print(
            style.paint("console", .heading) + " " + style.paint("\(url)\(Console.path)/", .accent)
        )
        if let publicURL {
            invocation.print(
                style.paint("for payers", .heading) + " " + style.paint(publicURL, .accent)
            )
        }
        guard let secret else { return }
        invocation.output.write(
            """

            A token for this run, which may do everything:
              export TOKEN=\(secret)

            Open a session, list the sessions, follow one:
              curl -sS -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '{"url": "SESSION-URL"}' \(url)/v1/sessions
              curl -sS -H "Authorization: Bearer $TOKEN" \(url)/v1/sessions
              curl -sSN -H "Authorization: Bearer $TOKEN" \(url)/v1/sessions/SESSION/stream

            Press Ctrl-C to stop.

            """
        )
    }
}

/// The file with the tokens of a service's callers.
struct TokensFileOption: ParsableArguments, Sendable {
    @Option(
        help: ArgumentHelp(
            "The file with the tokens of callers. Default: the store's path with '.tokens'.",
            valueName: "file"
        )
    )
    var tokensFile: String?

    /// The path of the file.
    func path(
        for options: GlobalOptions,
        in invocation: Invocation
    ) throws(Failure) -> String {
        if let tokensFile { return tokensFile }
        let location = try StoreLocation.read(options, environment: invocation.environment)
        return location.path + ".tokens"
    }
}
