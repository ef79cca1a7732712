import HTTPTypes
import SwedbankPay
import Synchronization
import TestSupport
import Testing

@testable import Adapters

/// What is added to requests, and how unexpected responses are classified.
@Suite struct MerchantBackendAccessTests {
    private static let root = "https://shop.example/api/"

    private func client(
        _ transport: any Transport,
        access: OrderAccess = OrderAccess()
    ) throws -> MerchantBackendClient {
        try MerchantBackendClient(root: Self.root, transport: transport, access: access)
    }

    private func failure(
        of response: TransportResponse
    ) async throws -> OrderAPIError? {
        let client = try client(RespondingTransport { _ in response })
        return await orderError { () async throws(OrderAPIError) in
            try await client.order(OrderFixture.id)
        }
    }

    @Test func `each request carries headers that were made for it`() async throws {
        let calls = Mutex<[String]>([])
        let access = OrderAccess(headers: { call in
            let number = calls.withLock {
                $0.append("\(call.method) \(call.address) \(call.root)")
                return $0.count
            }
            return [("X-User", "user-\(number)"), ("accept", "application/json")]
        })
        let transport = RespondingTransport { _ in .json(OrderFixture.paid) }
        let client = try client(transport, access: access).adding([("X-Trace", "t-1")])
        _ = try await client.order(OrderFixture.id)
        _ = try await client.order(OrderFixture.id)
        #expect(transport.asked.map { $0.values(of: "x-user") } == [["user-1"], ["user-2"]])
        #expect(transport.asked.allSatisfy { $0.values(of: "X-Trace") == ["t-1"] })
        #expect(transport.asked.allSatisfy { $0.values(of: "Accept") == ["application/json"] })
        #expect(
            calls.withLock { $0.first }
                == "POST https://shop.example/api/expand https://shop.example/api/"
        )
    }

    @Test func `nothing is sent when the host cannot provide its headers`() async throws {
        struct Refusal: Error {}
        let transport = RespondingTransport { _ in .json(OrderFixture.paid) }
        let refusing = try client(transport, access: OrderAccess(headers: { _ in throw Refusal() }))
        let canceled = try client(
            transport,
            access: OrderAccess(headers: { _ in throw CancellationError() })
        )
        #expect(
            await orderError { () async throws(OrderAPIError) in
                try await refusing.order(OrderFixture.id)
            } == .accessUnavailable
        )
        #expect(
            await orderError { () async throws(OrderAPIError) in
                try await canceled.order(OrderFixture.id)
            } == .network(TransportFailure(reach: .notSent, kind: .canceled))
        )
        #expect(transport.asked.isEmpty)
    }

    @Test(arguments: [
        ("Authorization", "Bearer a\n", "header value"), ("X User", "anna", "header name"),
        ("X-User", "anna\r\nX-Admin: yes", "header value"),
    ]) func `headers that cannot be sent are refused, not mended`(
        name: String,
        value: String,
        part: String
    ) async throws {
        let transport = RespondingTransport { _ in .json(OrderFixture.paid) }
        let refusal = OrderAPIError.network(
            TransportFailure(reach: .notSent, kind: .refusedRequest(part))
        )
        let provided = try client(transport, access: OrderAccess(headers: { _ in [(name, value)] }))
        let added = try client(transport).adding([(name, value)])
        for client in [provided, added] {
            let error = await orderError { () async throws(OrderAPIError) in
                try await client.order(OrderFixture.id)
            }
            #expect(error == refusal)
        }
        #expect(transport.asked.isEmpty)
    }

    @Test func `any 2xx status is a success`() async throws {
        for status in [200, 201, 202, 206, 299] {
            let client = try client(RespondingTransport { _ in .json(OrderFixture.paid, status) })
            #expect(try await client.order(OrderFixture.id).id == OrderFixture.id)
        }
    }

    @Test(arguments: [
        ("", "application/json"), ("[]", "application/json"), ("{}", "application/json"),
        ("<html>", "text/html"), (OrderFixture.paid, "text/html"), ("{", "application/json"),
        (#"{"paymentOrder":7}"#, "application/json"),
    ]) func `a successful response without an order is unexpected content`(
        _ body: String,
        _ type: String
    ) async throws {
        let error = try await failure(of: .json(body, type: type))
        guard case .problem(.server(.unexpectedContent(let content)))? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(content.status == 200 && content.contentType == type)
        #expect(content.body == Array(body.utf8) && error?.code == "order.unexpected-content")
    }

    @Test func `a JSON content type with parameters, or none at all, is accepted`() async throws {
        for type in [
            "application/json; charset=utf-8; version=3.1", "Application/JSON",
            "application/hal+json", nil,
        ] {
            #expect(try await failure(of: .json(OrderFixture.paid, type: type)) == nil)
        }
    }

    @Test func `a response beyond the limits is unexpected content`() async throws {
        let operations = String(
            repeating: #"{"rel":"x","href":"https://a.example/"},"#,
            count: ResponseLimits().operations + 1
        ).dropLast()
        let many = #"{"paymentOrder":{"id":"x"},"operations":[\#(operations)]}"#
        let deep =
            #"{"paymentOrder":"# + String(repeating: "[", count: 40)
            + String(repeating: "]", count: 40) + "}"
        for body in [many, deep] {
            #expect(try await failure(of: .json(body))?.code == "order.unexpected-content")
        }
    }

    @Test func `a refusal is decoded into a typed problem`() async throws {
        let error = try await failure(
            of: .json(
                #"{"type":"https://api.payex.com/psp/errordetail/mobilesdk/unauthorized","status":401}"#,
                401,
                type: "application/problem+json"
            )
        )
        guard case .problem(.client(.mobileSDK(.unauthorized)))? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(error?.code == "order.problem" && error?.reach == .responded)
        #expect(error?.isTransient == false)
    }

    @Test func `a failure of the network says how far the request got`() async throws {
        let failure = TransportFailure(reach: .maybeSent, kind: .timedOut, curlCode: 28)
        let client = try client(ScriptedTransport(.failure(failure)))
        let error = await orderError { () async throws(OrderAPIError) in
            try await client.create("{}")
        }
        #expect(error == .network(failure) && error?.code == "http.timeout")
        #expect(error?.reach == .maybeSent && error?.isTransient == true)
    }

    @Test func `the tokens of an order are reported only as existing or not`() async throws {
        let transport = RespondingTransport { _ in .json(#"{"recurrence":true}"#) }
        let existence = try await client(transport).tokens(of: OrderFixture.id)
        #expect(existence == .init(recurrence: true, unscheduled: false))
        #expect(transport.lines == ["POST https://shop.example/api/tokens"])
        #expect(
            transport.asked.first?.text
                == #"{"expand":["paid"],"resource":"\#(OrderFixture.id)"}"#
        )
        let none = try client(RespondingTransport { _ in .json("{}") })
        #expect(
            try await none.tokens(of: OrderFixture.id)
                == .init(recurrence: false, unscheduled: false)
        )
    }

    @Test(.feature("O-16"))
    func `a payer's tokens are listed, and deleted over the backend's link`() async throws {
        let list = """
            {"payerOwnedPaymentTokens":{"id":"/psp/x","payerReference":"payer 42","paymentTokens":[
             {"paymentToken":"tok-1","instrument":"CreditCard","instrumentDisplayName":"492500******0004",
              "instrumentParameters":{"cardBrand":"Visa","expiryDate":"12/2030","odd":7},
              "operations":[{"rel":"delete-paymenttokens","method":"PATCH","href":"https://api.payex.com/x"}],
              "mobileSDK":{"delete":"/payers/42/tokens/1"}},
             {"paymentToken":"tok-2"},{"instrument":"CreditCard"}]},"operations":[]}
            """
        let transport = RespondingTransport { request in
            request.method == .get ? .json(list) : .json("", 204, type: nil)
        }
        let client = try client(transport)
        let tokens = try await client.paymentTokens(of: "payer 42/../x")
        #expect(
            transport.lines == [
                "GET https://shop.example/api/payers/payer%2042%2F..%2Fx/paymentTokens"
            ]
        )
        #expect(
            tokens.payerReference == "payer 42" && tokens.tokens.map(\.token) == ["tok-1", "tok-2"]
        )
        #expect(tokens.tokens[0].parameters == ["cardBrand": "Visa", "expiryDate": "12/2030"])
        try await client.delete(tokens.tokens[0], comment: "asked")
        #expect(transport.lines.last == "PATCH https://shop.example/payers/42/tokens/1")
        #expect(transport.asked.last?.text == #"{"comment":"asked","state":"Deleted"}"#)
        let error = await orderError { () async throws(OrderAPIError) in
            try await client.delete(tokens.tokens[1], comment: "asked")
        }
        #expect(error == .missingOperation(.deletePaymentTokens))
        var stray = tokens.tokens[0]
        stray.deletion = "https://evil.example/x"
        let stolen = stray
        let refused = await orderError { () async throws(OrderAPIError) in
            try await client.delete(stolen, comment: "asked")
        }
        #expect(refused == .foreignDomain(host: "evil.example") && transport.asked.count == 2)
    }

    @Test func `descriptions do not show the contents of orders and tokens`() async throws {
        let client = try client(RespondingTransport { _ in .json(OrderFixture.paid) })
        let order = try await client.order(OrderFixture.id)
        var text = "\(order) \(String(reflecting: order)) \(order.operations)"
        dump(order, to: &text)
        dump(order.paid, to: &text)
        dump(PayerToken(token: "SECRET"), to: &text)
        for secret in ["12345678-1234", "https://", "SECRET"] { #expect(!text.contains(secret)) }
    }
}
