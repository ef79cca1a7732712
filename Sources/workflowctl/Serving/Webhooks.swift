internal import Adapters
internal import EventLog
internal import Inspection
internal import Logging
internal import SwedbankPay
internal import Workflow

/// The endpoints to which a service sends messages about payments.
struct Webhooks: Sendable {
    private let publishers: [WebhookPublisher]
    private let transports: [CurlTransport]
    /// What is measured of them.
    let readings = MetricReadings.process

    /// Prepares the endpoints of a configuration; nothing is sent before ``run()``.
    ///
    /// - Throws: A failure when an endpoint's secrets or address cannot be used.
    init(
        _ configuration: Configuration,
        at location: StoreLocation,
        for driver: Driver,
        log: Logger
    ) async throws(Failure) {
        var (publishers, transports) = ([WebhookPublisher](), [CurlTransport]())
        var endpoints = configuration.webhooks
        if !endpoints.isEmpty, try await driver.store.isScratchStore() {
            // Nobody receives messages about payments of experiments.
            driver.invocation.note("note: webhooks are not sent from a scratch store")
            endpoints = []
        }
        for endpoint in endpoints {
            let secrets = try endpoint.secrets()
            let reach = try endpoint.reach(configuration.transport)
            let transport = CurlTransport(on: driver.invocation.loop, configuration: reach)
            transports.append(transport)
            publishers.append(
                WebhookPublisher(
                    of: driver.store,
                    by: driver.engine.decider,
                    authenticatedBy: driver.vault,
                    to: WebhookOptions(
                        name: endpoint.name,
                        url: endpoint.url,
                        kinds: endpoint.kinds
                    ),
                    over: transport,
                    signing: { secrets.secrets },
                    files: WebhookFiles(beside: location.path, name: endpoint.name),
                    clock: UVClock(on: driver.invocation.loop),
                    metrics: readings,
                    report: { $0.write(to: log, endpoint: endpoint.name) }
                )
            )
        }
        (self.publishers, self.transports) = (publishers, transports)
    }

    /// Sends until the task is canceled.
    func run() async {
        await withDiscardingTaskGroup { group in
            for publisher in publishers { group.addTask { await publisher.run() } }
        }
        for transport in transports { await transport.shutdown() }
    }
}

extension WebhookConfiguration {
    /// Reads the file with the secrets.
    fileprivate func secrets() throws(Failure) -> WebhookSecretFile {
        do throws(KeyVaultError) {
            return try WebhookSecretFile(path: secretFile)
        } catch {
            var failure = Failure(error)
            failure.code = "webhook.secret"
            failure.message =
                "the secrets of the webhook \(name) cannot be used: \(failure.message)"
            failure.hint = "name a file of mode 0600 with a secret such as whsec_… on each line"
            throw failure
        }
    }

    /// Returns which hosts may be contacted: the receiver alone.
    fileprivate func reach(
        _ configured: TransportConfiguration
    ) throws(Failure) -> TransportConfiguration {
        var reach = configured
        reach.allowedHostSuffixes = TransportConfiguration.hosts(ofReceiver: url)
        // Keys are pinned for the PSP.
        (reach.pinnedKeyDigests, reach.hostPins) = ([], [])
        // A proxy resolves the name itself, and has an address in this network.
        reach.refusesPrivateAddresses = !allowsPrivate && configured.proxy == nil
        guard reach.refusal(of: url) == nil else {
            throw Failure(
                .configuration,
                "webhook.url",
                "the URL of the webhook \(name) is not allowed",
                hint:
                    "use an https:// URL; http:// is for this machine, with --allow-insecure-loopback"
            )
        }
        return reach
    }
}

extension WebhookPublisher.Report {
    /// Writes a line for an endpoint, without secrets.
    fileprivate func write(to log: Logger, endpoint: String) {
        var metadata: Logger.Metadata = ["endpoint": "\(endpoint)"]
        switch self {
        case .refused(let id, let reason, let tries, let next):
            metadata["webhook"] = "\(id)"
            metadata["reason"] = "\(reason)"
            metadata["tries"] = "\(tries)"
            metadata["next"] = "\(next)"
            log.warning("webhook not accepted", metadata: metadata)
        case .givenUp(let id, let reason, let tries):
            metadata["webhook"] = "\(id)"
            metadata["reason"] = "\(reason)"
            metadata["tries"] = "\(tries)"
            log.error("webhook given up", metadata: metadata)
        case .unreadable(let session, let code):
            metadata["session"] = "\(session)"
            metadata["code"] = "\(code)"
            log.error("webhooks of a session left out", metadata: metadata)
        case .disabled: log.error("webhook endpoint disabled", metadata: metadata)
        case .enabled: log.notice("webhook endpoint enabled", metadata: metadata)
        case .stopped(let failure):
            metadata["code"] = "\(failure.code)"
            metadata["reason"] = "\(failure.description)"
            log.error("webhooks stopped for now", metadata: metadata)
        }
    }
}
