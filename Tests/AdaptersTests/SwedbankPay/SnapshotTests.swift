import EventLog
import SwedbankPay
import TestSupport
import Testing

@testable import Adapters

@Suite struct SnapshotTests {
    let bench: RequestBench

    init() throws { bench = try RequestBench() }

    /// The example response of the protocol.
    static let illustrative = #"""
        {"paymentSession": {
            "culture": "sv-SE", "instrumentModePaymentMethod": null,
            "settings": { "enabledPaymentMethods": ["Swish", "CreditCard", "Trustly"] },
            "urls": {
              "completeUrl": "https://shop.example/complete",
              "cancelUrl": "https://shop.example/cancel",
              "paymentUrl": "https://shop.example/pay?id=7f0c",
              "hostUrls": ["https://shop.example/"], "termsOfServiceUrl": null },
            "methods": [
              { "paymentMethod": "Swish", "prefills": [{ "rank": 1, "msisdn": "+46739000001" }],
                "operations": [{ "rel": "expand-method", "method": "POST", "href": "https://host/a" }] },
              { "paymentMethod": "CreditCard", "cardBrands": ["Visa", "MasterCard"],
                "prefills": [{ "rank": 1, "paymentToken": "tok", "cardBrand": "Visa",
                  "maskedPan": "492500******0004", "expiryDate": "2030-12-31T00:00:00Z" }],
                "operations": [{ "rel": "expand-method", "method": "POST", "href": "https://host/b" }] },
              { "paymentMethod": "Trustly" } ] },
          "operations": [
            { "rel": "customize-payment", "method": "POST", "href": "https://host/c" },
            { "rel": "abort-payment", "method": "POST", "href": "https://host/d" },
            { "rel": "view-payment", "method": "GET", "href": "https://host/e" },
            { "rel": "event-logging", "method": "POST", "href": "https://host/f" } ],
          "problem": null }
        """#

    @Test(.feature("N-08")) func `the protocol's own example is read completely`() async throws {
        let (snapshot, secrets) = try await bench.snapshot(Self.illustrative)
        var bench = bench
        func link(_ rel: Rel, _ letter: String, _ method: String = "POST") -> Operation {
            Operation(rel: rel, method: method, href: bench.seal("https://host/" + letter))
        }
        let wanted = Snapshot(
            culture: "sv-SE",
            methods: [
                OfferedMethod(
                    name: .swish,
                    prefills: [
                        .swish(rank: 1, msisdn: bench.seal("+46739000001"), masked: "+46•••••0001")
                    ],
                    operations: [link(.expandMethod, "a")]
                ),
                OfferedMethod(
                    name: .creditCard,
                    prefills: [
                        .card(
                            SavedCard(
                                rank: 1,
                                token: bench.seal("tok"),
                                brand: "Visa",
                                maskedPan: "492500******0004",
                                expiry: CardExpiry(year: 2030, month: 12)
                            )
                        )
                    ],
                    operations: [link(.expandMethod, "b")],
                    cardBrands: ["Visa", "MasterCard"]
                ),
                OfferedMethod(name: PaymentMethodName(rawValue: "Trustly")),
            ],
            enabledMethods: [.swish, .creditCard, PaymentMethodName(rawValue: "Trustly")],
            urls: OrderURLs(
                complete: "https://shop.example/complete",
                cancel: "https://shop.example/cancel",
                payment: .sealed(bench.seal("https://shop.example/pay?id=7f0c")),
                hosts: ["https://shop.example/"]
            ),
            operations: [
                link(.customizePayment, "c"), link(.abortPayment, "d"),
                link(.viewPayment, "e", "GET"), link(.eventLogging, "f"),
            ]
        )
        #expect(snapshot == wanted)
        #expect(secrets[link(.abortPayment, "d").href!] == "https://host/d")
    }

    @Test func `a malformed element is dropped alone, and kept for the audit`() async throws {
        let (snapshot, secrets) = try await bench.snapshot(
            #"""
            {"paymentSession":{"culture":5,"methods":[
                7, {"paymentMethod":null}, {"paymentMethod":["Swish"]},
                {"paymentMethod":"Swish","prefills":[{"rank":"x","msisdn":"+46739000001"},
                    {"rank":2,"msisdn":"+46739000002"}, {"rank":3}, null],
                 "operations":[{"rel":"expand-method","href":{}},
                    {"rel":"start-payment-attempt","href":"https://host/s","next":"TRUE","tasks":"none"},
                    "x", {"href":"https://host/norel"}]}],
              "urls":{"completeUrl":1,"cancelUrl":"https://shop.example/cancel","hostUrls":[3,"https://h/"]},
              "settings":[]},
             "operations":{"rel":"abort-payment"}}
            """#,
            knownURLs: OrderURLs(
                complete: "https://shop.example/complete",
                cancel: "https://shop.example/cancel"
            )
        )
        let method = try #require(snapshot.methods.first)
        #expect(snapshot.methods.count == 1 && method.name == .swish)
        #expect(method.prefills.map(\.rank) == [2])
        #expect(method.operations.map(\.rel) == [.startPaymentAttempt])
        #expect(method.operations.first?.isNext == true)
        #expect(snapshot.culture == nil && snapshot.urls.complete == nil)
        #expect(snapshot.urls.cancel == "https://shop.example/cancel")
        #expect(snapshot.urls.hosts == ["https://h/"] && snapshot.operations.isEmpty)
        let unknown = try #require(snapshot.unknown.flatMap { secrets[$0] })
        let kept = try ForeignJSON(parsing: Array(unknown.utf8), maximumDepth: 32)
        #expect(
            kept.object?.keys.sorted() == [
                "/operations", "/paymentSession/culture", "/paymentSession/methods/0",
                "/paymentSession/methods/1", "/paymentSession/methods/2",
                "/paymentSession/methods/3/operations/0",
                "/paymentSession/methods/3/operations/1/tasks",
                "/paymentSession/methods/3/operations/2",
                "/paymentSession/methods/3/operations/3",
                "/paymentSession/methods/3/prefills/0", "/paymentSession/methods/3/prefills/2",
                "/paymentSession/methods/3/prefills/3", "/paymentSession/settings",
                "/paymentSession/urls/completeUrl", "/paymentSession/urls/hostUrls/0",
            ]
        )
    }

    /// Members of a first response without which it is unknown whether, and how, the order can be
    /// paid.
    static let wrongTypes = [
        #"{"paymentSession":{"urls":5}}"#,
        #"{"paymentSession":{"urls":["https://shop.example/complete"]}}"#,
        #"{"paymentSession":{"urls":{"completeUrl":5,"cancelUrl":"https://s/x"}}}"#,
        #"{"paymentSession":{"urls":{"completeUrl":"https://s/c","cancelUrl":{}}}}"#,
        #"{"paymentSession":{"urls":{"completeUrl":"https://s/c","cancelUrl":"https://s/x","paymentUrl":[]}}}"#,
        #"{"paymentSession":{"methods":{"paymentMethod":"Swish"}}}"#,
        #"{"paymentSession":{},"operations":"none"}"#,
    ]

    @Test(arguments: wrongTypes)
    func `a wrongly typed URL or list makes a first response undecodable, not a later one`(
        body: String
    ) async throws {
        let first = await bench.respond(body: body)
        guard case .undecodable(200, let raw?) = first.outcome else {
            Issue.record("the session would end of \(first.outcome)")
            return
        }
        #expect(first.secrets[raw] == body)
        // Later, known values remain in force.
        let known = OrderURLs(
            complete: "https://s/c",
            cancel: "https://s/x",
            payment: "https://s/p"
        )
        let (later, secrets) = try await bench.snapshot(body, knownURLs: known)
        #expect(later.urls.completed(by: known).payment == "https://s/p")
        #expect(later.unknown.flatMap { secrets[$0] } != nil)
    }

    @Test func `URLs and lists missing from a first response are absent, not wrong`()
        async throws
    {
        let (snapshot, _) = try await bench.snapshot(
            #"{"paymentSession":{"urls":{"completeUrl":null,"paymentUrl":""},"methods":null},"operations":null}"#
        )
        #expect(snapshot.urls == OrderURLs() && snapshot.methods.isEmpty)
    }

    @Test
    func `unknown members are kept under their JSON pointers, in whatever order they arrived`()
        async throws
    {
        for body in [
            #"{"zebra":1.5,"paymentSession":{"a/b":[null,true],"methods":[{"paymentMethod":"Swish","autoClick":false}]},"x":null}"#,
            #"{"paymentSession": {"methods":[{"autoClick":false, "paymentMethod":"Swish"}], "a/b":[null,true]}, "zebra":1.5}"#,
        ] {
            let (snapshot, secrets) = try await bench.snapshot(body)
            #expect(
                snapshot.unknown.flatMap { secrets[$0] }
                    == #"{"/paymentSession/a~1b":[null,true],"/paymentSession/methods/0/autoClick":false,"/zebra":1.5}"#
            )
        }
    }

    @Test func `an unknown operation is kept unchanged, with its next flag`() async throws {
        let (snapshot, _) = try await bench.snapshot(
            #"{"paymentSession":{},"operations":[{"rel":"pay-by-dance","next":true,"method":"PUT"}]}"#
        )
        #expect(
            snapshot.operations == [
                Operation(rel: Rel(rawValue: "pay-by-dance"), method: "PUT", isNext: true)
            ]
        )
    }

    @Test func `an operation's expected values are read, whatever their declared type`()
        async throws
    {
        let (snapshot, secrets) = try await bench.snapshot(
            #"""
            {"paymentSession":{},"operations":[{"rel":"create-authentication","href":"https://h/a",
              "expects":[{"name":"NotificationUrl","type":"string","value":"https://n/"},
                {"name":"methodCompletionIndicator","type":"string","value":"Y"},
                {"name":"flag","type":"bool","value":"True"},{"name":"flag2","type":"bool","value":false},
                {"name":"text","type":"string","value":"true"},{"name":"untyped","value":"abc"},
                {"name":"list","type":"string[]","value":["visa","amex"]},
                {"name":"nothing","type":"string","value":null},{"name":"n","type":"number","value":7},
                {"name":"odd","type":"string","value":{"a":1}},{"type":"string","value":"nameless"}],
              "tasks":[{"rel":"sca-method-request","href":"https://acs/m","method":"POST",
                "contentType":"application/x-www-form-urlencoded",
                "expects":[{"name":"threeDSMethodData","type":"string","value":"eyJ0"}]},
                {"rel":"launch-client-app","href":"SWISH://paymentrequest?token=t"}]}]}
            """#
        )
        let operation = try #require(snapshot.operations.first)
        var bench = bench
        #expect(
            operation.expects == [
                Expectation(name: "NotificationUrl", value: .sealed(bench.seal("https://n/"))),
                Expectation(name: "methodCompletionIndicator", value: .string("Y")),
                Expectation(name: "flag", value: .bool(true)),
                Expectation(name: "flag2", value: .bool(false)),
                Expectation(name: "text", value: .sealed(bench.seal("true"))),
                Expectation(name: "untyped", value: .sealed(bench.seal("abc"))),
                Expectation(name: "list", value: .strings(["visa", "amex"])),
                Expectation(name: "nothing", value: .null),
                Expectation(name: "n", value: .integer(7)),
                Expectation(
                    name: "odd",
                    value: .unknown(type: "string", raw: bench.seal(#"{"a":1}"#))
                ),
            ]
        )
        #expect(operation.tasks.map(\.rel) == [.scaMethodRequest, .launchClientApp])
        #expect(operation.tasks.map(\.scheme) == ["https", "swish"])
        #expect(operation.tasks.first?.contentType == "application/x-www-form-urlencoded")
        #expect(
            operation.tasks.last?.href.flatMap { secrets[$0] } == "SWISH://paymentrequest?token=t"
        )
    }

    @Test(arguments: ["sca-redirect", "sca-method-request"])
    func `the link of an issuer's page is dropped unless it is a web address`(
        rel: String
    ) async throws {
        for href in [
            "javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "bank://x", "x",
        ] {
            let (snapshot, secrets) = try await bench.snapshot(
                #"""
                {"paymentSession":{},"operations":[{"rel":"complete-authentication","href":"https://h/a",
                  "tasks":[{"rel":"\#(rel)","href":"\#(href)"},{"rel":"\#(rel)","href":"HTTPS://acs/"}]}]}
                """#
            )
            let tasks = try #require(snapshot.operations.first?.tasks)
            #expect(tasks.map(\.scheme) == [nil, "https"])
            #expect(tasks.map { $0.href.flatMap { secrets[$0] } } == [nil, "HTTPS://acs/"])
            let kept = try #require(snapshot.unknown.flatMap { secrets[$0] })
            #expect(kept == #"{"/operations/0/tasks/0/href":"\#(href)"}"#)
        }
    }

    @Test(arguments: [
        #"swish://p\nx"#, "https://app.swish.nu@evil.example/p", "swish://p x",
        "intent://p#Intent;end;", "ms-msdt:/id", "tel:+46739000001", "content://x/y",
        "https://evil.example/p", "javascript:alert(1)",
    ])
    func `an app link is dropped when it is ambiguous or opens an app that is not allowed`(
        href: String
    ) async throws {
        let (snapshot, _) = try await bench.snapshot(
            #"""
            {"paymentSession":{},"operations":[{"rel":"get-payment","href":"https://h/a",
              "tasks":[{"rel":"launch-client-app","href":"\#(href)"}]}]}
            """#
        )
        let task = try #require(snapshot.operations.first?.tasks.first)
        #expect(task.href == nil && task.scheme == nil && snapshot.unknown != nil)
    }

}
