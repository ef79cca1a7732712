import Hummingbird
import Logging
import NIOCore

/// A payment service provider to run against: the Swedbank Pay payment session API over real HTTP, with
/// stand-ins for Swish and for the card issuer, scripted faults, and a ledger of what was really paid.
///
/// It shares no code with the engine or its adapters, so that a misreading of the protocol on one side
/// shows on the other.
///
/// ```swift
/// let sandbox = try await SandboxServer.start(SandboxConfiguration())
/// let order = try await sandbox.createOrder(SandboxOrder(payerReference: "payer-1"))
/// // … drive order.sessionURL …
/// #expect(await sandbox.ledger.paidOrders == 1)
/// await sandbox.shutdown()
/// ```
///
/// ## Orders
///
/// `POST /psp/paymentorders` creates an order as the PSP does; its answer has the operations of the order's
/// version: the media type's `version`, or `productName`, decides. `GET` on its id tells its status, with
/// `$expand` its parts too; `PATCH` changes or aborts it; `POST` on `captures`, `cancellations` and
/// `reversals` below it moves the money of a paid one. `POST /psp/consumers` checks a payer in, and
/// `payerownedtokens` lists what payers stored. With ``SandboxConfiguration/accessToken`` all of them want
/// `Authorization: Bearer …`. A member `sandbox` beside `paymentorder` (or within it)
/// chooses the scenario:
///
/// ```json
/// {"paymentorder": {"operation": "Purchase", "currency": "SEK", "amount": 10000, "vatAmount": 2000,
///   "description": "Order 1", "userAgent": "shop/1", "language": "sv-SE",
///   "urls": {"hostUrls": ["https://shop.example/"], "completeUrl": "https://shop.example/complete",
///            "cancelUrl": "https://shop.example/cancel", "paymentUrl": "https://shop.example/pay"},
///   "payeeInfo": {"payeeId": "shop", "payeeReference": "1001"},
///   "payer": {"payerReference": "payer-1"}},
///  "sandbox": {"methods": ["Swish", "CreditCard"], "savedCards": ["4761739001010416"],
///   "swishApprovalMilliseconds": 300, "abortDuringAttempt": "refused",
///   "faults": [{"rel": "start-payment-attempt", "nth": 1, "kind": "resetAfter"}]}}
/// ```
///
/// Other members of `sandbox`: `swishWaitsForPayer`, `acknowledgeProblems`, `authenticateWallets`,
/// `walletBooleansAsText`, `settlingMilliseconds`, `acceptRepeatedStarts`, `abort`, `customizing`,
/// `unknownMethods`, `eventLogging` and `operations` (see ``Scenario``). Magic values are those of the PSP's test environment: card
/// payments of 900313, 900334, 900361 … minor units are declined; the descriptions `RF07`, `TM01` and
/// `BANKIDCL` make Swish decline, and `HANG` makes it never answer.
///
/// ## Faults
///
/// A fault names a `rel` (or `session` for reading the session by its URL, or `*`), the calls it applies to
/// (`"nth": 2`, `"first": 3`, `"every": true`) and a `kind`: `status` (with `status`, `problemType`,
/// `retryAfterSeconds`), `delay` (with `milliseconds`), `resetBefore`, `resetAfter`, `hang`, `hangAfter`,
/// `empty`, `noContent`, `garbage`, `html`, `wrongTypes`, `array`, `huge` (with `bytes`),
/// `duplicateMembers`, `unknownMembers`, `unknownNext`, `foreign` and `act`. `"takesEffect": true` lets `status` and `delay`
/// disturb only the answer; `"effectAfterMilliseconds"` and `"effectAfterReads"` let the operation happen later, when its
/// sender has given up. A running order takes more through `POST /sandbox/faults` (the same members
/// and `order`) or ``install(_:order:)``.
///
/// ## The payer
///
/// - `GET /sandbox/swish/<token>?decision=approve|decline|cancel`, the token being the one of the app link
///   `swish://paymentrequest?token=…`, decides in the Swish app and answers where the app returns to.
/// - `POST /sandbox/acs/<id>/approve` or `…/cancel`, the id being the value of `threeDSSessionData`, answers
///   with the `cres` of the challenge. In a browser, the challenge page has a button for each.
/// - `POST /sandbox/orders/<id>/outcome?as=paid|aborted|failed` ends the order as another device would.
/// - `POST /sandbox/orders/<id or session token>/acts` with `{"act": "devicePays"}` and its like, or ``carryOut(_:order:)``,
///   lets another device, the merchant's portal or the payment method act (see ``Act``).
/// - `POST /sandbox/menu/<order id or session token>/pay|decline|cancel|fail` (with `?method=` and, for
///   `decline`, `&problem=`) plays the payer in the hosted menu; in a browser the menu has buttons.
///
/// ## The hosted menu
///
/// `view-payment` answers with a script. A page loads it, calls
/// `payex.hostedView.menu({container: "id", onPaid, onError}).open()` and so gets the menu in a frame.
/// When the payer has paid or given up, the page goes to the order's complete or cancel address; a method
/// with pages of its own leads over a bank's page to the payment address, and the menu, opened again,
/// shows the result.
///
/// ## Callbacks
///
/// An order with a `callbackUrl` has its merchant told when an attempt succeeded or failed: a POST of
/// JSON, repeated 30, 60, 360, 432, 864 and 1265 seconds after the first time while the merchant does not
/// answer with a 2xx (``SandboxConfiguration/callbackTimeScale`` makes that faster). The sandbox reaches
/// http addresses of this machine; ``SandboxConfiguration/callbackSender`` reaches all others.
/// `GET /sandbox/callbacks`, `GET /sandbox/callbacks/<order id>` and ``callbacks(of:)`` tell what was sent.
///
/// ## Telemetry
///
/// `event-logging` takes the client's telemetry; `GET /sandbox/orders/<id>/events` and
/// ``clientEvents(of:)`` tell what came.
///
/// ## Ledger
///
/// `GET /sandbox/ledger` and `GET /sandbox/ledger/<order id>` tell what ``ledger`` and
/// ``orderLedger(_:)`` tell: every request, attempt and amount, and everything that happened twice.
public final class SandboxServer: Sendable {
    /// Where the sandbox listens, such as `http://127.0.0.1:41234`.
    public let baseURL: String

    private let provider: Provider
    private let listener: any Channel
    private let running: Task<Void, Never>
    private let connections: HandledConnections

    private init(
        baseURL: String,
        provider: Provider,
        listener: any Channel,
        running: Task<Void, Never>,
        connections: HandledConnections
    ) {
        self.baseURL = baseURL
        self.provider = provider
        self.listener = listener
        self.running = running
        self.connections = connections
    }

    /// Starts a sandbox and returns when it listens.
    ///
    /// - Throws: The reason why it cannot listen, for example a port that is taken.
    public static func start(
        _ configuration: SandboxConfiguration = SandboxConfiguration()
    ) async throws -> SandboxServer {
        let provider = Provider(configuration)
        // The HTTP server reports every connection that a shutdown drops as an error; what matters of
        // its errors is thrown.
        var serverLogger = configuration.logger
        serverLogger.logLevel = .critical
        let connections = HandledConnections()
        let (ready, listening) = AsyncThrowingStream<(String, any Channel), any Error>.makeStream()
        let application = Application(
            router: SandboxRoutes(provider: provider, configuration: configuration).router(),
            server: connections.http1(.init(idleTimeout: TimeAmount(configuration.idleLimit))),
            configuration: ApplicationConfiguration(
                address: .hostname(configuration.host, port: configuration.port),
                availableConnectionsDelegate: .maximum(
                    configuration.maximumConnections,
                    logger: serverLogger
                )
            ),
            onServerRunning: { channel in
                let port = channel.localAddress?.port ?? configuration.port
                let host =
                    configuration.host.contains(":")
                    ? "[\(configuration.host)]" : configuration.host
                let baseURL = "http://\(host):\(port)"
                await provider.listen(at: baseURL)
                listening.yield((baseURL, channel))
            },
            logger: serverLogger
        )
        let running = Task {
            do {
                try await application.run()
                listening.finish()
            } catch {
                listening.finish(throwing: error)
            }
        }
        for try await (baseURL, listener) in ready {
            return SandboxServer(
                baseURL: baseURL,
                provider: provider,
                listener: listener,
                running: running,
                connections: connections
            )
        }
        throw SandboxError.stopped
    }

    /// Stops listening, drops all connections and returns when nothing runs any more.
    public func shutdown() async {
        // Before connections are dropped: who connects anew then is to find nobody.
        try? await listener.close()
        running.cancel()
        await provider.stop()
        await running.value
        await connections.close()
    }

    /// Creates an order, exactly as `POST /psp/paymentorders` does.
    ///
    /// - Throws: ``SandboxError/refused(fields:detail:)`` when the order breaks the PSP's rules.
    public func createOrder(
        _ order: SandboxOrder = SandboxOrder()
    ) async throws(SandboxError) -> CreatedOrder {
        let created = try await provider.createInProcess(order)
        return CreatedOrder(id: created.id, sessionURL: created.sessionURL)
    }

    /// Lets something go wrong in an order from now on.
    public func install(_ fault: Fault, order: String) async throws(SandboxError) {
        try await provider.install(fault, in: order)
    }

    /// Lets things go wrong in the calls of all orders from now on, as in an outage, instead of what did before.
    ///
    /// - Parameter faults: What goes wrong, the first that applies; empty ends the outage. Faults of single orders stay.
    public func disturbAll(with faults: [Fault]) async {
        await provider.disturbAll(with: faults)
    }

    /// Lets somebody else act on an order: another device, the merchant's portal, the payment method.
    ///
    /// - Throws: ``SandboxError/refused(fields:detail:)`` when the PSP would not let that happen.
    public func carryOut(_ act: Act, order: String) async throws(SandboxError) {
        do throws(ProblemDetail) {
            _ = try await provider.carryOut(act, on: order)
        } catch {
            throw .refused(fields: error.fields.map(\.name), detail: error.detail)
        }
    }

    /// How often each operation was called over all orders, disturbed calls included.
    public var requests: [String: Int] {
        get async { await provider.requests }
    }

    /// What happened so far.
    public var ledger: SandboxLedger {
        get async { await provider.ledger() }
    }

    /// What happened to one order so far; nil when no order has this id.
    public func orderLedger(_ id: String) async -> LedgerOrder? {
        try? await provider.order(id).ledgerPage()
    }

    /// The callbacks of one order and how their tries went, in the order in which they came up.
    public func callbacks(of id: String) async -> [CallbackDelivery] {
        await provider.callbacks(of: id)
    }

    /// The telemetry that the client of one order sent, oldest first.
    public func clientEvents(of id: String) async -> [ClientEvent] {
        (try? await provider.order(id).clientEvents.events) ?? []
    }

    /// The requests of one order that the ledger remembers, oldest first.
    public func entries(of id: String) async -> [LedgerEntry] {
        await provider.entries(of: id)
    }
}
