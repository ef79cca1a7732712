import Adapters
import EventLog
import Foundation
import Sandbox
import SwedbankPay
import Synchronization
import TestSupport
import Testing
import Workflow

@testable import Payments

/// The payment service in this process and over HTTP, with the sandbox's ledger as the judge.
@Suite(.timeLimit(.minutes(10))) struct PaymentServiceTests {
    private static func configuration(_ folder: URL) -> PaymentService.Configuration {
        .init(store: folder.appending(path: "payments.db").path, environment: .sandbox)
    }

    private static func order(savedCard: String? = nil, methods: [String]? = nil) -> SandboxOrder {
        var order = SandboxOrder(payerReference: "payer-1")
        if let savedCard { order.scenario.savedCards = [savedCard] }
        if let methods { order.scenario.methods = methods }
        return order
    }

    @Test func `each client action is delivered once, with the app's link, until the payment ends`()
        async throws
    {
        try await withSandbox { sandbox, folder in
            let order = try await sandbox.createOrder()
            try await PaymentService.run(Self.configuration(folder)) { service in
                let payment = try await service.open(
                    order.sessionURL,
                    reference: "order-4711",
                    preferring: [.swish]
                )
                var seen: [String] = []
                for try await action in payment.clientActions {
                    seen.append(action.description)
                    guard case .launchApp(let app) = action.kind else { continue }
                    #expect(try await action.report(.launched) == .accepted)
                    #expect(try await action.report(.launched) == .accepted)
                    try await sandbox.approve(app.url)
                }
                #expect(seen.count == 1)
                #expect(try await payment.outcome == .completed)
                let view = try await payment.view
                #expect(view.outcome == .completed && view.reference == "order-4711")
                #expect(
                    try await service.payments(referencedBy: "order-4711").map(\.id) == [payment.id]
                )
                // A subscriber after the end sees the end at once.
                var phases: [String] = []
                for try await update in payment.updates {
                    phases.append(update.view.phase.rawValue)
                }
                #expect(phases == ["ended"])
            }
            #expect(await sandbox.ledger.paidOrders == 1)
        }
    }

    /// By the payment's own pauses, and by the recovery, which finds out that the PSP responds.
    @Test(arguments: [
        (Duration.milliseconds(500), Duration.seconds(600)), (.seconds(600), .seconds(1)),
    ])
    func `after an outage, a payment that was approved meanwhile is recorded by itself`(
        pause: Duration,
        recovery: Duration
    ) async throws {
        try await withSandbox { sandbox, folder in
            let order = try await sandbox.createOrder()
            var configuration = Self.configuration(folder)
            configuration.engine.sessionLimits.tries = 1
            configuration.engine.sessionLimits.longestPollInterval = pause
            configuration.recoveryInterval = recovery
            try await PaymentService.run(configuration) { service in
                let payment = try await service.open(order.sessionURL, preferring: [.swish])
                let action = try #require(try await Self.next(of: payment))
                guard case .launchApp(let app) = action.kind else {
                    Issue.record("\(action)")
                    return
                }
                try await action.report(.launched)
                await sandbox.injectFaults(
                    with: [Fault(rel: "*", requests: .every, kind: .status(503))]
                )
                for try await update in payment.updates where update.view.problem != nil { break }
                try await sandbox.approve(app.url)
                await sandbox.injectFaults(with: [])
                #expect(try await payment.outcome == .completed)
            }
            #expect(await sandbox.ledger.paidOrders == 1)
        }
    }

    @Test func `a late report returns late, and one that does not fit the action throws`()
        async throws
    {
        try await withSandbox { sandbox, folder in
            let order = try await sandbox.createOrder()
            try await PaymentService.run(Self.configuration(folder)) { service in
                let payment = try await service.open(order.sessionURL, preferring: [.swish])
                let action = try #require(try await Self.next(of: payment))
                await #expect(throws: PaymentError.self) { try await action.report(.done) }
                guard case .launchApp(let app) = action.kind else {
                    Issue.record("\(action)")
                    return
                }
                // Descriptions do not contain what only the client may see.
                #expect(!"\(action)".contains(app.url))
                try await sandbox.approve(app.url)
                #expect(try await payment.outcome == .completed)
                #expect(try await action.report(.launched) == .late)
            }
        }
    }

    @Test func `a card pays through the 3-D Secure method call and the issuer's page`() async throws
    {
        try await withSandbox { sandbox, folder in
            let order = try await sandbox.createOrder(Self.order(savedCard: "4761739001010416"))
            try await PaymentService.run(Self.configuration(folder)) { service in
                let payment = try await service.open(
                    order.sessionURL,
                    preferring: [.card(rank: nil)]
                )
                var kinds: [String] = []
                for try await action in payment.clientActions {
                    kinds.append(action.view.kind.rawValue)
                    switch action.kind {
                    case .load3DSMethod(let form):
                        #expect(form.timeout == .seconds(10) && form.method == "POST")
                        #expect(try action.page().html.contains("threeDSMethodData"))
                        try await action.report(.done)
                    case .show3DS(let form):
                        #expect(try action.page().baseURL == nil)
                        let data = form.fields.first { $0.name == "threeDSSessionData" }?.value
                        let said = try await sandbox.play(
                            "POST",
                            "/sandbox/acs/\(data ?? "")/approve"
                        )
                        try await action.report(
                            .challengeCompleted(cRes: said["cres"] as? String ?? "")
                        )
                    default: Issue.record("\(action)")
                    }
                }
                #expect(kinds == ["load3DSMethod", "show3DS"])
                #expect(try await payment.outcome == .completed)
            }
        }
    }

    @Test func `a payer pays with an invoice on the PSP's page`() async throws {
        try await withSandbox { sandbox, folder in
            let order = try await sandbox.createOrder(Self.order())
            try await PaymentService.run(Self.configuration(folder)) { service in
                let payment = try await service.open(order.sessionURL)
                let invoice = PaymentMethodName(rawValue: "Invoice-PayExFinancingSe")
                for try await update in payment.updates where !update.view.methods.isEmpty { break }
                try await payment.showMenu(.instrument(invoice))
                let token = order.sessionURL.split(separator: "?").first?.split(separator: "/").last
                for try await action in payment.clientActions {
                    guard case .showMenu = action.kind else {
                        Issue.record("\(action)")
                        return
                    }
                    #expect(try action.page().html.contains("<script"))
                    let pay = "/sandbox/menu/\(token ?? "")/pay?method=\(invoice.rawValue)"
                    try await sandbox.play("POST", pay)
                    try await action.report(.completed)
                }
                #expect(try await payment.outcome == .completed)
            }
            #expect(await sandbox.ledger.paidOrders == 1)
        }
    }

    @Test func `a wallet gets the PSP's configuration, and canceling it ends the attempt`()
        async throws
    {
        try await withSandbox { sandbox, folder in
            let methods = ["Swish", "CreditCard", "ApplePay", "GooglePay"]
            let order = try await sandbox.createOrder(Self.order(methods: methods))
            try await PaymentService.run(Self.configuration(folder)) { service in
                let payment = try await service.open(order.sessionURL, preferring: [.googlePay])
                var actions = payment.clientActions.makeAsyncIterator()
                let sheet = try #require(try await actions.next())
                guard case .authorizeWallet(let wallet) = sheet.kind else {
                    Issue.record("\(sheet)")
                    return
                }
                #expect(wallet.wallet == .googlePay)
                #expect(try GooglePayRequest(WalletConfiguration(sheet.view)).environment == .test)
                let json = try JSONSerialization.jsonObject(with: JSONEncoder().encode(sheet))
                let members = try #require(json as? [String: Any])
                #expect(members["kind"] as? String == "authorizeWallet")
                #expect(members["wallet"] as? String == "google-pay")
                try await sheet.report(.canceled)
                for try await update in payment.updates where update.view.problem != nil {
                    #expect(update.view.attempt == nil)
                    break
                }
                try await payment.attempt(.swish)
                let app = try #require(try await actions.next())
                guard case .launchApp(let launch) = app.kind else {
                    Issue.record("\(app)")
                    return
                }
                try await sandbox.approve(launch.url)
                #expect(try await payment.outcome == .completed)
            }
        }
    }

    @Test func `a checkout checks in, shows the page, and is captured, reversed and canceled`()
        async throws
    {
        try await withSandbox { sandbox, folder in
            var configuration = Self.configuration(folder)
            configuration.merchant = .psp(at: sandbox.baseURL) { SandboxConfiguration.token }
            try await PaymentService.run(configuration) { service in
                let payment = try await service.checkout(Self.lamp, reference: "order-1") {
                    $0.generation = .v2
                    $0.consumer = ConsumerTerms(language: "sv-SE", shippingCountries: ["SE"])
                }
                var kinds: [String] = []
                for try await action in payment.clientActions {
                    kinds.append(action.view.kind.rawValue)
                    #expect(try action.page().html.contains("<script>"))
                    // It stays open, and is not delivered again.
                    #expect(try await action.report(.shown) == .accepted)
                    switch action.kind {
                    case .checkIn(let page):
                        let token = page.scriptURL.split(separator: "/").dropLast().last ?? ""
                        let said = try await sandbox.play(
                            "POST",
                            "/sandbox/consumers/\(token)/identify"
                        )
                        let reference = said["consumerProfileRef"] as? String ?? ""
                        try await action.report(.checkedIn(consumerProfileRef: reference))
                    case .showMenu(let page):
                        #expect(page.completeURL == "https://shop.example/complete")
                        let order = try await payment.view.checkout?.order?.id
                        try await sandbox.payOnPage(
                            String(order?.split(separator: "/").last ?? "")
                        )
                        try await action.report(.completed)
                    default: Issue.record("\(action)")
                    }
                }
                #expect(kinds == ["checkIn", "showMenu"])
                #expect(try await payment.outcome == .completed)
                #expect(try await payment.view.confirmed == true)
                let first = try await payment.capture(
                    .sek(5_000),
                    vat: .sek(1_000),
                    description: "Half",
                    reference: "half1"
                )
                let again = try await payment.capture(
                    .sek(5_000),
                    vat: .sek(1_000),
                    description: "Half",
                    reference: "half1"
                )
                #expect(first.result == .done && again.request == first.request)
                #expect(
                    try await payment.reverse(.sek(1_000), vat: .sek(200), description: "Late")
                        .result
                        == .done
                )
                for (amount, vat, code) in [
                    (("EUR", 100), ("EUR", 20), "order.currency-differs"),
                    (("SEK", 100), ("EUR", 20), "order.malformed-transaction"),
                ] as [((String, Int64), (String, Int64), String)] {
                    let foreign = await #expect(throws: PaymentError.self) {
                        try await payment.capture(
                            Money(minorUnits: amount.1, currency: amount.0),
                            vat: Money(minorUnits: vat.1, currency: vat.0),
                            description: "Abroad"
                        )
                    }
                    #expect(foreign?.code == code)
                }
                // Under a known reference, too: another currency is not the same capture.
                let other = await #expect(throws: PaymentError.self) {
                    try await payment.capture(
                        Money(minorUnits: 5_000, currency: "EUR"),
                        vat: Money(minorUnits: 1_000, currency: "EUR"),
                        description: "Half",
                        reference: "half1"
                    )
                }
                #expect(other?.code == "order.currency-differs")
                #expect(try await payment.cancel(description: "Rest").result == .done)
                let refused = await #expect(throws: PaymentError.self) {
                    try await payment.capture(.sek(9_000), vat: .sek(0), description: "More")
                }
                #expect(
                    refused?.code == "order.amount-too-large"
                        || refused?.code == "order.nothing-left"
                )
            }
            let ledger = await sandbox.ledger
            #expect(ledger.captures == 1 && ledger.capturedAmount == 5_000)
            #expect(ledger.reversals == 1 && ledger.cancellations == 1)
        }
    }

    @Test func `an update stream that ends early says why: stopped, erased, lost or canceled`()
        async throws
    {
        try await withSandbox { sandbox, folder in
            let configuration = Self.configuration(folder)
            let first = try await PaymentService(configuration)
            let running = Task { await first.run() }
            var payments: [Payment] = []
            for _ in 1...4 {
                let order = try await sandbox.createOrder()
                payments.append(try await first.open(order.sessionURL))
            }
            let ends = payments.map { payment in
                Task { () -> PaymentError? in
                    do throws(PaymentError) {
                        for try await _ in payment.updates {}
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            for payment in payments {
                for try await update in payment.updates where update.view.settled { break }
            }
            // Another process erases the second payment, and a forger without keys appends to the
            // third one's log.
            try await PaymentService.run(configuration) { second in
                let act = OperatorActed(by: "privacy desk", action: OperatorActed.erasure)
                _ = try await second.engine.record(act, in: payments[1].id)
                try await Self.forge(payments[2].id, in: second.store)
            }
            ends[3].cancel()
            guard case .erased(payments[1].id)? = await ends[1].value,
                case .unusable(payments[2].id, "log.not-authentic", _)? = await ends[2].value,
                case .canceled? = await ends[3].value
            else {
                Issue.record("not told why")
                return
            }
            await first.shutdown()
            guard case .stopped? = await ends[0].value else {
                Issue.record("not told that it was stopped")
                return
            }
            await running.value
            await #expect(throws: PaymentError.self) { try await payments[0].view }
            let codes = [PaymentError.stopped.code, PaymentError.canceled.code]
            #expect(codes == ["engine.stopping", "payments.canceled"])
        }
    }

    @Test(.feature("S-01"))
    func `run returns or throws what its function does, and shuts the service down`() async throws {
        struct OurError: Error {}
        try await withSandbox { sandbox, folder in
            let configuration = Self.configuration(folder)
            var kept: PaymentService?
            let seven = try await PaymentService.run(configuration) { service in
                kept = service
                return 7
            }
            #expect(seven == 7)
            let order = try await sandbox.createOrder()
            let stopped = await #expect(throws: PaymentError.self) {
                _ = try await kept?.open(order.sessionURL)
            }
            #expect(stopped?.code == "engine.stopping")
            await #expect(throws: OurError.self) {
                try await PaymentService.run(configuration) { _ in throw OurError() }
            }
        }
    }

    @Test(.feature("S-02"))
    func `each environment rejects the session URLs of the others`() async throws {
        try await withSandbox { sandbox, folder in
            let order = try await sandbox.createOrder()
            for environment in PaymentService.Environment.allCases {
                var configuration = Self.configuration(folder)
                configuration.environment = environment
                #expect(configuration.reach.allowsInsecureLoopback == (environment == .sandbox))
                try await PaymentService.run(configuration) { service in
                    let addresses = [
                        PaymentService.Environment.sandbox: order.sessionURL,
                        .test:
                            "https://api.externalintegration.payex.com/psp/paymentsessions/1?token=t",
                        .production: "https://api.payex.com/psp/paymentsessions/1?token=t",
                    ]
                    for (other, address) in addresses where other != environment {
                        let refused = await #expect(throws: PaymentError.self) {
                            _ = try await service.open(address)
                        }
                        #expect(refused?.code == "engine.bad-address", "\(environment) \(other)")
                        #expect(refused.map { "\($0)".contains("token") } == false)
                    }
                    let elsewhere = await #expect(throws: PaymentError.self) {
                        _ = try await service.open("https://psp.example/psp/paymentsessions/1")
                    }
                    #expect(elsewhere?.code == "engine.bad-address")
                }
            }
            #expect(await sandbox.ledger.requests.isEmpty)
        }
    }

    @Test func `an invalid configuration or a wrong key makes the service's initializer throw`()
        async throws
    {
        try await withSandbox { _, folder in
            let path = folder.appending(path: "payments.db").path
            func refusal(
                _ change: (inout PaymentService.Configuration) -> Void
            ) async -> PaymentError? {
                var configuration = Self.configuration(folder)
                change(&configuration)
                return await #expect(throws: PaymentError.self) {
                    _ = try await PaymentService(configuration)
                }
            }
            #expect(await refusal { $0.store = "" }?.code == "payments.misconfigured")
            let shared = await refusal { $0.store = "postgres://payments@127.0.0.1:1/payments" }
            #expect(shared?.code == "payments.misconfigured")
            #expect(await refusal { $0.merchant = .psp { "t" } }?.code == "payments.misconfigured")
            #expect(!FileManager.default.fileExists(atPath: path))
            // Keys other than those of the existing sessions.
            let sandbox = try await SandboxServer.start(.patient)
            let order = try await sandbox.createOrder()
            try await PaymentService.run(Self.configuration(folder)) {
                _ = try await $0.open(order.sessionURL)
            }
            await sandbox.shutdown()
            let other = try KeyFileVault(path: path + ".other")
            #expect(await refusal { $0.vault = other }?.code == "vault.wrong-key")
            try FileManager.default.removeItem(atPath: path + ".key")
            #expect(await refusal { _ in }?.code == "vault.missing")
        }
    }

    @Test
    func
        `a checkout without a configured merchant, or with an invalid order, is rejected`()
        async throws
    {
        try await withSandbox { sandbox, folder in
            var configuration = Self.configuration(folder)
            try await PaymentService.run(configuration) { service in
                let refused = await #expect(throws: PaymentError.self) {
                    _ = try await service.checkout(Self.lamp)
                }
                #expect(refused?.code == "payments.misconfigured")
            }
            configuration.merchant = .psp(at: sandbox.baseURL) { SandboxConfiguration.token }
            try await PaymentService.run(configuration) { service in
                var order = Self.lamp
                order.vatAmount = -1
                let refused = await #expect(throws: PaymentError.self) {
                    _ = try await service.checkout(order)
                }
                #expect(refused?.code == "order.invalid")
            }
            #expect(await sandbox.ledger.orders.isEmpty)
        }
    }

    @Test func `a checkout is paid natively and reversed through the native payment`()
        async throws
    {
        try await withSandbox { sandbox, folder in
            var configuration = Self.configuration(folder)
            configuration.merchant = .psp(at: sandbox.baseURL) { SandboxConfiguration.token }
            try await PaymentService.run(configuration) { service in
                let checkout = try await service.checkout(Self.lamp) { $0.presents = false }
                let payment = try await checkout.payNatively(preferring: [.swish])
                #expect(try await checkout.payNatively().id == payment.id)
                let action = try #require(try await Self.next(of: payment))
                guard case .launchApp(let app) = action.kind else {
                    Issue.record("\(action)")
                    return
                }
                try await action.report(.launched)
                try await sandbox.approve(app.url)
                let stranger = await #expect(throws: PaymentError.self) {
                    try await payment.handleReturn(to: "https://elsewhere.example/pay?id=1")
                }
                #expect(stranger?.code == "session.not-this-payment-url")
                try await payment.handleReturn(to: "https://shop.example/pay?id=1")
                #expect(try await payment.outcome == .completed)
                #expect(try await checkout.outcome == .completed)
                let forged = await #expect(throws: PaymentError.self) {
                    try await checkout.handleCallback(
                        Array(#"{"paymentOrder":{"id":"/else"}}"#.utf8)
                    )
                }
                #expect(forged?.code == "order.foreign-callback")
                // Swish captures the money at once, so it can be refunded.
                let back = try await payment.reverse(
                    .sek(12_500),
                    vat: .sek(2_500),
                    description: "Lamp"
                )
                #expect(back.result == .done)
            }
            let ledger = await sandbox.ledger
            #expect(ledger.reversedAmount == 12_500 && ledger.capturedAmount == 12_500)
            #expect(ledger.orders.map(\.attempts.count) == [1])
        }
    }

    @Test func `a payment is aborted, and commands that do not apply to it are rejected`()
        async throws
    {
        try await withSandbox { sandbox, folder in
            let order = try await sandbox.createOrder()
            try await PaymentService.run(Self.configuration(folder)) { service in
                let payment = try await service.open(order.sessionURL)
                for try await update in payment.updates where update.view.phase == .ready { break }
                let refused = await #expect(throws: PaymentError.self) { try await payment.retry() }
                #expect(refused?.code == "session.nothing-to-retry")
                let captured = await #expect(throws: PaymentError.self) {
                    try await payment.cancel(description: "No")
                }
                #expect(captured?.code == "session.not-a-checkout")
                try await payment.refresh()
                try await payment.abort()
                #expect(try await payment.outcome == .canceled)
                let unknown = service.payment(SessionID(high: 1, low: 1))
                let missing = await #expect(throws: PaymentError.self) { try await unknown.view }
                #expect(missing?.code == "engine.unknown-session")
            }
        }
    }

    @Test func `a service uses a custom transport or a custom provider`() async throws {
        try await withSandbox { sandbox, folder in
            let loop = try UVLoop(name: "own")
            var reach = TransportConfiguration()
            reach.allowsInsecureLoopback = true
            let transport = CountingTransport(CurlTransport(on: loop, configuration: reach))
            var options = SwedbankPayOptions()
            options.allowsInsecureLoopback = true
            let provider = SwedbankPayProvider(transport: transport, options: options)
            for change: (inout PaymentService.Configuration) -> Void in [
                { $0.transport = transport }, { $0.provider = provider },
            ] {
                let before = transport.count
                let order = try await sandbox.createOrder()
                var configuration = Self.configuration(folder)
                change(&configuration)
                try await PaymentService.run(configuration) { service in
                    let payment = try await service.open(order.sessionURL)
                    for try await update in payment.updates where update.view.phase == .ready {
                        break
                    }
                }
                #expect(transport.count - before == 2)
            }
            await transport.shutdown()
            await Task.detached { loop.shutdown() }.value
        }
    }

    private static let lamp = PaymentOrder(
        currency: "SEK",
        amount: 12_500,
        vatAmount: 2_500,
        description: "Lamp",
        userAgent: "shop/1",
        urls: PaymentOrderURLs(
            hosts: ["https://shop.example/"],
            complete: "https://shop.example/complete",
            cancel: "https://shop.example/cancel",
            payment: "https://shop.example/pay?id=1"
        ),
        payeeInfo: PayeeInfo(payeeID: "shop", payeeReference: "order1", orderReference: "order-1")
    )

    /// Returns the client's next action.
    private static func next(of payment: Payment) async throws -> Payment.ClientAction? {
        for try await action in payment.clientActions { return action }
        return nil
    }

    /// Appends a record as someone could who can write to the store but has no keys.
    private static func forge(_ session: SessionID, in store: any PersistentStore) async throws {
        let records = try await store.read(session, from: 1, limit: 10_000)
        let last = try #require(records.last)
        let event = try RecordReader.event(in: last)
        let forged = RecordedEvent(
            stream: session,
            sequence: last.sequence + 1,
            at: last.at,
            event: .operatorActed(OperatorActed(by: "nobody", action: "note")),
            metadata: event.metadata
        )
        let record = try RecordWriter.unsealedRecord(
            forged,
            after: StreamHead(sequence: last.sequence, hash: last.hash)
        )
        var row = try #require(try await store.row(of: session))
        row.lastSequence = record.sequence
        try await store.append(
            StreamAppend(
                stream: session,
                expectedVersion: last.sequence,
                records: [record],
                summary: row
            )
        )
    }
}

/// The host's own HTTP transport, which counts the requests.
private final class CountingTransport: Transport {
    private let transport: CurlTransport
    private let requests = Mutex(0)

    init(_ transport: CurlTransport) { self.transport = transport }

    var count: Int { requests.withLock { $0 } }

    func perform(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
        requests.withLock { $0 += 1 }
        return try await transport.perform(request)
    }

    func shutdown() async { await transport.shutdown() }
}

extension Money {
    /// An amount in öre.
    fileprivate static func sek(_ minorUnits: Int64) throws(InvalidAmount) -> Money {
        try Money(minorUnits: minorUnits, currency: "SEK")
    }
}
