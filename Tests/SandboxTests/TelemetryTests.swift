import Foundation
import Testing

@testable import Sandbox

@Suite struct TelemetryTests {
    @Test func `telemetry is kept in order and can be read back`() async throws {
        try await withSandbox { sandbox in
            let driver = try await SessionDriver(sandbox)
            let href = try await driver.prepare().href("event-logging")
            let method: JSON = ["name": "attempt", "sdk": "true", "succeeded": true]
            let call = Bodies.event.setting("event.action", to: "SDKMethodInvoked")
                .setting("http", to: nil).setting("method", to: method)
                .setting("extensions", to: ["values": ["msisdn": nil, "instrument": "Swish"]])
            for event in [Bodies.event, call] {
                let taken = try await HTTPClient.send("POST", href, json: event)
                #expect(taken.status == 204)
                #expect(taken.bytes.isEmpty)
            }
            let events = await sandbox.clientEvents(of: driver.order.id)
            #expect(events.map(\.sequence) == [1, 2])
            #expect(events.map(\.action) == ["HttpRequest", "SDKMethodInvoked"])
            #expect(JSON(bytes: Array(events[1].body.utf8)) == call)
            let response = try await HTTPClient.send(
                "GET",
                sandbox.baseURL + "/sandbox/orders/\(driver.order.id)/events"
            )
            #expect(
                try JSONDecoder().decode([ClientEvent].self, from: Data(response.bytes)) == events
            )
        }
    }

    @Test(
        arguments: [
            ("type", nil), ("type", "Other"), ("client", nil), ("client.userAgent", nil),
            ("service.version", nil), ("event", nil), ("event.created", nil),
            ("event.created", "yesterday"), ("event.action", nil), ("event.duration", nil),
            ("http", nil), ("http.requestUrl", nil), ("http.method", nil),
            ("extensions", ["values": ["count": 1]]),
        ] as [(String, JSON?)]
    )
    func `an event with a missing or wrong member is refused, naming the member`(
        path: String,
        value: JSON?
    )
        async throws
    {
        try await withSandbox { sandbox in
            let driver = try await SessionDriver(sandbox)
            let href = try await driver.prepare().href("event-logging")
            let refused = try await HTTPClient.send(
                "POST",
                href,
                json: Bodies.event.setting(path, to: value)
            )
            #expect(refused.status == 400)
            #expect(
                refused.json?.value(at: "problems.0.name")?.text?.hasPrefix(path) == true,
                "\(refused.text)"
            )
            #expect(await sandbox.clientEvents(of: driver.order.id).isEmpty)
        }
    }

    @Test func `an SDKCallbackInvoked event without method.succeeded is refused`() async throws {
        try await withSandbox { sandbox in
            let driver = try await SessionDriver(sandbox)
            let href = try await driver.prepare().href("event-logging")
            let refused = try await HTTPClient.send(
                "POST",
                href,
                json: Bodies.event.setting("event.action", to: "SDKCallbackInvoked")
            )
            #expect(refused.text.contains("method.succeeded"))
        }
    }

    @Test func `a scenario can leave out event-logging`() async throws {
        try await withSandbox { sandbox in
            var order = SandboxOrder()
            order.scenario.offersEventLogging = false
            let prepared = try await SessionDriver(sandbox, order).prepare()
            #expect(!prepared.rels.contains("event-logging"))
        }
    }

    @Test func `faults apply to telemetry as to every other operation`() async throws {
        try await withSandbox { sandbox in
            let scenario = Scenario(faults: [Fault(rel: "event-logging", kind: .status(503))])
            let driver = try await SessionDriver(sandbox, SandboxOrder(scenario: scenario))
            let href = try await driver.prepare().href("event-logging")
            var statuses: [Int] = []
            for _ in 1...2 {
                statuses.append(
                    try await HTTPClient.send("POST", href, json: Bodies.event).status
                )
            }
            #expect(statuses == [503, 204])
            #expect(await sandbox.clientEvents(of: driver.order.id).count == 1)
        }
    }
}
