import Adapters
import HTTPTypes
import SwedbankPay
import Synchronization
import TestSupport
import Testing

@testable import SwedbankPayHTTP

@Suite struct PaymentOrderClientTests {
    private static let base = "https://api.payex.com"

    private func client(
        _ transport: any Transport,
        root: String = Self.base,
        version: OrderAPIVersion = .v3_1,
        token: String? = "token-1"
    ) throws -> PaymentOrderClient {
        try PaymentOrderClient(
            root: root,
            transport: transport,
            access: OrderAccess(accessToken: { _ in token }, version: version)
        )
    }

    @Test func `an order is created with access token, API version and a new session ID`()
        async throws
    {
        let transport = RespondingTransport { _ in .json(OrderFixture.checkout, 201) }
        let client = try client(transport)
        _ = try await client.create(#"{"payeeInfo":{"payeeId":"me"}}"#, payeeReference: "ref17")
        _ = try await client.adding([("Forwarded", "for=192.0.2.1"), ("Authorization", "x")])
            .create("{}")
        let request = try #require(transport.asked.first)
        #expect(transport.lines.first == "POST https://api.payex.com/psp/paymentorders")
        #expect(
            request.text
                == #"{"paymentorder":{"payeeInfo":{"payeeId":"me","payeeReference":"ref17"},"userAgent":"payment-workflow/1"}}"#
        )
        #expect(request.values(of: "Content-Type") == ["application/json;version=3.1"])
        #expect(transport.asked.allSatisfy { $0.values(of: "Authorization") == ["Bearer token-1"] })
        #expect(transport.asked.last?.values(of: "Forwarded") == ["for=192.0.2.1"])
        let sessions = transport.asked.flatMap { $0.values(of: "Session-Id") }
        #expect(sessions.count == 2 && Set(sessions).count == 2)
        #expect(
            sessions.allSatisfy {
                $0.wholeMatch(of: /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/) != nil
            }
        )
    }

    @Test func `each call gets a fresh access token, and without one nothing is sent`() async throws
    {
        let count = Mutex(0)
        let transport = RespondingTransport { _ in .json(OrderFixture.paid) }
        let client = try PaymentOrderClient(
            root: Self.base,
            transport: transport,
            access: OrderAccess(accessToken: { root in
                let number = count.withLock {
                    $0 += 1
                    return $0
                }
                return number < 3 ? "\(root) \(number)" : nil
            })
        )
        _ = try await client.order(OrderFixture.id)
        _ = try await client.order(OrderFixture.id)
        let error = await orderError { () async throws(OrderAPIError) in
            try await client.order(OrderFixture.id)
        }
        #expect(error == .accessUnavailable && transport.asked.count == 2)
        #expect(
            transport.asked.flatMap { $0.values(of: "authorization") }
                == ["Bearer https://api.payex.com 1", "Bearer https://api.payex.com 2"]
        )
    }

    @Test(arguments: ["postpurchaseFailedAttemptList", "postPurchaseFailedAttemptList"])
    func `transactions that failed are read in either spelling, and so is the method's fee`(
        list: String
    ) async throws {
        let body = """
            {"paymentOrder":{"id":"\(OrderFixture.id)","status":"Paid","paid":{"amount":14400,
             "submittedAmount":12500,"feeAmount":1900,"discountAmount":0},
             "postPurchaseFailedAttempts":{"id":"/x","\(list)":[{"created":"2026-01-01T10:00:00Z",
             "type":"Reversal","number":7,"status":"Failed","problem":{"type":"about:blank",
             "title":"Refused","status":403}},{"number":8}]}}}
            """
        let client = try client(RespondingTransport { _ in .json(body) })
        let order = try await client.order(OrderFixture.id)
        #expect(order.failedTransactions?.map(\.type) == ["Reversal"])
        #expect(order.failedTransactions?.first?.problem?.status == 403)
        #expect(order.paid?.details.feeAmount == 1_900)
        #expect(order.paid?.details.submittedAmount == 12_500)
    }

    @Test func `an order is read with the requested parts, and shows how it was paid`() async throws
    {
        let transport = RespondingTransport { _ in .json(OrderFixture.paid) }
        let client = try client(transport, root: Self.base + "/")
        let order = try await client.order(OrderFixture.id, expanding: ["paid", "history"])
        #expect(
            transport.lines
                == ["GET https://api.payex.com\(OrderFixture.id)?$expand=paid,history"]
        )
        #expect(transport.asked.first?.body == nil)
        #expect(order.status == .paid && order.amount == 12500 && order.vatAmount == 2500)
        #expect(order.remainingCapture == 12500 && order.remainingReversal == nil)
        #expect(order.urls.hosts == ["https://shop.example/"])
        #expect(order.paid?.details.transactionType == "Authorization")
        #expect(order.paid?.tokens.map(\.type) == ["payment"])
        #expect(order.failedAttempts?.first?.problem?.status == 403)
        #expect(
            order.transactions == [
                FinancialTransaction(
                    type: "Authorization",
                    number: 333_333_333,
                    payeeReference: "100000000017",
                    amount: 12500,
                    vatAmount: 2500
                )
            ]
        )
        #expect(try await client.payment(of: OrderFixture.id)?.details.amount == 12500)
        let open = try self.client(RespondingTransport { _ in .json(OrderFixture.checkout) })
        #expect(try await open.payment(of: OrderFixture.id) == nil)
    }

    @Test func `capture and cancel use the order's links, each with its own payee reference`()
        async throws
    {
        let transport = RespondingTransport { request in
            request.method == .get ? .json(OrderFixture.paid) : .json(OrderFixture.paid, 201)
        }
        let client = try client(transport)
        let order = try await client.order(OrderFixture.id)
        let amounts = PaymentOrderClient.Amounts(
            payeeReference: "100000000018",
            amount: 500,
            vatAmount: 100,
            description: "Shipment 1",
            receiptReference: "R1",
            orderItems: #"[{"quantity":1.5}]"#
        )
        #expect(try await client.capture(amounts, of: order)?.isPaid == true)
        try await client.cancel(order, payeeReference: "100000000019", description: "Sold out")
        #expect(
            transport.lines.suffix(2) == [
                "POST https://api.payex.com\(OrderFixture.id)/captures",
                "POST https://api.payex.com\(OrderFixture.id)/cancellations",
            ]
        )
        #expect(
            transport.asked.suffix(2).map(\.text) == [
                #"{"transaction":{"amount":500,"description":"Shipment 1","orderItems":[{"quantity":1.5}],"payeeReference":"100000000018","receiptReference":"R1","vatAmount":100}}"#,
                #"{"transaction":{"description":"Sold out","payeeReference":"100000000019"}}"#,
            ]
        )
        #expect(transport.asked.last?.overallDeadline == .seconds(30))
    }

    @Test func `the access token is sent to the API's own origin and nowhere else`() async throws {
        let transport = RespondingTransport { _ in .json(OrderFixture.paid) }
        let client = try client(transport)
        var order = try await client.order(OrderFixture.id)
        let amounts = PaymentOrderClient.Amounts(
            payeeReference: "1",
            amount: 1,
            vatAmount: 0,
            description: "x"
        )
        for href in [
            "https://evil.example/x", "https://sub.api.payex.com/x", "https://api.payex.com:444/x",
            "https://api.payex.com@evil.example/x", "https://api.payex.com.evil.example/x",
            "//evil.example/x", "https://api.payex.com\\@evil.example/", "",
        ] {
            order.operations = [OrderOperation(rel: .reversal, href: href)]
            let stray = order
            let error = await orderError { () async throws(OrderAPIError) in
                try await client.reverse(amounts, of: stray)
            }
            switch error {
            case .foreignDomain?, .malformedLink?: break
            default: Issue.record("\(href): \(String(describing: error))")
            }
        }
        #expect(transport.asked.count == 1)
        order.operations = [OrderOperation(rel: .reversal, href: "http://API.payex.com:80/x")]
        let same = order
        #expect(try await client.reverse(amounts, of: same) != nil)
        #expect(transport.lines.last == "POST https://api.payex.com/x")
    }

    @Test func `a capture whose response holds only a transaction returns no order`() async throws {
        let transport = RespondingTransport { request in
            request.method == .get
                ? .json(OrderFixture.paid)
                : .json(#"{"payment":"/psp/x","capture":{"transaction":{"state":"Completed"}}}"#)
        }
        let client = try client(transport, version: .v3_0)
        let order = try await client.order(OrderFixture.id)
        let response = try await client.capture(
            .init(payeeReference: "1", amount: 1, vatAmount: 0, description: "x"),
            of: order
        )
        #expect(response == nil)
        #expect(
            transport.asked.last?.values(of: "content-type") == ["application/json;version=3.0"]
        )
    }

    @Test func `an order is updated, changed and aborted at the PSP itself`() async throws {
        let transport = RespondingTransport { _ in .json(OrderFixture.checkout) }
        let client = try client(transport)
        var order = try await client.order(OrderFixture.id)
        _ = try await client.setInstrument(.swish, of: order)
        try await client.abort(order, reason: "Out of stock")
        let without = order
        #expect(
            await orderError { () async throws(OrderAPIError) in
                try await client.update(without, amount: 1, vatAmount: 0)
            } == .missingOperation(.updateOrder)
        )
        order.operations.append(
            OrderOperation(rel: .updatePaymentOrder, href: Self.base + OrderFixture.id)
        )
        try await client.update(order, amount: 200, vatAmount: 50, orderItems: "[]")
        #expect(
            transport.asked.dropFirst().map(\.text) == [
                #"{"paymentorder":{"instrument":"Swish","operation":"SetInstrument"}}"#,
                #"{"paymentorder":{"abortReason":"Out of stock","operation":"Abort"}}"#,
                #"{"paymentorder":{"amount":200,"operation":"UpdateOrder","orderItems":[],"vatAmount":50}}"#,
            ]
        )
        #expect(transport.asked.dropFirst().allSatisfy { $0.method == .patch })
        let items = order
        #expect(
            await orderError { () async throws(OrderAPIError) in
                try await client.update(items, amount: 1, vatAmount: 0, orderItems: "{}")
            } == .malformedValue("the order items")
        )
    }

    @Test func `tokens are listed by payer and deleted one by one`() async throws {
        let transport = RespondingTransport { request in
            request.method == .patch
                ? .json("{}")
                : .json(
                    #"{"payerOwnedTokens":{"payerReference":"p","tokens":[{"tokenType":"recurrence","token":"t-1","instrument":"CreditCard"}]}}"#
                )
        }
        let client = try client(transport)
        let tokens = try await client.tokens(of: "p")
        #expect(tokens.tokens.map(\.type) == ["recurrence"])
        _ = try await client.paymentTokens(of: "p?q")
        try await client.delete("t-1", kind: .recurrence, comment: "gone")
        #expect(
            transport.lines == [
                "GET https://api.payex.com/psp/paymentorders/payerownedtokens/p",
                "GET https://api.payex.com/psp/paymentorders/payerownedpaymenttokens/p%3Fq",
                "PATCH https://api.payex.com/psp/paymentorders/recurrencetokens/t-1",
            ]
        )
        for reference in ["", "..", String(repeating: "a", count: 300)] {
            let error = await orderError { () async throws(OrderAPIError) in
                try await client.tokens(of: reference)
            }
            #expect(error == .malformedValue("the payer's reference"))
        }
    }

    @Test(.guarantee(.noSecretOutside))
    func `no error shows the access token or an address`() async throws {
        let responses: [TransportResponse] = [
            .json(#"{"detail":"Bearer token-1"}"#, 403), .json("token-1", 500, type: "text/plain"),
            .json("token-1"),
        ]
        for response in responses {
            let client = try client(RespondingTransport { _ in response })
            let error = await orderError { () async throws(OrderAPIError) in
                try await client.order(OrderFixture.id)
            }
            var text = "\(String(describing: error))"
            dump(error, to: &text)
            #expect(!text.contains("token-1") && !text.contains("payex.com/psp/paymentorders"))
        }
    }
}
