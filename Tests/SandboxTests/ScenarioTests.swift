import Foundation
import Testing

@testable import Sandbox

@Suite struct ScenarioTests {
    private func file(_ text: String) throws -> ScenarioFile {
        try ScenarioFile.read(Array(text.utf8))
    }

    private func withScenarios(
        _ texts: String...,
        body: (SandboxServer) async throws -> Void
    ) async throws {
        var configuration = SandboxConfiguration()
        configuration.scenarios = try texts.map { try file($0) }
        try await withSandbox(configuration, body)
    }

    private let payer = SandboxOrder(payerReference: "payer-1")

    @Test func `a scenario step fails one attempt, and the next one is paid`() async throws {
        let text = """
            {"name": "declined", "operations": {"start-payment-attempt":
              [{"problem": "creditcard/frauddetected", "title": "Fraud"}]}}
            """
        try await withScenarios(text) { sandbox in
            let driver = try await SessionDriver(sandbox, payer)
            let failed = try await driver.startCard(ending: "0004")
            #expect(failed.problemType == ProblemDetail.typePrefix + "creditcard/frauddetected")
            #expect(failed.json.value(at: "problem.title") == "Fraud")
            #expect(failed.json.value(at: "problem.status") == 403)
            #expect(try await driver.ledger.attempts.map(\.state) == [.failed])
            try await driver.acknowledge(failed)
            let card = try #require(failed.cards.first { $0.masked.hasSuffix("0004") })
            let paid = try await driver.start("CreditCard", Bodies.card(card.token))
            #expect(paid.redirect == "https://shop.example/complete")
        }
    }

    @Test func `a scripted problem ends a Swish attempt instead of its approval`() async throws {
        let text = """
            {"name": "late", "order": {"swishApprovalMilliseconds": 0}, "operations": {"get-payment":
              [{"problem": "swishtimeout"}]}}
            """
        let time = ManualTime()
        var configuration = SandboxConfiguration()
        configuration.now = { time.now }
        configuration.scenarios = [try file(text.replacing("0}", with: "1000}"))]
        try await withSandbox(configuration) { sandbox in
            let driver = try await SessionDriver(sandbox, SandboxOrder())
            let running = try await driver.start("Swish", Bodies.swish("+46739000001"))
            time.advance(by: .seconds(2))
            let failed = try await driver.get(running.href("get-payment"))
            #expect(failed.problemType == ProblemDetail.typePrefix + "swishtimeout")
            #expect(try await driver.ledger.status == "Initialized")
        }
    }

    @Test
    func `scripted steps apply to requests in order, and later requests are handled as usual`()
        async throws
    {
        let text = """
            {"name": "a bad day", "operations": {"session": [
              {"refusal": "creditcard/acquirergatewaytimeout", "times": 2},
              {"status": 429, "retryAfterSeconds": 7, "body": {"type": "about:blank"}},
              {"refusal": "inputerror", "status": 422},
              {"behaviour": "noContent"}, {"behaviour": "garbage"}, {}]}}
            """
        try await withScenarios(text) { sandbox in
            let driver = try await SessionDriver(sandbox)
            var responses: [Answer] = []
            for _ in 1...8 {
                responses.append(try await HTTPClient.send("GET", driver.order.sessionURL))
            }
            #expect(responses.map(\.status) == [504, 504, 429, 422, 204, 200, 200, 200])
            #expect(
                responses[0].json?["type"]?.text
                    == ProblemDetail.typePrefix + "creditcard/acquirergatewaytimeout"
            )
            #expect(responses[2].headers["retry-after"] == "7")
            #expect(responses[2].headers["content-type"] == "application/problem+json")
            #expect(responses[2].json == ["type": "about:blank"])
            #expect(responses[5].json == nil)
            #expect(responses[6].json == responses[7].json)
            let outcomes = await sandbox.entries(of: driver.order.id).map(\.outcome)
            #expect(outcomes[2] == "scripted")
            #expect(outcomes[4] == "no-content-after-processing")
        }
    }

    @Test func `a refused operation leaves the session unchanged unless it takes effect`()
        async throws
    {
        let text = """
            {"name": "refused", "operations": {"prepare-payment": [
              {"refusal": "systemerror"}, {"refusal": "systemerror", "takesEffect": true}]}}
            """
        try await withScenarios(text) { sandbox in
            let driver = try await SessionDriver(sandbox)
            let href = try await driver.get().href("prepare-payment")
            for isPrepared in [false, true] {
                let refused = try await HTTPClient.send("POST", href, json: Bodies.prepare)
                #expect(refused.status == 500)
                let methods = try await driver.get().methods
                #expect(methods.isEmpty == !isPrepared)
            }
        }
    }

    @Test func `a response is delayed as long as the scenario says`() async throws {
        let text = #"{"name": "slow", "operations": {"session": [{"after": 300}]}}"#
        try await withScenarios(text) { sandbox in
            let driver = try await SessionDriver(sandbox)
            let clock = ContinuousClock()
            let slow = try await clock.measure { _ = try await driver.get() }
            #expect(slow >= .milliseconds(300))
        }
    }

    @Test func `a session is played back from literal responses at the order's own URLs`()
        async throws
    {
        let examples = try Self.examples()
        let played = try #require(examples.first { $0.contains("played back") })
        try await withScenarios(played) { sandbox in
            let driver = try await SessionDriver(sandbox)
            let first = try await driver.get()
            #expect(first.methods == ["Swish"])
            #expect(
                first.json.value(at: "paymentSession.urls.hostUrls.0") == "https://shop.example/"
            )
            let expand = try first.href("expand-method", of: "Swish")
            #expect(expand.hasPrefix(sandbox.baseURL + "/psp/operations/"))
            let lost = try await HTTPClient.send("POST", expand, json: Bodies.expand("Swish"))
            #expect(lost.status == 502)
            #expect(lost.headers["content-type"] == "text/html")
            let aborted = try await driver.post(first.href("abort-payment"))
            #expect(aborted.redirect == "https://shop.example/cancel")
            #expect(try await driver.ledger.status == "Initialized")
        }
    }

    @Test func `a challenge in a literal response leads to the bank's page`() async throws {
        let text = """
            {"name": "challenge", "operations": {"session": [{"times": "rest", "body":
              {"paymentSession": {}, "operations": [
                {"rel": "complete-authentication", "href": "{{href:complete-authentication#2}}",
                 "tasks": [{"rel": "sca-redirect", "href": "{{acs:challenge}}", "expects": [
                   {"name": "creq", "type": "string", "value": "{{creq}}"},
                   {"name": "threeDSSessionData", "type": "string", "value": "{{threeDSSessionData}}"}
                 ]}]}], "x": "{{swish}} {{token:a}} {{token:a}} {{token:b}}"}}]}}
            """
        try await withScenarios(text) { sandbox in
            let driver = try await SessionDriver(sandbox)
            let first = try await driver.get()
            #expect(try await driver.get().json == first.json)
            let task = try #require(first.operation("complete-authentication")?.task)
            let request = try #require(task.expectation("creq"))
            let data = try #require(task.expectation("threeDSSessionData"))
            let page = try await HTTPClient.send(
                "POST",
                task["href"]?.text ?? "",
                form: "creq=\(FormText.escaped(request))&threeDSSessionData=\(data)"
            )
            #expect(page.text.contains("id=\"approve\""))
            let words = try #require(first.json["x"]?.text).split(separator: " ")
            #expect(words[1] == words[2] && words[1] != words[3])
            let token = try #require(words[0].split(separator: "=").last)
            let app = try await HTTPClient.send("GET", "\(sandbox.baseURL)/sandbox/swish/\(token)")
            #expect(app.json?["returnURL"] == "https://shop.example/pay?swp_ut=1")
        }
    }

    @Test
    func `a scenario applies only to matching orders, and an order's own scenario overrides it`()
        async throws
    {
        let text = """
            {"name": "some", "appliesTo": {"payeeReference": "test*", "description": "Shoes"},
             "order": {"methods": ["Trustly"]}}
            """
        try await withScenarios(text, #"{"name": "rest", "order": {"methods": ["Vipps"]}}"#) {
            sandbox in
            let shoes = try await methods(sandbox, "test1", "Shoes")
            #expect(shoes == ["Trustly"])
            let hat = try await methods(sandbox, "test2", "Hat")
            #expect(hat == ["Vipps"])
            let live = try await methods(sandbox, "live1", "Shoes")
            #expect(live == ["Vipps"])
            let order = SandboxOrder(scenario: Scenario(methods: ["Swish"]))
            let own = try await SessionDriver(sandbox, order).prepare().methods
            #expect(own == ["Swish"])
        }
    }

    private func methods(
        _ sandbox: SandboxServer,
        _ reference: String,
        _ description: String
    ) async throws -> [String] {
        var order = SandboxOrder(description: description)
        order.payeeReference = reference
        return try await SessionDriver(sandbox, order).prepare().methods
    }

    @Test(arguments: [
        (#"{"name": }"#, "line 1, column 10: the file is not JSON"),
        ("{\n \"name\": \"a\",\n}", "line 3, column 1: the file is not JSON"),
        ("[]", "must be a JSON object"), ("{}", "name: is required"),
        (#"{"name": "a", "orders": {}}"#, "orders: is not known to the sandbox"),
        (
            #"{"name": "a", "order": {"methods": "Swish"}}"#,
            "order.methods: must be a list of strings"
        ),
        (
            #"{"name": "a", "operations": {"get-money": []}}"#,
            "operations.get-money: is not an operation of a session or an order"
        ),
        (
            #"{"name": "a", "operations": {"session": [{}, {"behavior": "normal"}]}}"#,
            "operations.session.1.behavior: is not known to the sandbox"
        ),
        (
            #"{"name": "a", "operations": {"session": [{"problem": "no/such"}]}}"#,
            "operations.session.0.problem: is not in the problem catalogue, nor a whole URI"
        ),
        (
            #"{"name": "a", "operations": {"session": [{"text": "{{hrefs:a}}", "after": "1"}]}}"#,
            "operations.session.0.after: must be an integer (and 1 more)"
        ),
        (
            #"{"name": "a", "operations": {"session": [{"body": {"a": "{{b}}"}}]}}"#,
            "operations.session.0.body: has an unknown placeholder {{b}}"
        ),
        (
            #"{"name": "a", "operations": {"session": [{"body": {}, "refusal": "notfound"}]}}"#,
            "operations.session.0: must have only one of behaviour, problem, refusal, body and text"
        ),
    ])
    func `an invalid scenario file is refused, naming the location of the error`(
        text: String,
        words: String
    ) throws {
        let error = #expect(throws: ScenarioFileError.self) { try file(text) }
        #expect(error?.description == words)
    }

    @Test func `the documented scenarios are valid and match their schema`() async throws {
        let examples = try Self.examples()
        #expect(examples.count == 5)
        for example in examples { _ = try file(example) }
        let folder = try #require(Self.root)
        let script = """
            import json, sys, jsonschema
            schema = json.load(open(sys.argv[1]))
            jsonschema.Draft202012Validator.check_schema(schema)
            for text in sys.argv[2:-1]:
                jsonschema.validate(json.loads(text), schema, jsonschema.Draft202012Validator)
            try:
                jsonschema.validate(json.loads(sys.argv[-1]), schema, jsonschema.Draft202012Validator)
            except jsonschema.ValidationError:
                sys.exit(0)
            sys.exit("the schema takes everything")
            """
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            [
                "python3", "-c", script,
                folder.appendingPathComponent("Schemas/scenario.schema.json").path,
            ]
            + examples + [#"{"name": "a", "operations": {"session": [{"behavior": "normal"}]}}"#]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    private static let root =
        URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent() as URL?

    /// The examples of the documentation.
    private static func examples() throws -> [String] {
        let folder = try #require(root)
        let text = try String(
            contentsOf: folder.appendingPathComponent("Documentation/scenarios.md"),
            encoding: .utf8
        )
        return text.matches(of: /(?s)```json\n(.*?)```/).map { String($0.1) }
    }
}
