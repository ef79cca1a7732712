import Foundation
import Synchronization
import Testing

@testable import Sandbox

@Suite struct ServerTests {
    @Test func `a taken port is an error, not a hang`() async throws {
        try await withSandbox { sandbox in
            let port = try #require(Int(sandbox.baseURL.split(separator: ":").last ?? ""))
            await #expect(throws: (any Error).self) {
                let second = try await SandboxServer.start(SandboxConfiguration(port: port))
                await second.shutdown()
            }
        }
    }

    @Test func `a shutdown is quick although connections are open and one hangs`() async throws {
        let sandbox = try await SandboxServer.start()
        let driver = try await SessionDriver(
            sandbox,
            SandboxOrder(scenario: Scenario(faults: [Fault(rel: "prepare-payment", kind: .hang)]))
        )
        let href = try await driver.get().href("prepare-payment")
        let hanging = Task { try await HTTPClient.send("POST", href, json: Bodies.prepare) }
        while await sandbox.entries(of: driver.order.id).last?.rel != "prepare-payment" {
            try await Task.sleep(for: .milliseconds(5))
        }
        let began = ContinuousClock().now
        await sandbox.shutdown()
        // The one that hangs would do so for two minutes.
        #expect(ContinuousClock().now - began < .seconds(100))
        await #expect(throws: (any Error).self) { _ = try await hanging.value }
        await #expect(throws: (any Error).self) { _ = try await driver.get() }
    }

    @Test func `a sandbox can be shut down while clients keep connecting`()
        async throws
    {
        for _ in 0..<8 {
            let sandbox = try await SandboxServer.start()
            let port = try #require(UInt16(sandbox.baseURL.split(separator: ":").last ?? ""))
            let answers = Answers()
            let callers = (0..<4).map { place in
                Task.detached {
                    // Until the sandbox has stopped and the port is closed.
                    let request = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"
                    while (try? await HalfOpen.rest(after: request, port: port, within: 5)) != nil {
                        answers.counts.withLock { $0[place] += 1 }
                    }
                }
            }
            let limit = ContinuousClock.now + .seconds(60)
            while answers.counts.withLock({ $0.contains(0) }) {
                try #require(ContinuousClock.now < limit, "a client was not answered")
                try await Task.sleep(for: .milliseconds(5))
            }
            await sandbox.shutdown()
            for caller in callers { await caller.value }
        }
    }

    @Test(
        arguments: [
            "", "GET /sandbox/ledger HTTP/1.1\r\nHost: x\r\n",
            "POST /psp/paymentorders HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n"
                + "Content-Type: application/json\r\n\r\n{",
        ]
    )
    func `a connection without a complete request is closed after the idle limit`(
        _ text: String
    ) async throws {
        var configuration = SandboxConfiguration()
        configuration.idleLimit = .milliseconds(200)
        try await withSandbox(configuration) { sandbox in
            let port = try #require(UInt16(sandbox.baseURL.split(separator: ":").last ?? ""))
            let rest = try await HalfOpen.rest(after: text, port: port, within: 10)
            #expect(rest == 0, "0 is the end of the connection, -1 that it stays open")
        }
    }

    @Test(arguments: ["/psp/paymentorders", "/nowhere"])
    func `a request whose body arrives byte by byte is given up after the idle limit`(
        path: String
    ) async throws {
        var configuration = SandboxConfiguration()
        configuration.idleLimit = .milliseconds(300)
        try await withSandbox(configuration) { sandbox in
            let port = try #require(UInt16(sandbox.baseURL.split(separator: ":").last ?? ""))
            let head =
                "POST \(path) HTTP/1.1\r\nHost: x\r\nContent-Length: 9000\r\n"
                + "Content-Type: application/json\r\n\r\n"
            let rest = try await HalfOpen.rest(after: head, port: port, within: 10, drips: true)
            #expect(rest == 0, "0 is the end of the connection, -1 that it stays open")
        }
    }

    @Test func `a payer approves on the bank's page in a browser`() async throws {
        try await withSandbox { sandbox in
            let driver = try await SessionDriver(sandbox, SandboxOrder(payerReference: "payer-1"))
            let started = try await driver.startCard(ending: "3406")
            let challenged = try await driver.createAuthentication(started, "U")
            let task = try #require(challenged.operation("complete-authentication")?.task)
            let request = try #require(task.expectation("creq"))
            let id = try #require(task.expectation("threeDSSessionData"))
            let url = try #require(task["href"]?.text)
            let forged = try await HTTPClient.send(
                "POST",
                url,
                form: "creq=e30&threeDSSessionData=\(id)"
            )
            #expect(forged.status == 400)
            let page = try await HTTPClient.send(
                "POST",
                url,
                form: "creq=\(request)&threeDSSessionData=\(id)"
            )
            #expect(page.status == 200)
            let form = try #require(page.text.firstMatch(of: /id="approve"[^>]*action="([^"]+)"/))
            let value = try #require(page.text.firstMatch(of: /name="cres" value="([^"]+)"/))
            #expect(
                String(form.1)
                    == started.operation("create-authentication")?.expectation("NotificationUrl")
            )

            let notified = try await HTTPClient.send(
                "POST",
                String(form.1),
                form: "cres=\(value.1)&threeDSSessionData=\(id)"
            )
            #expect(notified.status == 200)
            #expect(notified.url == "\(form.1)?cres=\(value.1)")
            let paid = try await driver.post(
                challenged.href("complete-authentication"),
                Bodies.completeAuthentication(String(value.1))
            )
            #expect(paid.redirect == "https://shop.example/complete")
        }
    }

    @Test func `forms are decoded as browsers encode them`() {
        let fields = FormText.fields("a=1+2&b=%C3%A5%3D%26&a=3&c&d=%zz".utf8)
        #expect(fields == ["a": "1 2", "b": "å=&", "c": "", "d": "%zz"])
        #expect(FormText.escaped("a b=&å+~") == "a%20b%3D%26%C3%A5%2B~")
    }

    @Test func `a JSON document is unchanged after writing and reading it`() throws {
        let document: JSON = [
            "text": "å \"quoted\" \\ \n\u{1}", "list": [1, -2, true, nil, [:]],
            "number": .number(0.5),
            "big": .integer(.max),
        ]
        #expect(JSON(bytes: document.bytes) == document)
        let foreign = try JSONSerialization.jsonObject(with: Data(document.bytes))
        #expect((foreign as? [String: Any])?["text"] as? String == "å \"quoted\" \\ \n\u{1}")
        #expect(JSON(bytes: Array("{\"a\":}".utf8)) == nil)
    }
}

/// How many responses each of four clients got.
private final class Answers: Sendable {
    let counts = Mutex([0, 0, 0, 0])
}
