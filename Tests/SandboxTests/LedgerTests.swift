import Foundation
import Testing

@testable import Sandbox

@Suite struct LedgerTests {
    @Test func `every request of a payment is in the ledger, in order`() async throws {
        try await withSandbox { sandbox in
            let driver = try await SessionDriver(
                sandbox,
                SandboxOrder(scenario: Scenario(swishApproval: .after(.zero)))
            )
            _ = try await driver.start("Swish", Bodies.swish("+46739000001"))
            let entries = await sandbox.entries(of: driver.order.id)
            #expect(
                entries.map(\.rel) == [
                    "session", "session", "prepare-payment", "expand-method",
                    "start-payment-attempt",
                ]
            )
            #expect(entries.map(\.sequence) == [1, 2, 3, 4, 5])
            #expect(entries.allSatisfy { $0.status == 200 && $0.outcome == "ok" })
            let ledger = await sandbox.ledger
            #expect(ledger.paidOrders == 1)
            #expect(ledger.capturedAmount == 10_000)
            #expect(ledger.requests["session"] == 2)
            #expect(ledger.doubledOrders.isEmpty)
        }
    }

    @Test func `the ledger distinguishes refusals from faults`() async throws {
        try await withSandbox { sandbox in
            let driver = try await SessionDriver(
                sandbox,
                SandboxOrder(
                    scenario: Scenario(faults: [
                        Fault(rel: "prepare-payment", kind: .status(500)),
                        Fault(rel: "prepare-payment", requests: .nth(2), kind: .empty),
                    ])
                )
            )
            let href = try await driver.get().href("prepare-payment")
            for _ in 1...4 { _ = try await HTTPClient.send("POST", href, json: Bodies.prepare) }
            _ = try await HTTPClient.send("POST", href, form: "", contentType: "text/plain")
            let entries = await sandbox.entries(of: driver.order.id).dropFirst()
            #expect(
                entries.map(\.outcome) == [
                    "status-500-before-processing", "empty-after-processing",
                    "paymentsessions/operationnotallowed", "paymentsessions/operationnotallowed",
                    "unsupportedmediatype",
                ]
            )
        }
    }

    @Test func `a client that starts an attempt twice pays twice, and the ledger reports it`()
        async throws
    {
        let time = ManualTime()
        var configuration = SandboxConfiguration()
        configuration.now = { time.now }
        try await withSandbox(configuration) { sandbox in
            let scenario = Scenario(acceptsRepeatedStarts: true)
            let driver = try await SessionDriver(sandbox, SandboxOrder(scenario: scenario))
            let prepared = try await driver.prepare()
            let expanded = try await driver.post(
                prepared.href("expand-method", of: "Swish"),
                Bodies.expand("Swish")
            )
            let href = try expanded.href("start-payment-attempt")
            _ = try await driver.post(href, Bodies.swish("+46739000001"))
            _ = try await driver.post(href, Bodies.swish("+46739000001"))
            #expect(
                try await driver.ledger.doubles == ["2 attempts were under way at once"]
            )

            time.advance(by: .seconds(2))
            let ledger = try await driver.ledger
            #expect(ledger.attempts.map(\.state) == [.paid, .paid])
            #expect(ledger.capturedAmount == 20_000)
            #expect(
                ledger.doubles == ["2 attempts were paid", "2 attempts were under way at once"]
            )
            #expect(await sandbox.ledger.doubledOrders == [driver.order.id])
        }
    }

    @Test func `the ledger is readable over HTTP and holds no secret`() async throws {
        try await withSandbox { sandbox in
            let driver = try await SessionDriver(
                sandbox,
                SandboxOrder(payerReference: "payer-1")
            )
            let prepared = try await driver.prepare()
            let whole = try await HTTPClient.send("GET", sandbox.baseURL + "/sandbox/ledger")
            let read = try JSONDecoder().decode(SandboxLedger.self, from: Data(whole.bytes))
            #expect(read == (await sandbox.ledger))

            let page = try await HTTPClient.send(
                "GET",
                sandbox.baseURL + "/sandbox/ledger/" + driver.order.id
            )
            #expect(page.json?.value(at: "order.status") == "Initialized")
            #expect(page.json?.value(at: "order.requests.prepare-payment") == 1)
            #expect(page.json?.value(at: "entries.0.rel") == "session")
            for href in prepared.operations.compactMap({ $0["href"]?.text }) {
                let secret = try #require(href.split(separator: "/").last)
                #expect(!whole.text.contains(secret) && !page.text.contains(secret))
            }
            let unknown = sandbox.baseURL + "/sandbox/ledger/unknown"
            #expect(try await HTTPClient.send("GET", unknown).status == 404)
        }
    }

    @Test func `the ledger keeps only the newest requests and counts all of them`() {
        var book = LedgerBook(limit: 3)
        for number in 1...20 {
            book.count("session")
            book.record(
                order: "o\(number)",
                rel: "session",
                status: 200,
                outcome: "ok",
                at: Date()
            )
        }
        #expect(book.newest().map(\.sequence) == [18, 19, 20])
        #expect(book.newest(of: "o19").map(\.sequence) == [19])
        #expect(book.requests == ["session": 20])
    }
}
