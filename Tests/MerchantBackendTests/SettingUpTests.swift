import HTTPTypes
import MerchantBackend
import Testing

@Suite struct SettingUpTests {
    private func configuration(
        _ url: String = "https://shop.example/",
        psp: String = "https://api.payex.com",
        payee: String = "payee",
        loopback: Bool = false
    ) throws -> BackendConfiguration {
        try BackendConfiguration(
            publicURL: url,
            pspURL: psp,
            accessToken: AccessToken("token"),
            payeeID: payee,
            allowsInsecureLoopback: loopback
        )
    }

    @Test func `configured URLs must be plain and use https, except for allowed loopback`() throws {
        #expect(try configuration("https://shop.example").publicURL == "https://shop.example/")
        #expect(try configuration(psp: "https://api.payex.com/").pspURL == "https://api.payex.com")
        #expect(try configuration("http://127.0.0.1:80/a/", loopback: true).publicURL.count == 22)
        let wrong = [
            "", "shop.example", "http://shop.example/", "http://127.0.0.1/", "ftp://shop.example/",
            "https://user@shop.example/", "https://shop.example/?a", "https://shop.example/#a",
            "https://shop.example//", "https://shop.example/../", "https://shop.example/%41/",
        ]
        for url in wrong {
            #expect(throws: BackendConfigurationError.self) { try configuration(url) }
            #expect(throws: BackendConfigurationError.self) { try configuration(psp: url) }
        }
        #expect(throws: BackendConfigurationError.self) { try configuration(payee: "") }
    }

    @Test func `malformed secrets are refused, and secrets are never printed`() throws {
        let token = try AccessToken("a-secret-token")
        let secret = try CallbackSecret("0123456789abcdefghijkl")
        var dumped = "\(token) \(secret)"
        dump((token, secret), to: &dumped)
        #expect(!dumped.contains("a-secret-token"))
        #expect(!dumped.contains("0123456789"))
        for text in ["", "a b", "a\n", "ä"] {
            #expect(throws: BackendConfigurationError.self) { try AccessToken(text) }
        }
        for text in ["", "short", "0123456789abcdefghijk/", String(repeating: "a", count: 129)] {
            #expect(throws: BackendConfigurationError.self) { try CallbackSecret(text) }
        }
    }

    @Test func `malformed app names and schemes of the web are refused`() throws {
        let url = "https://back.example/t"
        for scheme in ["https", "javascript", "data", "intent", "file", "Shop", "a b", "", "1a"] {
            #expect(throws: BackendConfigurationError.self, "\(scheme)") {
                try ReturnPages(appleSchemes: [scheme], trampolineURL: url)
            }
        }
        for package in ["shop", "example.shop;end", "example..shop", ".a", "1.a"] {
            #expect(throws: BackendConfigurationError.self, "\(package)") {
                try ReturnPages(androidPackages: [package])
            }
        }
        for app in ["shop", "TEAM.example.shop", "TEAM123456.", "TEAM123456.a/b"] {
            #expect(throws: BackendConfigurationError.self, "\(app)") {
                try ReturnPages(appleAppIDs: [app])
            }
        }
        #expect(throws: BackendConfigurationError.self) { try ReturnPages(appleSchemes: ["shop"]) }
        #expect(throws: BackendConfigurationError.self) {
            try ReturnPages(trampolineURL: "http://back.example/")
        }
        var configuration = try configuration()
        let pages = try ReturnPages(trampolineURL: "https://SHOP.example/button")
        #expect(throws: BackendConfigurationError.self) {
            try configuration.setReturnPages(pages)
        }
        var local = try self.configuration("https://127.0.0.1/")
        let page = try ReturnPages(trampolineURL: "https://127.0.0.1/button")
        #expect(throws: BackendConfigurationError.self) { try local.setReturnPages(page) }
        local = try self.configuration("http://127.0.0.1/", loopback: true)
        try local.setReturnPages(page)
        try configuration.setReturnPages(ReturnPages(trampolineURL: url))
        #expect(configuration.returnPages.trampolineURL == url)
    }

    @Test func `descriptions of orders, links and responses reveal no URL, name or body`()
        async throws
    {
        let link = RegisteredOrder.Link(
            rel: "abort",
            method: "PATCH",
            href: "https://api.payex.com/secret"
        )
        let order = RegisteredOrder(
            id: "/psp/paymentorders/1",
            name: "secret-name",
            owner: "alice",
            payeeReference: "r",
            links: [link],
            isInstrumentMode: false
        )
        let head = HTTPResponse(status: .ok)
        let response = BackendResponse(head: head, body: Array("secret".utf8))
        var text = "\(order) \(link) \(response) \(OrderKey.href("secret"))"
        dump((order, link, response, OrderKey.name("secret")), to: &text)
        #expect(!text.contains("secret"))
        #expect(text.contains("/psp/paymentorders/1") && text.contains("abort"))
    }

    @Test func `FixedCallers identifies callers by token, and FixedPayers payers by caller`()
        async throws
    {
        let callers = FixedCallers(["token-of-alice": "alice", "": "nobody"])
        func decide(_ value: String?) async throws -> CallerDecision {
            var request = HTTPRequest(
                method: .get,
                scheme: nil,
                authority: nil,
                path: "/"
            )
            request.headerFields[.authorization] = value
            return try await callers.decide(on: request)
        }
        #expect(try await decide("Bearer token-of-alice") == .caller(Caller(id: "alice")))
        for value in [nil, "", "Bearer", "Bearer ", "token-of-alice", "Bearer token-of-alic"] {
            #expect(try await decide(value) == .refused)
        }
        let payers = FixedPayers(["alice": ["payer-42"]])
        let alice = Caller(id: "alice")
        #expect(try await payers.isOwn(payerReference: "payer-42", of: alice))
        #expect(try await !payers.isOwn(payerReference: "payer-43", of: alice))
        #expect(try await !payers.isOwn(payerReference: "payer-42", of: Caller(id: "bob")))
    }

    @Test func `IP address ranges are parsed strictly`() throws {
        let range = try SourceRange("20.91.170.120/29")
        #expect(range.contains("20.91.170.120") && range.contains("20.91.170.127"))
        #expect(!range.contains("20.91.170.128") && !range.contains("20.91.170.119"))
        #expect(!range.contains("::1") && !range.contains("localhost") && !range.contains(""))
        #expect(try SourceRange("2001:db8::/32").contains("2001:db8:1::5"))
        #expect(try SourceRange("51.107.183.58").contains("51.107.183.58"))
        #expect(try SourceRange("0.0.0.0/0").contains("8.8.8.8"))
        for text in [
            "", "a", "1.2.3", "1.2.3.4/33", "1.2.3.4/-1", "1.2.3.4/", "1.2.3.4/8/8", "localhost",
        ] {
            #expect(throws: BackendConfigurationError.self) { try SourceRange(text) }
        }
    }

    @Test func `an error names the member and not its value`() {
        #expect {
            try configuration("http://secret.example/")
        } throws: { error in
            let text = "\(error)"
            return text.contains("publicURL") && !text.contains("secret")
                && (error as? BackendConfigurationError)?.code == "backend.malformed"
        }
    }
}
