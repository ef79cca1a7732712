import Adapters
import HTTPTypes
import SwedbankPay
import Synchronization
import TestSupport
import Testing

@testable import SwedbankPayHTTP

@Suite struct MerchantBackendClientTests {
    private static let root = "https://shop.example/api/"

    /// Returns a backend with a root document and one response for everything else.
    private static func backend(
        _ response: TransportResponse,
        root: TransportResponse = .json(OrderFixture.root)
    ) -> RespondingTransport {
        RespondingTransport { request in request.url == Self.root ? root : response }
    }

    private func client(
        _ transport: RespondingTransport,
        access: OrderAccess = OrderAccess()
    ) throws -> MerchantBackendClient {
        try MerchantBackendClient(root: Self.root, transport: transport, access: access)
    }

    @Test func `the backend's endpoints are requested once while the response is valid`()
        async throws
    {
        let kept = Self.backend(
            .json(OrderFixture.checkout),
            root: .json(OrderFixture.root, headers: [.cacheControl: "max-age=60"])
        )
        let client = try client(kept)
        #expect(
            try await client.endpoints()
                == MerchantBackendEndpoints(
                    consumers: "https://shop.example/api/consumers",
                    orders: "https://shop.example/api/paymentorders"
                )
        )
        _ = try await client.create(#"{"amount":1}"#)
        #expect(
            kept.lines == [
                "GET https://shop.example/api/", "POST https://shop.example/api/paymentorders",
            ]
        )

        let forgotten = Self.backend(.json(OrderFixture.checkout))
        let other = try self.client(forgotten)
        _ = try await other.create("{}")
        _ = try await other.create("{}")
        #expect(forgotten.lines.count { $0.hasPrefix("GET") } == 2)
    }

    @Test(
        .feature("I-05"),
        arguments: [
            #"{"paymentorders":"https://evil.example/orders"}"#,
            #"{"paymentorders":"//evil.example/orders"}"#,
            #"{"paymentorders":"orders","consumers":"https://evil.example/c"}"#,
            #"{"paymentorders":"https://shop.example.evil.example/"}"#,
        ]
    ) func `a link outside the allowed domains is never called`(_ root: String) async throws {
        let transport = Self.backend(.json(OrderFixture.checkout), root: .json(root))
        let client = try client(transport)
        let error = await orderError { () async throws(OrderAPIError) in
            try await client.create("{}")
        }
        guard case .foreignDomain(let host)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(host.hasSuffix("evil.example"))
        #expect(error?.code == "order.foreign-domain" && error?.reach == .notSent)
        #expect(transport.asked.count == 1)
    }

    @Test func `a custom domain list replaces the backend's own domain, even for its root`()
        async throws
    {
        var access = OrderAccess()
        access.allowList = LinkAllowList([
            LinkAllowList.Entry("orders.example", includesSubdomains: false)
        ])
        let transport = Self.backend(.json(OrderFixture.checkout))
        let client = try client(transport, access: access)
        let error = await orderError { () async throws(OrderAPIError) in
            try await client.endpoints()
        }
        #expect(error == .foreignDomain(host: "shop.example") && transport.asked.isEmpty)
    }

    @Test(arguments: [
        "", "shop.example", "http://shop.example/", "https://a:b@shop.example/",
        "https://shop.example/?a", "https://shop.example/#a", "ftp://shop.example/",
    ]) func `a root that may not be called is refused`(_ root: String) {
        // Plain http is upgraded to https, as in all links.
        let isUpgraded = root == "http://shop.example/"
        let client = try? MerchantBackendClient(
            root: root,
            transport: Self.backend(.json("{}"))
        )
        #expect((client != nil) == isUpgraded)
    }

    @Test func `an order is sent in its wrapper, with the instrument and the profile merged in`()
        async throws
    {
        let transport = Self.backend(.json(OrderFixture.checkout, 201))
        let order = try await client(transport).create(
            #"{"paymentOrder":{"amount":100,"initiatingSystemUserAgent":"x","payer":{"payerReference":"p-1","email":"a@b.example"},"metadata":{"k":1.5}}}"#,
            instrument: .swish,
            consumerProfileRef: "profile-1"
        )
        let request = try #require(transport.asked.last)
        #expect(
            request.text
                == #"{"paymentorder":{"amount":100,"instrument":"Swish","metadata":{"k":1.5},"payer":{"consumerProfileRef":"profile-1","email":"a@b.example","payerReference":"p-1"},"userAgent":"payment-workflow/1"}}"#
        )
        #expect(request.values(of: "content-type") == ["application/json"])
        #expect(request.values(of: "authorization").isEmpty)
        #expect(order.id == OrderFixture.id && order.generation == .v3)
        #expect(order.availableInstruments == [.creditCard, .swish])
        #expect(
            order.operations.map(\.rel.rawValue)
                == ["view-checkout", "view-paymentsession", "set-instrument", "abort"]
        )
    }

    @Test(arguments: ["", "[]", "7", "{", #"{"a":"#])
    func `a document that is not a JSON object is not sent`(
        _ document: String
    ) async throws {
        let transport = Self.backend(.json(OrderFixture.checkout))
        let client = try client(transport)
        let error = await orderError { () async throws(OrderAPIError) in
            try await client.create(document)
        }
        #expect(error == .malformedValue("the order's document") && transport.asked.isEmpty)
    }

    @Test(.feature("O-12"))
    func `an order of the later generation is changed through the backend's patch address`()
        async throws
    {
        let transport = Self.backend(.json(OrderFixture.checkout))
        let client = try client(transport)
        let order = try await client.create("{}")
        _ = try await client.setInstrument(.swish, of: order)
        try await client.abort(order, reason: "CancelledByConsumer")
        let href = "https://api.payex.com\(OrderFixture.id)"
        let changes = transport.asked.suffix(2)
        #expect(changes.map(\.method) == [.patch, .patch])
        #expect(
            changes.map(\.url) == [
                "https://shop.example/api/patch", "https://shop.example/api/patch",
            ]
        )
        #expect(
            changes.map(\.text) == [
                #"{"href":"\#(href)","paymentorder":{"instrument":"Swish","operation":"SetInstrument"}}"#,
                #"{"href":"\#(href)","paymentorder":{"abortReason":"CancelledByConsumer","operation":"Abort"}}"#,
            ]
        )
    }

    @Test(.feature("O-12"))
    func `the instrument of an earlier-generation order is changed through the order's own link`()
        async throws
    {
        let transport = Self.backend(.json(OrderFixture.earlier))
        let client = try client(transport)
        let order = try await client.create("{}")
        #expect(order.generation == .v2 && order.isInstrumentMode == true)
        #expect(
            order.availableInstruments.map(\.rawValue) == [
                "CreditCard", "Invoice-PayExFinancingSe",
            ]
        )
        _ = try await client.setInstrument(.creditCard, of: order)
        let change = try #require(transport.asked.last)
        #expect(
            change.method == .patch
                && change.url == "https://shop.example/orders/123/setInstrument"
        )
        #expect(
            change.text
                == #"{"paymentorder":{"instrument":"CreditCard","operation":"SetInstrument"}}"#
        )
    }

    @Test
    func `an operation that the order does not offer is named in the error, and nothing is sent`()
        async throws
    {
        let transport = Self.backend(.json(#"{"paymentOrder":{"id":"x"},"operations":[]}"#))
        let client = try client(transport)
        var order = try await client.create("{}")
        let count = transport.asked.count
        let plain = order
        #expect(
            await orderError { () async throws(OrderAPIError) in
                try await client.setInstrument(.swish, of: plain)
            } == .notInInstrumentMode
        )
        #expect(
            await orderError { () async throws(OrderAPIError) in
                try await client.abort(plain, reason: "x")
            } == .missingOperation(.abortOrder)
        )
        #expect(throws: OrderAPIError.missingOperation(.viewCheckout)) {
            try plain.required(.viewCheckout)
        }
        order.isInstrumentMode = true
        let locked = order
        #expect(
            await orderError { () async throws(OrderAPIError) in
                try await client.setInstrument(.swish, of: locked)
            } == .missingOperation(.setInstrument)
        )
        #expect(transport.asked.count == count)
    }

    @Test func `an order is read by its path alone, with the requested parts expanded`()
        async throws
    {
        let transport = Self.backend(.json(OrderFixture.paid))
        let client = try client(transport)
        let order = try await client.order(OrderFixture.id, expanding: ["paid", "failedAttempts"])
        #expect(transport.lines == ["POST https://shop.example/api/expand"])
        #expect(
            transport.asked.last?.text
                == #"{"expand":["paid","failedAttempts"],"resource":"\#(OrderFixture.id)"}"#
        )
        #expect(order.isPaid)
        for id in [
            "@evil.example/x", "/psp/paymentorders/a/../b", "/psp/paymentorders/", "",
            "https://evil.example/psp/paymentorders/a",
        ] {
            let error = await orderError { () async throws(OrderAPIError) in
                try await client.order(id)
            }
            #expect(error?.code == "order.malformed-value")
        }
        let error = await orderError { () async throws(OrderAPIError) in
            try await client.order(OrderFixture.id, expanding: ["paid&x=1"])
        }
        #expect(error?.code == "order.malformed-value" && transport.asked.count == 1)
    }

    @Test func `a check-in is started with its operation, language and shipping countries`()
        async throws
    {
        let transport = Self.backend(
            .json(
                #"{"token":"t","operations":[{"rel":"redirect-consumer-identification","method":"GET","href":"https://ecom.payex.com/r"},{"rel":"view-consumer-identification","method":"GET","href":"https://ecom.payex.com/c","contentType":"application/javascript"}]}"#
            )
        )
        let checkIn = try await client(transport).startCheckIn(
            language: "sv-SE",
            shippingCountries: ["SE", "NO"]
        )
        #expect(checkIn.view?.href == "https://ecom.payex.com/c")
        #expect(checkIn.redirect?.href == "https://ecom.payex.com/r" && checkIn.token == "t")
        #expect(transport.lines.last == "POST https://shop.example/api/consumers")
        #expect(
            transport.asked.last?.text
                == #"{"language":"sv-SE","operation":"initiate-consumer-session","shippingAddressRestrictedToCountryCodes":["SE","NO"]}"#
        )
        let without = Self.backend(.json("{}"), root: .json(#"{"paymentorders":"o"}"#))
        let client = try client(without)
        let error = await orderError { () async throws(OrderAPIError) in
            try await client.startCheckIn(language: "sv-SE", shippingCountries: [])
        }
        #expect(error == .missingOperation(.consumers))
    }
}
