import Foundation
import Testing

@testable import Sandbox

@Suite struct FaultTests {
    private func driver(_ sandbox: SandboxServer, _ faults: [Fault]) async throws -> SessionDriver {
        try await SessionDriver(
            sandbox,
            SandboxOrder(scenario: Scenario(swishApproval: .byPayer, faults: faults))
        )
    }

    @Test func `a status fault returns a problem and leaves the session unchanged`() async throws {
        try await withSandbox { sandbox in
            let fault = Fault(
                rel: "session",
                requests: .first(2),
                kind: .status(503, problemType: "https://example.org/busy", retryAfterSeconds: 7)
            )
            let driver = try await driver(sandbox, [fault])
            for _ in 1...2 {
                let response = try await HTTPClient.send("GET", driver.order.sessionURL)
                #expect(response.status == 503)
                #expect(response.headers["retry-after"] == "7")
                #expect(response.json?["type"] == "https://example.org/busy")
                #expect(response.json?["status"] == 503)
            }
            #expect(try await driver.get().rels == ["prepare-payment"])
        }
    }

    @Test func `an outage fails the requests of all orders until it ends, and they are counted`()
        async throws
    {
        try await withSandbox { sandbox in
            let drivers = [try await driver(sandbox, []), try await driver(sandbox, [])]
            await sandbox.injectFaults(with: [Fault(rel: "*", requests: .every, kind: .status(503))]
            )
            for driver in drivers {
                for _ in 1...2 {
                    let response = try await HTTPClient.send("GET", driver.order.sessionURL)
                    #expect(response.status == 503)
                }
            }
            #expect(await sandbox.requests["session"] == 4)
            await sandbox.injectFaults(with: [])
            for driver in drivers { #expect(try await driver.get().rels == ["prepare-payment"]) }
        }
    }

    @Test(arguments: [false, true])
    func `a reset kills the connection before or after the attempt starts`(
        takesEffect: Bool
    )
        async throws
    {
        try await withSandbox { sandbox in
            let driver = try await driver(
                sandbox,
                [Fault(rel: "start-payment-attempt", kind: .reset, takesEffect: takesEffect)]
            )
            let prepared = try await driver.prepare()
            let expanded = try await driver.post(
                prepared.href("expand-method", of: "Swish"),
                Bodies.expand("Swish")
            )
            let href = try expanded.href("start-payment-attempt")
            let message = try await Curl.post(href, Bodies.swish("+46739000001"))
            #expect(message.exitCode == 56)
            #expect(message.text.contains("reset by peer"))

            #expect(try await driver.ledger.attempts.count == (takesEffect ? 1 : 0))
            let again = try await HTTPClient.send(
                "POST",
                href,
                json: Bodies.swish("+46739000001")
            )
            #expect(again.status == (takesEffect ? 409 : 200))
            #expect(try await driver.ledger.attempts.count == 1)
        }
    }

    @Test func `a delay fault delays the response`() async throws {
        try await withSandbox { sandbox in
            let driver = try await driver(
                sandbox,
                [Fault(rel: "session", kind: .delay(.milliseconds(300)))]
            )
            let began = ContinuousClock().now
            _ = try await driver.get()
            #expect(ContinuousClock().now - began >= .milliseconds(300))
        }
    }

    @Test(arguments: [false, true])
    func `a request that hangs never gets a response`(takesEffect: Bool) async throws {
        try await withSandbox { sandbox in
            let driver = try await driver(
                sandbox,
                [Fault(rel: "prepare-payment", kind: .hang, takesEffect: takesEffect)]
            )
            let href = try await driver.get().href("prepare-payment")
            await #expect(throws: URLError.self) {
                _ = try await HTTPClient.send("POST", href, json: Bodies.prepare, timeout: 1)
            }
            #expect(try await driver.get().rels.contains("prepare-payment") == !takesEffect)
        }
    }

    @Test(
        arguments: [
            (.empty, 200, ""), (.noContent, 204, ""),
            (.garbage, 200, "{\"paymentSession\": \u{FFFD}{{"),
            (.html, 200, "<!doctype html><html><body>502 Bad Gateway</body></html>"),
            (.wrongTypes, 200, #"{"operations":7,"paymentSession":"none","problem":[true]}"#),
        ] as [(Fault.Kind, Int, String)]
    )
    func `an operation takes effect although its response is unusable`(
        kind: Fault.Kind,
        status: Int,
        text: String
    ) async throws {
        try await withSandbox { sandbox in
            let driver = try await driver(sandbox, [Fault(rel: "prepare-payment", kind: kind)])
            let href = try await driver.get().href("prepare-payment")
            let response = try await HTTPClient.send("POST", href, json: Bodies.prepare)
            #expect(response.status == status)
            #expect(response.text == text)
            #expect(try await driver.get().methods.count == 3)
        }
    }

    @Test func `an array fault wraps the response object in an array`() async throws {
        try await withSandbox { sandbox in
            let driver = try await driver(sandbox, [Fault(rel: "session", kind: .array)])
            let response = try await HTTPClient.send("GET", driver.order.sessionURL)
            guard case .array(let elements)? = response.json else {
                Issue.record("not an array: \(response.text)")
                return
            }
            #expect(elements == [try await driver.get().json])
        }
    }

    @Test func `a huge body is at least as long as requested`() async throws {
        try await withSandbox { sandbox in
            let driver = try await driver(
                sandbox,
                [Fault(rel: "session", kind: .huge(bytes: 3_000_000))]
            )
            let response = try await HTTPClient.send("GET", driver.order.sessionURL)
            #expect(response.bytes.count >= 3_000_000)
            #expect(response.headers["content-length"] == nil)
            #expect(response.text.hasPrefix("{\"filler\":\"xxx") && response.text.hasSuffix("x\"}"))
        }
    }

    @Test func `an unusual but valid response still contains the session`() async throws {
        try await withSandbox { sandbox in
            let kinds: [Fault.Kind] = [.duplicateMembers, .unknownMembers, .unknownNext]
            let faults = kinds.enumerated().map {
                Fault(rel: "session", requests: .nth($0.offset + 1), kind: $0.element)
            }
            let driver = try await driver(sandbox, faults)
            let doubled = try await HTTPClient.send("GET", driver.order.sessionURL).text
            let unknown = try await driver.get().json
            let next = try await driver.get()
            let plain = try await driver.get().json

            #expect(doubled.hasPrefix(#"{"operations":null,"paymentSession":null,"problem":null,"#))
            #expect(doubled.hasSuffix(String(decoding: plain.bytes.dropFirst(), as: UTF8.self)))
            #expect(unknown != plain)
            #expect(unknown.withoutMember("xUnknown") == plain)
            #expect(next.rels == ["x-never-heard-of", "prepare-payment"])
            #expect(next.operations.first?["next"] == true)
        }
    }

    @Test func `a fault affects the requests that it names, counted from its installation`()
        async throws
    {
        try await withSandbox { sandbox in
            let driver = try await driver(sandbox, [])
            _ = try await driver.get()
            let installed = try await HTTPClient.send(
                "POST",
                sandbox.baseURL + "/sandbox/faults",
                json: [
                    "order": .string(driver.order.id), "rel": "session", "nth": 2,
                    "kind": "status", "status": 500,
                ]
            )
            #expect(installed.status == 204)
            var statuses: [Int] = []
            for _ in 1...3 {
                statuses.append(try await HTTPClient.send("GET", driver.order.sessionURL).status)
            }
            #expect(statuses == [200, 500, 200])

            try await sandbox.install(
                Fault(rel: "*", requests: .every, kind: .status(502)),
                order: driver.order.id
            )
            for _ in 1...2 {
                #expect(try await HTTPClient.send("GET", driver.order.sessionURL).status == 502)
            }
            await #expect(throws: SandboxError.unknownOrder) {
                try await sandbox.install(Fault(rel: "*", kind: .hang), order: "nobody")
            }
        }
    }

    @Test func `faults in an order's JSON are parsed with all their options`() throws {
        let body: JSON = [
            "sandbox": [
                "faults": [
                    ["rel": "session", "kind": "resetAfter", "first": 3],
                    ["rel": "*", "kind": "status", "status": 429, "retryAfterSeconds": 2],
                    [
                        "rel": "get-payment", "kind": "delay", "milliseconds": 50, "every": true,
                        "takesEffect": true,
                    ],
                    ["rel": "abort-payment", "kind": "huge", "bytes": 5, "nth": 4],
                ]
            ]
        ]
        var reader = BodyReader(body)
        let faults = Scenario.read(from: &reader, at: "sandbox").faults
        try reader.finish()
        #expect(
            faults == [
                Fault(rel: "session", requests: .first(3), kind: .reset, takesEffect: true),
                Fault(rel: "*", kind: .status(429, retryAfterSeconds: 2)),
                Fault(
                    rel: "get-payment",
                    requests: .every,
                    kind: .delay(.milliseconds(50)),
                    takesEffect: true
                ),
                Fault(rel: "abort-payment", requests: .nth(4), kind: .huge(bytes: 5)),
            ]
        )
    }
}

extension JSON {
    /// Returns the document without any members of this name.
    fileprivate func withoutMember(_ name: String) -> JSON {
        switch self {
        case .object(let members):
            .object(members.filter { $0.key != name }.mapValues { $0.withoutMember(name) })
        case .array(let elements): .array(elements.map { $0.withoutMember(name) })
        case .null, .bool, .integer, .number, .string: self
        }
    }
}
