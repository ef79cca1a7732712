import EventLog
import Foundation
import FoundationNetworking
import Sandbox
import TestSupport
import Testing

/// The service tells receivers over HTTP what happens to payments.
@Suite(.feature("S-34")) struct WebhookTests {
    private static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

    /// The root of the repository.
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// A receiver that runs as a process.
    private struct Receiver {
        let running: TestProcess
        let url: String
        let statusPath: String

        /// The requests so far.
        var requests: [JSON] {
            get throws {
                // A line that is not complete yet is not read.
                let whole = running.outputSoFar.components(separatedBy: "\n").dropLast()
                return try whole.dropFirst().map { try JSON(parsing: $0) }
            }
        }

        func respond(_ status: String) throws {
            try Data(status.utf8).write(to: URL(fileURLWithPath: statusPath), options: .atomic)
        }

        func stop() { kill(running.id, SIGKILL) }
    }

    private func receiver(in world: World, _ status: String = "200") async throws -> Receiver {
        let path = try world.write(status, to: "status")
        let script = Self.root.appending(path: "Tests/Tools/webhook_receiver.py").path
        let running = try world.tool.start("/usr/bin/env", ["python3", script, path], input: nil)
        try await wait { running.outputSoFar.contains("\n") }
        let port = running.outputSoFar.prefix { $0 != "\n" }
        return Receiver(
            running: running,
            url: "http://127.0.0.1:\(port)/hook?key=hidden-part",
            statusPath: path
        )
    }

    private func wait(
        _ isDone: () throws -> Bool,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let end = ContinuousClock.now + .seconds(60)
        while try !isDone() {
            try #require(ContinuousClock.now < end, sourceLocation: sourceLocation)
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// Writes a configuration with one endpoint.
    private func configure(_ world: World, _ url: String, _ more: String = "") throws -> String {
        let file = try world.write(Self.secret + "\n", to: "hook.secret")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        return try world.write(
            #"{"webhooks": [{"name": "shop", "url": "\#(url)", "secretFile": "\#(file)"\#(more)}]}"#,
            to: "config.json"
        )
    }

    /// A service that runs.
    private struct Service {
        let running: TestProcess
        let url: String
        let token: String

        func send(_ method: String, _ path: String, _ body: String? = nil) async throws -> String {
            var request = URLRequest(url: try #require(URL(string: url + path)))
            request.httpMethod = method
            request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
            if let body {
                request.httpBody = Data(body.utf8)
                request.setValue("application/json", forHTTPHeaderField: "Content-Type")
            }
            return String(
                decoding: try await URLSession.shared.data(for: request).0,
                as: UTF8.self
            )
        }
    }

    private func serve(_ world: World, _ config: String) async throws -> Service {
        let running = try world.tool.start(
            Tool.path,
            [
                "--allow-insecure-loopback", "--json", "--config", config, "serve", "--dev",
                "--listen", "127.0.0.1:0",
            ],
            input: nil
        )
        try await wait { running.outputSoFar.contains("\n") }
        let json = try JSON(parsing: running.outputSoFar)
        return Service(
            running: running,
            url: try #require(json["url"].text),
            token: try #require(json["token"].text)
        )
    }

    /// Opens a session that is paid with Swish at once, and returns it.
    private func pay(_ world: World, _ service: Service) async throws -> String {
        let created = try await world.sandbox.createOrder(SandboxOrder(payerReference: "payer-1"))
        let opened = try JSON(
            parsing: await service.send(
                "POST",
                "/v1/sessions",
                #"{"url": "\#(created.sessionURL)", "reference": "order-4711", "preferences": [{"instrument": "swish"}]}"#
            )
        )
        _ = try await world.approveInSwish(opened["actions"][0])
        return try #require(opened["session"].text)
    }

    private func end(_ service: Service, in world: World) async throws -> Tool.Result {
        kill(service.running.id, SIGTERM)
        return try await world.tool.finish(service.running)
    }

    @Test func `a payment is told from its opening to its end, and no secret is in the log`()
        async throws
    {
        try await World.with { world in
            let receiver = try await receiver(in: world)
            defer { receiver.stop() }
            let config = try configure(world, receiver.url)
            let service = try await serve(world, config)
            let session = try await pay(world, service)
            try await wait {
                try receiver.requests.contains {
                    $0["id"].text?.hasSuffix("/payment-completed") == true
                }
            }
            let bodies = try receiver.requests.map { try JSON(parsing: $0["body"].text ?? "") }
            #expect(
                bodies.compactMap { $0["type"].text } == [
                    "payment.opened", "payment.attempt-started", "payment.action-required",
                    "payment.completed",
                ]
            )
            // A publisher sends the same beside the records.
            let published = try await world.run(
                "publish",
                "--to",
                receiver.url,
                "--position",
                "outbox",
                "--once"
            )
            #expect(published.status == 0 && published.diagnostics.isEmpty, "\(published)")
            let batch = try #require(try receiver.requests.last?["body"].text)
            try await SchemaCheck.expect(batch, fits: "published", in: world)
            let messages = try JSON(parsing: batch).list.filter { $0["chainhash"].text == nil }
            #expect(messages.map { $0["data"]["type"].text } == bodies.map { $0["type"].text })
            for body in try receiver.requests.dropLast().compactMap({ $0["body"].text }) {
                try await SchemaCheck.expect(body, fits: "notice", in: world)
            }
            let data = try #require(bodies.last)["data"]
            #expect(data["session"].text == session)
            #expect(data["reference"].text == "order-4711")
            #expect(data["money"].text == "confirmed")
            let lines = [
                "# TYPE payment_workflow_webhook_deliveries_total counter",
                #"payment_workflow_webhook_deliveries_total{endpoint="shop",result="delivered"} 4"#,
                #"payment_workflow_webhook_disabled{endpoint="shop"} 0"#,
                #"payment_workflow_webhook_behind{endpoint="shop"} 0"#,
            ]
            // They are measured a moment after the receiver has responded.
            var metrics = ""
            for _ in 0..<100 where !lines.allSatisfy({ metrics.contains($0 + "\n") }) {
                metrics = try await service.send("GET", "/metrics")
                try await Task.sleep(for: .milliseconds(50))
            }
            for line in lines { #expect(metrics.contains(line + "\n"), "\(metrics)") }
            #expect(try world.mode(of: world.storePath + ".webhook-shop") == 0o600)
            let ended = try await end(service, in: world)
            for secret in [Self.secret, "MfKQ9r8G", "hidden-part"] {
                #expect(!ended.diagnostics.contains(secret))
            }
        }
    }

    @Test(.feature("S-44"), .guarantee(.authenticLog))
    func `a publisher says what the keys prove: nothing without them, and nothing of a forgery`()
        async throws
    {
        try await World.with { world in
            let receiver = try await receiver(in: world)
            defer { receiver.stop() }
            let session = try await world.open().session
            let log = try await world.run("log", session, "--json").output
            let count = log.split(separator: "\n").count
            /// Publishes everything to a receiver that has nothing, and returns the notices.
            func publish(_ tool: Tool, _ position: String) async throws -> (Tool.Result, [String]) {
                let result = try await tool.run([
                    "--allow-insecure-loopback", "publish", "--to", receiver.url, "--position",
                    position, "--once",
                ])
                guard result.status == 0 else { return (result, []) }
                let batch = try #require(try receiver.requests.last?["body"].text)
                try await SchemaCheck.expect(batch, fits: "published", in: world)
                let events = try JSON(parsing: batch).list
                let notices = events.filter { $0["chainhash"].text == nil }
                #expect(events.count - notices.count == count)
                return (result, notices.compactMap { $0["id"].text })
            }
            let proven = try await publish(world.tool, "proven")
            #expect(proven.0.diagnostics.isEmpty)
            #expect(proven.1 == ["\(session)/1/payment-opened"])

            var tool = world.tool
            tool.environment["WORKFLOWCTL_KEY_FILE"] = world.folder + "/nowhere"
            let keyless = try await publish(tool, "keyless")
            #expect(
                keyless.0.diagnostics
                    == "note: records are sent alone, without what they mean for payments: "
                    + "there is no master key\n"
            )
            #expect(keyless.1.isEmpty)

            // The keys of another store.
            tool.environment["WORKFLOWCTL_KEY_FILE"] = nil
            tool.environment["WORKFLOWCTL_MASTER_KEY"] = String(repeating: "ab", count: 32)
            let foreign = try await publish(tool, "foreign")
            #expect(foreign.0.status == 77)
            #expect(foreign.0.diagnostics.contains("[vault.wrong-key]"))

            // Somebody writes the store without the keys.
            let altered = try await world.tool.shell(
                """
                python3 -c 'import sqlite3, sys
                with sqlite3.connect(sys.argv[1]) as store:
                    store.execute("UPDATE events SET mac = zeroblob(32) WHERE seq = 1")
                ' \(world.storePath)
                """
            )
            #expect(altered.status == 0, "\(altered.diagnostics)")
            let forged = try await publish(world.tool, "forged")
            #expect(
                forged.0.diagnostics
                    == "note: the keys do not prove the log of session \(session): its records are "
                    + "sent without notices [log.not-authentic]\n"
            )
            #expect(forged.1.isEmpty)
        }
    }

    @Test(.guarantee(.nothingLost))
    func `a killed service sends what nobody accepted again, with the same identities`()
        async throws
    {
        try await World.with { world in
            let receiver = try await receiver(in: world, "hang")
            defer { receiver.stop() }
            let config = try configure(world, receiver.url)
            var service = try await serve(world, config)
            let session = try await pay(world, service)
            try await wait { try !receiver.requests.isEmpty }
            kill(service.running.id, SIGKILL)
            _ = try await world.tool.finish(service.running)
            let first = try #require(try receiver.requests.first)
            #expect(first["id"].text == "\(session)/1/payment-opened")

            try receiver.respond("200")
            service = try await serve(world, config)
            try await wait {
                try receiver.requests.contains {
                    $0["id"].text?.hasSuffix("/payment-completed") == true
                }
            }
            let requests = try receiver.requests
            let accepted = requests.filter { $0["status"].text == "200" }
            #expect(accepted.first?["id"].text == first["id"].text)
            #expect(accepted.first?["body"].text == first["body"].text)
            let identities = accepted.compactMap { $0["id"].text }
            #expect(identities.count == 4 && Set(identities).count == 4)
            _ = try await end(service, in: world)
        }
    }

    @Test func `410 disables an endpoint, which 'doctor' tells, until its file is removed`()
        async throws
    {
        try await World.with { world in
            let receiver = try await receiver(in: world, "410")
            defer { receiver.stop() }
            let config = try configure(world, receiver.url)
            let service = try await serve(world, config)
            _ = try await pay(world, service)
            let file = world.storePath + ".webhook-shop.disabled"
            try await wait { FileManager.default.fileExists(atPath: file) }
            let doctor = ["--config", config, "doctor", "--check", "webhooks", "--json"]
            let checked = try await world.tool.run(doctor)
            #expect(checked.status == 1)
            try await SchemaCheck.expect(checked.output, fits: "cli/doctor", in: world)
            #expect(checked.output.contains("rm \(file)"), "\(checked.output)")
            let metrics = try await service.send("GET", "/metrics")
            #expect(metrics.contains(#"payment_workflow_webhook_disabled{endpoint="shop"} 1"#))

            try receiver.respond("204")
            try FileManager.default.removeItem(atPath: file)
            try await wait {
                try receiver.requests.contains {
                    $0["id"].text?.hasSuffix("/payment-completed") == true
                }
            }
            #expect(try await world.tool.run(doctor).status == 0)
            let ended = try await end(service, in: world)
            #expect(ended.diagnostics.contains("webhook endpoint disabled"))
            #expect(ended.diagnostics.contains("webhook endpoint enabled"))
        }
    }

    /// A Python with the package of the standard.
    private static let python = ProcessInfo.processInfo.environment["CLOUDEVENTS_PYTHON"]

    @Test(
        .threat("T-61"),
        .enabled(if: python != nil, "no Python with 'standardwebhooks': CLOUDEVENTS_PYTHON")
    )
    func `the example verifies the messages, and refuses those of another secret`() async throws {
        try await World.with { world in
            let other = try world.write("whsec_" + String(repeating: "B", count: 32), to: "other")
            let example = Self.root.appending(path: "Examples/OverHTTP/receive.py").path
            let python = try #require(Self.python)
            func receive(_ secretFile: String) async throws -> (TestProcess, String) {
                let running = try world.tool.start(
                    python,
                    [example, "0", secretFile],
                    input: nil
                )
                try await wait { running.outputSoFar.contains("\n") }
                let line = running.outputSoFar.prefix { $0 != "\n" }
                return (running, String(line.split(separator: " ").last ?? ""))
            }
            let (strict, strictURL) = try await receive(other)
            defer { kill(strict.id, SIGKILL) }
            let secretFile = world.folder + "/hook.secret"
            _ = try configure(world, strictURL)
            let (right, rightURL) = try await receive(secretFile)
            defer { kill(right.id, SIGKILL) }
            let config = try world.write(
                """
                {"webhooks": [
                  {"name": "strict", "url": "\(strictURL)", "secretFile": "\(secretFile)"},
                  {"name": "right", "url": "\(rightURL)", "secretFile": "\(secretFile)",
                   "types": ["payment.opened", "payment.completed"]}
                ]}
                """,
                to: "config.json"
            )
            let service = try await serve(world, config)
            let session = try await pay(world, service)
            try await wait { right.outputSoFar.contains("/payment-completed ") }
            try await wait { strict.outputSoFar.contains("refused") }
            let lines = right.outputSoFar.split(separator: "\n").dropFirst()
            #expect(lines.count == 2)
            #expect(lines.first?.hasPrefix("\(session)/1/payment-opened {") == true)
            #expect(!right.outputSoFar.contains("refused"))
            #expect(!strict.outputSoFar.contains("/payment-"))
            let ended = try await end(service, in: world)
            #expect(ended.diagnostics.contains("HTTP status 401"))
        }
    }

    @Test(arguments: [
        (#"{"webhooks": {}}"#, "webhooks must be a list"),
        (#"{"webhooks": [{}]}"#, "webhooks[0] must have the members name, url and secretFile"),
        (#"{"webhooks": [{"name": "a b"}]}"#, "webhooks[0].name must have 1 to 64 letters"),
        (#"{"webhooks": [{"url": "ftp://x.example/"}]}"#, "webhooks[0].url must be an https"),
        (#"{"webhooks": [{"url": "http://x.example/"}]}"#, "webhooks[0].url must be an https"),
        (#"{"webhooks": [{"url": "https://a:b@x.example/"}]}"#, "webhooks[0].url must be an"),
        (#"{"webhooks": [{"types": ["payment.done"]}]}"#, "webhooks[0].types[0] must be one of"),
        (#"{"webhooks": [{"types": []}]}"#, "webhooks[0].types must not be empty"),
        (#"{"webhooks": [{"secretfile": "x"}]}"#, "webhooks[0].secretfile"),
        (
            #"{"webhooks": [{"name":"a","url":"https://x.example/","secretFile":"s"},{"name":"a","url":"https://x.example/","secretFile":"s"}]}"#,
            "webhooks[1].name is the name of another webhook"
        ),
    ])
    func `a mistake in the configuration is refused with its place`(
        text: String,
        message: String
    ) async throws {
        try await World.with { world in
            let config = try world.write(text, to: "config.json")
            let checked = try await world.run("config", "check", config)
            #expect(checked.status == 78)
            #expect(checked.diagnostics.contains(message), "\(checked.diagnostics)")
        }
    }

    @Test func `secrets that others may read, and a URL without TLS, end the service at its start`()
        async throws
    {
        try await World.with { world in
            let config = try configure(world, "http://127.0.0.1:9/")
            let listen = ["--config", config, "serve", "--listen", "127.0.0.1:0"]
            let insecure = try await world.tool.run(listen)
            #expect(insecure.status == 78)
            #expect(insecure.diagnostics.contains("[webhook.url]"), "\(insecure.diagnostics)")
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o644],
                ofItemAtPath: world.folder + "/hook.secret"
            )
            let open = try await world.tool.run(["--allow-insecure-loopback"] + listen)
            #expect(open.status == 78)
            #expect(open.diagnostics.contains("[webhook.secret]"), "\(open.diagnostics)")
            #expect(!open.diagnostics.contains(Self.secret))
            let shown = try await world.tool.run(["--config", config, "config", "show", "--json"])
            #expect(shown.output.contains("shop: 127.0.0.1"))
        }
    }

    @Test(.threat("T-60"))
    func `a receiver whose name resolves to this machine is not contacted`() async throws {
        try await World.with { world in
            let receiver = try await receiver(in: world)
            defer { receiver.stop() }
            let port = receiver.url.split(separator: "/")[1].split(separator: ":")[1]
            let config = try configure(world, "https://hooks.localhost:\(port)/")
            let service = try await serve(world, config)
            _ = try await pay(world, service)
            let state = world.storePath + ".webhook-shop"
            try await wait {
                let text = try? String(contentsOfFile: state, encoding: .utf8)
                return text?.contains(#""tries":1"#) == true
            }
            #expect(try receiver.requests.isEmpty)
            let ended = try await end(service, in: world)
            #expect(ended.diagnostics.contains("http.refused-url (address)"))
        }
    }
}
