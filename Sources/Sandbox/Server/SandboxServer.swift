import Hummingbird
import Logging
import NIOCore

/// A simulated payment service provider: the Swedbank Pay payment session API over real HTTP, with
/// a simulated Swish and card issuer, scripted faults, and a ledger of what was really paid.
///
/// It shares no code with the engine or its adapters, so that a misinterpretation of the protocol
/// on one side becomes visible on the other.
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
/// `POST /psp/paymentorders` creates an order like the PSP; the response has the operations of the
/// order's version, which the media type's `version` or `productName` determines. `GET` on its id
/// returns its status, with `$expand` also its parts; `PATCH` changes or aborts it; `POST` on
/// `captures`, `cancellations` and `reversals` below it moves the money of a paid order.
/// `POST /psp/consumers` checks a payer in, and `payerownedtokens` lists the tokens of payers. With
/// ``SandboxConfiguration/accessToken`` all of them require `Authorization: Bearer …`. A member
/// `sandbox` beside `paymentorder` (or within it) chooses the scenario:
///
/// ```json
/// {"paymentorder": {
///     "operation": "Purchase", "currency": "SEK", "amount": 10000, "vatAmount": 2000,
///     "description": "Order 1", "userAgent": "shop/1", "language": "sv-SE",
///     "urls": {
///         "hostUrls": ["https://shop.example/"],
///         "completeUrl": "https://shop.example/complete",
///         "cancelUrl": "https://shop.example/cancel",
///         "paymentUrl": "https://shop.example/pay"},
///     "payeeInfo": {"payeeId": "shop", "payeeReference": "1001"},
///     "payer": {"payerReference": "payer-1"}},
///  "sandbox": {
///     "methods": ["Swish", "CreditCard"], "savedCards": ["4761739001010416"],
///     "swishApprovalMilliseconds": 300, "abortDuringAttempt": "refused",
///     "faults": [{"rel": "start-payment-attempt", "nth": 1, "kind": "resetAfter"}]}}
/// ```
///
/// Other members of `sandbox`: `swishWaitsForPayer`, `acknowledgeProblems`, `authenticateWallets`,
/// `walletBooleansAsText`, `settlingMilliseconds`, `acceptRepeatedStarts`, `abort`, `customizing`,
/// `unknownMethods`, `eventLogging` and `operations` (see ``Scenario``). Magic values are those of
/// the PSP's test environment: card payments of 900313, 900334, 900361 … minor units are declined;
/// the descriptions `RF07`, `TM01` and `BANKIDCL` make Swish decline, and `HANG` makes it never
/// decide.
///
/// ## Faults
///
/// A fault names a `rel` (or `session` for reading the session by its URL, or `*`), the requests it
/// applies to (`"nth": 2`, `"first": 3`, `"every": true`) and a `kind`: `status` (with `status`,
/// `problemType`, `retryAfterSeconds`), `delay` (with `milliseconds`), `resetBefore`, `resetAfter`,
/// `hang`, `hangAfter`, `empty`, `noContent`, `garbage`, `html`, `wrongTypes`, `array`, `huge`
/// (with `bytes`), `duplicateMembers`, `unknownMembers`, `unknownNext`, `foreign` and `act`. With
/// `"takesEffect": true`, `status` and `delay` disturb only the response; with
/// `"effectAfterMilliseconds"` and `"effectAfterReads"`, the operation takes effect later, when its
/// sender has given up. Add faults to a running order with `POST /sandbox/faults` (the same members
/// and `order`) or ``install(_:order:)``.
///
/// ## The payer
///
/// - `GET /sandbox/swish/<token>?decision=approve|decline|cancel`, the token being the one of the
///   app link `swish://paymentrequest?token=…`, decides in the Swish app and returns the address to
///   which the app returns.
/// - `POST /sandbox/acs/<id>/approve` or `…/cancel`, the id being the value of
///   `threeDSSessionData`, returns the `cres` of the challenge. In a browser, the challenge page
///   has a button for each.
/// - `POST /sandbox/orders/<id>/outcome?as=paid|aborted|failed` ends the order as another device
///   would.
/// - `POST /sandbox/orders/<id or session token>/acts` with an act such as `{"act": "devicePays"}`,
///   or ``carryOut(_:order:)``, performs an act of another device, the merchant's portal or the
///   payment method (see ``Act``).
/// - `POST /sandbox/menu/<order id or session token>/pay|decline|cancel|fail` (with `?method=` and,
///   for `decline`, `&problem=`) plays the payer in the hosted menu; in a browser the menu has
///   buttons.
///
/// ## The hosted menu
///
/// `view-payment` returns a script. A page loads it and calls
/// `payex.hostedView.menu({container: "id", onPaid, onError}).open()` to show the menu in a frame.
/// When the payer has paid or canceled, the page navigates to the order's complete or cancel
/// address; a method with pages of its own leads through a bank's page to the payment address, and
/// the menu shows the result when it is opened again.
///
/// ## Callbacks
///
/// For an order with a `callbackUrl`, the merchant is notified when an attempt succeeded or failed:
/// by a POST of JSON, repeated 30, 60, 360, 432, 864 and 1265 seconds after the first time until
/// the merchant responds with a 2xx status (``SandboxConfiguration/callbackTimeScale`` makes that
/// faster). The sandbox reaches http addresses of this machine;
/// ``SandboxConfiguration/callbackSender`` reaches all others. `GET /sandbox/callbacks`,
/// `GET /sandbox/callbacks/<order id>` and ``callbacks(of:)`` return what was sent.
///
/// ## Telemetry
///
/// `event-logging` accepts the client's telemetry; `GET /sandbox/orders/<id>/events` and
/// ``clientEvents(of:)`` return what was received.
///
/// ## Ledger
///
/// `GET /sandbox/ledger` and `GET /sandbox/ledger/<order id>` return ``ledger`` and
/// ``orderLedger(_:)``: every request, attempt and amount, and everything that happened twice.
public final class SandboxServer: Sendable {
    /// The address at which the sandbox listens, such as `http://127.0.0.1:41234`.
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

    /// Starts a sandbox and returns once it is listening.
    ///
    /// - Throws: The reason why it cannot listen, for example a port in use.
    public static func start(
        _ configuration: SandboxConfiguration = SandboxConfiguration()
    ) async throws -> SandboxServer {
        let provider = Provider(configuration)
        // The HTTP server reports every connection that a shutdown drops as an error; errors that
        // matter are thrown.
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
                    configuration.host.unicodeScalars.contains(":")
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

    /// Stops listening, drops all connections, and returns when no work is running any more.
    public func shutdown() async {
        // Before connections are dropped, so that a client that reconnects is refused.
        try? await listener.close()
        running.cancel()
        await provider.stop()
        await running.value
        await connections.close()
    }

    /// Creates an order, exactly like `POST /psp/paymentorders`.
    ///
    /// - Throws: ``SandboxError/refused(fields:detail:)`` when the order violates the PSP's rules.
    public func createOrder(
        _ order: SandboxOrder = SandboxOrder()
    ) async throws(SandboxError) -> CreatedOrder {
        let created = try await provider.createInProcess(order)
        return CreatedOrder(id: created.id, sessionURL: created.sessionURL)
    }

    /// Injects a fault into an order from now on.
    public func install(_ fault: Fault, order: String) async throws(SandboxError) {
        try await provider.install(fault, in: order)
    }

    /// Injects faults into the requests of all orders from now on, as in an outage, replacing the
    /// previous ones.
    ///
    /// - Parameter faults: The faults, of which the first applicable one takes effect; empty ends
    ///   the outage. Faults of single orders stay.
    public func injectFaults(with faults: [Fault]) async {
        await provider.injectFaults(with: faults)
    }

    /// Performs another party's act on an order: another device's, the merchant's portal's, the
    /// payment method's.
    ///
    /// - Throws: ``SandboxError/refused(fields:detail:)`` when the PSP would not permit the act.
    public func carryOut(_ act: Act, order: String) async throws(SandboxError) {
        do throws(ProblemDetail) {
            _ = try await provider.carryOut(act, on: order)
        } catch {
            throw .refused(fields: error.fields.map(\.name), detail: error.detail)
        }
    }

    /// The number of requests of each operation for all orders, including disturbed requests.
    public var requests: [String: Int] {
        get async { await provider.requests }
    }

    /// The history so far.
    public var ledger: SandboxLedger {
        get async { await provider.ledger() }
    }

    /// Returns the history of one order so far; `nil` when no order has this id.
    public func orderLedger(_ id: String) async -> LedgerOrder? {
        try? await provider.order(id).ledgerPage()
    }

    /// Returns the settlement report of everything that was captured, sold and reversed so far,
    /// with a number such as `R9001-0001` and a date, `YYYY-MM-DD`.
    package func settlement(number: String, date: String) async -> SandboxSettlement {
        await provider.settlement(number: number, date: date)
    }

    /// Returns the callbacks of one order with the results of their tries, in the order of their
    /// creation.
    public func callbacks(of id: String) async -> [CallbackDelivery] {
        await provider.callbacks(of: id)
    }

    /// Returns the telemetry sent by the client of one order, oldest first.
    public func clientEvents(of id: String) async -> [ClientEvent] {
        (try? await provider.order(id).clientEvents.events) ?? []
    }

    /// Returns the requests of one order that the ledger has kept, oldest first.
    public func entries(of id: String) async -> [LedgerEntry] {
        await provider.entries(of: id)
    }
}
