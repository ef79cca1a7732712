import EventLog
import HTTPTypes
import Sandbox
import SwedbankPay
import Testing

@testable import Adapters

/// The client and the provider over real HTTP, against the simulated PSP.
@Suite struct OrdersOverHTTPTests {
    private static func options() -> SwedbankPayOptions {
        var options = SwedbankPayOptions()
        options.allowsInsecureLoopback = true
        options.requestDeadline = .seconds(20)
        return options
    }

    private static func document(instrument: String? = nil) -> String {
        let reference = UInt64.random(in: 1...UInt64.max)
        let locked = instrument.map { #""instrument":"\#($0)","# } ?? ""
        return """
            {"operation":"Purchase",\(locked)"productName":"Checkout3","currency":"SEK","amount":10000,"vatAmount":2000,
             "description":"Order 1","language":"sv-SE",
             "urls":{"hostUrls":["https://shop.example/"],"completeUrl":"https://shop.example/complete",
             "cancelUrl":"https://shop.example/cancel","paymentUrl":"https://shop.example/pay"},
             "payeeInfo":{"payeeId":"shop","payeeReference":"\(reference)"}}
            """
    }

    /// Runs a test with a sandbox that requires an access token, and a client that has it.
    private func withPSP(
        token: String = "let-me-in",
        version: OrderAPIVersion = .v3_1,
        _ body: (SandboxServer, PaymentOrderClient, CurlTransport) async throws -> Void
    ) async throws {
        var configuration = SandboxConfiguration()
        configuration.accessToken = "let-me-in"
        let sandbox = try await SandboxServer.start(configuration)
        do {
            try await withTransport { transport, _ in
                let client = try PaymentOrderClient(
                    root: sandbox.baseURL,
                    transport: transport,
                    access: OrderAccess(accessToken: { _ in token }, version: version),
                    options: Self.options()
                )
                try await body(sandbox, client, transport)
                await transport.shutdown()
            }
        } catch {
            await sandbox.shutdown()
            throw error
        }
        await sandbox.shutdown()
    }

    /// Plays a payer who pays with a method at once.
    private func pay(
        _ order: OrderResponse,
        _ method: String,
        _ sandbox: SandboxServer,
        _ transport: CurlTransport
    ) async throws {
        let id = try #require(order.id).split(separator: "/").last ?? ""
        let response = try await transport.perform(
            request(
                .post,
                "\(sandbox.baseURL)/sandbox/orders/\(id)/outcome?as=paid&method=\(method)",
                body: ""
            )
        )
        try #require(response.status == 200)
    }

    @Test func `an order is created, paid, partly captured, canceled and reversed at the PSP`()
        async throws
    {
        try await withPSP { sandbox, client, transport in
            let created = try await client.create(Self.document())
            #expect(created.status == .initialized && created.generation == .v3)
            #expect(try created.required(.viewPaymentSession).href.hasPrefix(sandbox.baseURL))
            let id = try #require(created.id)
            #expect(try await client.payment(of: id) == nil)
            try await pay(created, "CreditCard", sandbox, transport)

            let order = try await client.order(id, expanding: ["paid", "urls"])
            #expect(order.isPaid && order.remainingCapture == 10000)
            #expect(order.paid?.details.transactionType == "Authorization")
            #expect(order.urls.complete == "https://shop.example/complete")

            let part = PaymentOrderClient.Amounts(
                payeeReference: "capture1",
                amount: 4000,
                vatAmount: 800,
                description: "Shipment 1"
            )
            let captured = try #require(try await client.capture(part, of: order))
            #expect(captured.remainingCapture == 6000 && captured.remainingReversal == 4000)
            let again = await orderError { () async throws(OrderAPIError) in
                try await client.capture(part, of: captured)
            }
            guard case .problem(.client)? = again else {
                Issue.record("a reference was taken twice: \(String(describing: again))")
                return
            }
            try await client.cancel(captured, payeeReference: "cancel1", description: "Sold out")
            let rest = try await client.order(id)
            #expect(
                await orderError { () async throws(OrderAPIError) in
                    try await client.capture(part, of: rest)
                } == .missingOperation(.capture)
            )
            let back = PaymentOrderClient.Amounts(
                payeeReference: "reversal1",
                amount: 4000,
                vatAmount: 800,
                description: "Returned"
            )
            #expect(try await client.reverse(back, of: rest)?.status == .reversed)
            let all = try await client.order(id, expanding: ["financialTransactions"])
            #expect(
                all.transactions?.map(\.type)
                    == ["Authorization", "Capture", "Cancellation", "Reversal"]
            )
            #expect(all.transactions?.last?.payeeReference == "reversal1")
            let ledger = try #require(
                await sandbox.orderLedger(String(id.split(separator: "/").last ?? ""))
            )
            #expect([ledger.captures, ledger.cancellations, ledger.reversals] == [1, 1, 1])
        }
    }

    @Test func `an order in instrument mode changes its instrument, and an open one is aborted`()
        async throws
    {
        try await withPSP { _, client, _ in
            let locked = try await client.create(Self.document(instrument: "CreditCard"))
            #expect(locked.instrument == .creditCard && locked.isInstrumentMode == true)
            let changed = try await client.setInstrument(.swish, of: locked)
            #expect(changed.instrument == .swish)
            let open = try await client.create(Self.document())
            #expect(
                await orderError { () async throws(OrderAPIError) in
                    try await client.setInstrument(.swish, of: open)
                } == .notInInstrumentMode
            )
            try await client.abort(open, reason: "CancelledByConsumer")
            let aborted = try await client.order(try #require(open.id), expanding: ["aborted"])
            #expect(aborted.status == .aborted && aborted.abortReason == "CancelledByConsumer")
            #expect(
                await orderError { () async throws(OrderAPIError) in
                    try await client.abort(aborted, reason: "x")
                } == .missingOperation(.abortOrder)
            )
        }
    }

    @Test func `an order of the earlier generation is created, changed and paid`() async throws {
        try await withPSP(version: .v2_0) { sandbox, client, transport in
            let document = Self.document(instrument: "CreditCard")
                .replacing(#""productName":"Checkout3","#, with: "")
            let order = try await client.create(document)
            #expect(order.generation == .v2)
            let changed = try await client.setInstrument(.swish, of: order)
            #expect(changed.instrument == .swish)
            try await pay(order, "Swish", sandbox, transport)
            let id = try #require(order.id)
            #expect(try await client.payment(of: id)?.details.transactionType == "Sale")
        }
    }

    @Test func `a refusal of the PSP is decoded into a typed problem`() async throws {
        try await withPSP { _, client, _ in
            let bad = Self.document().replacing(#""amount":10000"#, with: #""amount":-1"#)
            let error = await orderError { () async throws(OrderAPIError) in
                try await client.create(bad)
            }
            guard case .problem(.client(.swedbankPay(.inputError(let details))))? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(!details.problems.isEmpty && details.httpStatus == 400)
            let unknown = "/psp/paymentorders/00000000-0000-4000-8000-000000000000"
            let missing = await orderError { () async throws(OrderAPIError) in
                try await client.order(unknown)
            }
            guard case .problem(.client(.swedbankPay(.notFound)))? = missing else {
                Issue.record("\(String(describing: missing))")
                return
            }
        }
        try await withPSP(token: "wrong") { _, client, _ in
            let error = await orderError { () async throws(OrderAPIError) in
                try await client.create(Self.document())
            }
            guard case .problem(.client)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test func `the engine's requests create, read and capture an order over the wire`()
        async throws
    {
        try await withPSP { sandbox, client, transport in
            let provider = SwedbankPayProvider(
                transport: transport,
                options: Self.options(),
                access: OrderAccess(accessToken: { _ in "let-me-in" })
            )
            let gateway = GatewayAccess(gateway: .psp, root: sandbox.baseURL + "/")
            var bench = try RequestBench()
            func perform(
                _ rel: Rel,
                _ body: OperationBody,
                _ address: String = ""
            ) async throws -> (OrderSnapshot, SecretTable) {
                var request = bench.request(rel, body, address: address)
                request.gateway = gateway
                let response = await provider.perform(request)
                guard case .order(let order, _) = response.outcome else {
                    Issue.record("\(response.outcome)")
                    throw RequestBench.NoSnapshot()
                }
                return (order, response.secrets)
            }
            let submission = OrderSubmission(document: bench.seal(Self.document()))
            let (created, _) = try await perform(.paymentOrders, .order(submission))
            let id = try #require(created.id)
            #expect(created.status == .initialized)
            try await pay(try await client.order(id), "CreditCard", sandbox, transport)
            let (paid, secrets) = try await perform(
                .order,
                .orderQuery(id: id, expanding: ["paid"])
            )
            #expect(paid.status == .paid && paid.paid?.amount == 10000)
            let href = try #require(paid.operations.first { $0.rel == .capture }?.href)
            let capture = TransactionRequest(
                kind: .capture,
                payeeReference: "capture1",
                amount: 10000,
                vatAmount: 2000,
                description: "All"
            )
            let (captured, _) = try await perform(
                .capture,
                .transaction(capture),
                try #require(secrets[href])
            )
            #expect(captured.remainingReversal == 10000)
        }
    }
}
