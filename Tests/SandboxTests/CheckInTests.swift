import TestSupport
import Testing

@testable import Sandbox

@Suite(.feature("D-06")) struct CheckInTests {
    private static let wish: JSON = [
        "operation": "initiate-consumer-session", "language": "sv-SE",
        "shippingAddressRestrictedToCountryCodes": ["SE", "NO"],
    ]

    private func open(_ sandbox: SandboxServer, _ wish: JSON = wish) async throws -> Snapshot {
        let response = try await HTTPClient.send(
            "POST",
            sandbox.baseURL + "/psp/consumers",
            json: wish
        )
        try #require(response.status == 200, "\(response.text)")
        return Snapshot(json: try #require(response.json))
    }

    /// The form that the script shows in a frame.
    private func form(_ checkIn: Snapshot) async throws -> String {
        let href = try checkIn.href("view-consumer-identification")
        let script = try await HTTPClient.send("GET", href)
        return String(try #require(script.text.firstMatch(of: /pageURL = "([^"]+)"/)?.1))
    }

    private func told(_ response: Answer) throws -> [JSON] {
        let text = try #require(response.text.firstMatch(of: /data-events="([^"]*)"/)?.1)
        let json = text.replacing("&quot;", with: "\"").replacing("&amp;", with: "&")
        guard case .array(let events)? = JSON(bytes: Array(json.utf8)) else { return [] }
        return events
    }

    @Test func `a check-in gives a consumerProfileRef that only one order can use`() async throws {
        let time = ManualTime()
        var configuration = SandboxConfiguration()
        configuration.now = { time.now }
        try await withSandbox(configuration) { sandbox in
            let checkIn = try await open(sandbox)
            #expect(
                checkIn.rels == [
                    "redirect-consumer-identification", "view-consumer-identification",
                ]
            )
            let page = try await form(checkIn)
            let fresh = try await HTTPClient.send("GET", page)
            #expect(fresh.text.contains("value=\"leia.ahlstrom@swedbankpay.com\""))
            #expect(try told(fresh).isEmpty)
            let pressed = try await HTTPClient.send(
                "POST",
                page.replacing("/form", with: "/identify"),
                form: "email=a%40b.example&msisdn=%2B46739000002&countryCode=SE"
            )
            let events = try told(pressed)
            #expect(events.map { $0["event"]?.text } == ["identified", "shipping"])
            let reference = try #require(events.first?["consumerProfileRef"]?.text)
            let shipping = try await HTTPClient.send("GET", #require(events.last?["url"]?.text))
            #expect(shipping.json?["email"] == "a@b.example")

            func body() -> JSON {
                let order = Bodies.freshOrder()
                    .setting("payer.consumerProfileRef", to: .string(reference))
                return ["paymentorder": order]
            }
            let url = sandbox.baseURL + "/psp/paymentorders"
            let created = try await HTTPClient.send("POST", url, json: body())
            #expect(created.status == 201)
            let again = try await HTTPClient.send("POST", url, json: body())
            #expect(
                again.json?.value(at: "problems.0.name") == "paymentorder.payer.consumerProfileRef"
            )
            #expect(again.json?.value(at: "problems.0.description") == "was used before")
        }
    }

    @Test func `a check-in is valid for 24 hours`() async throws {
        let time = ManualTime()
        var configuration = SandboxConfiguration()
        configuration.now = { time.now }
        try await withSandbox(configuration) { sandbox in
            let token = try #require(try await open(sandbox).json["token"]?.text)
            let url = "\(sandbox.baseURL)/sandbox/consumers/\(token)/identify"
            for (seconds, status) in [(24 * 3600 - 1, 201), (24 * 3600, 400)] {
                let played = try await HTTPClient.send("POST", url)
                let reference = try #require(played.json?["consumerProfileRef"])
                time.advance(by: .seconds(seconds))
                let order = Bodies.freshOrder().setting("payer.consumerProfileRef", to: reference)
                let created = try await HTTPClient.send(
                    "POST",
                    sandbox.baseURL + "/psp/paymentorders",
                    json: ["paymentorder": order]
                )
                #expect(created.status == status)
            }
            let forged = Bodies.freshOrder().setting("payer.consumerProfileRef", to: "forged")
            let refused = try await HTTPClient.send(
                "POST",
                sandbox.baseURL + "/psp/paymentorders",
                json: ["paymentorder": forged]
            )
            #expect(refused.json?.value(at: "problems.0.description") == "is not known")
        }
    }

    @Test func `a payer in a country without delivery is asked again`() async throws {
        try await withSandbox { sandbox in
            let page = try await form(open(sandbox))
            let pressed = try await HTTPClient.send(
                "POST",
                page.replacing("/form", with: "/identify"),
                form: "email=a%40b.example&msisdn=%2B4522222222&countryCode=DK"
            )
            #expect(pressed.text.contains("role=\"alert\""))
            #expect(try told(pressed).isEmpty)
            let broken = try await HTTPClient.send(
                "POST",
                page.replacing("/form", with: "/fail"),
                form: ""
            )
            #expect(try told(broken).first?["event"] == "error")
        }
    }

    @Test func `the script of a check-in may be loaded by any page`() async throws {
        try await withSandbox { sandbox in
            let checkIn = try await open(sandbox)
            let href = try checkIn.href("view-consumer-identification")
            let script = try await HTTPClient.send("GET", href)
            #expect(script.headers["content-type"]?.hasPrefix("application/javascript") == true)
            #expect(script.headers["access-control-allow-origin"] == "*")
            for name in [
                "payex.hostedView", "consumer: view", "onConsumerIdentified",
                "onShippingDetailsAvailable", "onError",
            ] {
                #expect(script.text.contains(name), "\(name)")
            }
            let page = try await HTTPClient.send(
                "GET",
                checkIn.href("redirect-consumer-identification")
            )
            #expect(page.text.contains("payex.hostedView.consumer("))
        }
    }

    @Test(
        arguments: [
            ("operation", nil), ("operation", "steal"), ("language", "swedish"),
            ("shippingAddressRestrictedToCountryCodes", ["Sweden"]),
        ] as [(String, JSON?)]
    )
    func `a check-in with a wrong field is refused, naming the field`(
        path: String,
        value: JSON?
    )
        async throws
    {
        try await withSandbox { sandbox in
            let response = try await HTTPClient.send(
                "POST",
                sandbox.baseURL + "/psp/consumers",
                json: Self.wish.setting(path, to: value)
            )
            #expect(response.status == 400)
            #expect(response.json?.value(at: "problems.0.name")?.text == path)
        }
    }
}
