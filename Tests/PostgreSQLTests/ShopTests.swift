import Foundation
import FoundationNetworking
import Glibc
import Sandbox
internal import TestSupport
import Testing

extension PostgreSQLTests {
    /// The example shop: nodes in processes of their own, on one database, with a sandbox as the
    /// PSP.
    @Suite(.fewAtATime, .timeLimit(.minutes(10))) struct ShopTests {
        @Test
        func
            `a node dies in the middle of a payment, and another one finishes and captures it once`()
            async throws
        {
            try await OnServer.run { place in
                var configuration = SandboxConfiguration()
                configuration.accessToken = Node.token
                let sandbox = try await SandboxServer.start(configuration)
                let ports = [try Cluster.freePort(), try Cluster.freePort()]
                func start(_ index: Int) throws -> Node {
                    // Payers and the PSP reach the shop at its second node.
                    try Node(ports[index], reachedAt: ports[1], place.database, sandbox)
                }
                let first = try start(0)
                let second = try start(1)
                try await first.isReady()
                try await second.isReady()

                // The first node shows the PSP's page to the payer, and then dies.
                let page = try await first.ask("POST", "/orders/4711")
                #expect(page.status == 200 && page.text.contains("<script>"))
                // An app gets the same actions, in JSON, from any node.
                let asked = try await second.ask("GET", "/orders/4711/actions")
                let actions = try JSONSerialization.jsonObject(with: Data(asked.text.utf8))
                let action = try #require((actions as? [[String: Any]])?.first)
                #expect(action["kind"] as? String == "showMenu")
                let place = "/orders/4711/actions/\(action["id"] ?? "")"
                let shown = try await second.ask("POST", place, #"{"outcome":"shown"}"#)
                #expect(shown.text == "accepted")
                await first.kill()
                // The payer comes back from an app, to the other node, and sees the page again.
                let returned = try await second.ask("GET", "/orders/4711/return")
                #expect(returned.status == 200 && returned.text.contains("<script>"))
                #expect(try await second.ask("GET", "/orders/4712/return").status == 404)
                let order = try #require(try await second.payment("4711").order)
                let paying = URL(
                    string: "\(sandbox.baseURL)/sandbox/menu/\(order)/pay?method=CreditCard"
                )
                var request = URLRequest(url: try #require(paying))
                request.httpMethod = "POST"
                _ = try await URLSession.shared.data(for: request)
                // The PSP sends its callback, and the payer's browser returns.
                #expect(try await second.ask("GET", "/orders/4711/complete").status == 200)
                let late = try await second.ask("POST", place, #"{"outcome":"canceled"}"#)
                #expect(late.text == "late")
                try await second.wait { try await second.payment("4711").isConfirmed }
                try await second.wait {
                    await sandbox.callbacks(of: order).flatMap(\.tries).contains {
                        $0.status == 200
                    }
                }
                for _ in 1...2 {
                    let shipped = try await second.ask("POST", "/orders/4711/shipment")
                    #expect(shipped.text == "done")
                }

                // The reverse: the first one is restarted, and knows everything.
                await second.kill()
                let again = try start(0)
                try await again.isReady()
                #expect(try await again.payment("4711").isConfirmed)
                #expect(try await again.ask("POST", "/orders/4711/shipment").text == "done")
                #expect(try await again.ask("GET", "/orders/4712/payment").status == 404)
                await again.kill()
                let ledger = await sandbox.ledger
                #expect(ledger.paidOrders == 1 && ledger.orders.map(\.attempts.count) == [1])
                #expect(ledger.captures == 1 && ledger.capturedAmount == 12_500)
                #expect(ledger.doubledOrders == [] && ledger.refusedDuplicates == 0)
                await sandbox.shutdown()
            }
        }
    }
}

/// A node of the shop.
private struct Node {
    private let process: TestProcess
    private let port: UInt16

    /// The token that the PSP of these tests requires.
    static let token = "merchant-access"

    init(
        _ port: UInt16,
        reachedAt publicPort: UInt16,
        _ database: Database,
        _ sandbox: SandboxServer
    ) throws {
        self.port = port
        process = try TestProcess(
            "Shop",
            ["\(port)"],
            in: NSTemporaryDirectory(),
            environment: [
                "SHOP_URL": "http://127.0.0.1:\(publicPort)", "SHOP_STORE": database.url(),
                "SHOP_KEY": Data(repeating: 7, count: 32).base64EncodedString(),
                "SHOP_PSP": sandbox.baseURL, "SHOP_TOKEN": Self.token,
            ]
        )
    }

    /// Waits until it listens.
    func isReady() async throws { try #require(await process.line() == "ready") }

    /// Kills it, as in a crash.
    func kill() async { await process.end() }

    /// Sends a request, and follows redirections.
    func ask(
        _ method: String,
        _ path: String,
        _ body: String? = nil
    ) async throws -> (status: Int, text: String) {
        var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:\(port)\(path)")))
        request.httpMethod = method
        request.httpBody = body.map { Data($0.utf8) }
        let (data, response) = try await URLSession.shared.data(for: request)
        return (
            (response as? HTTPURLResponse)?.statusCode ?? 0, String(decoding: data, as: UTF8.self)
        )
    }

    /// Returns the state of a payment.
    func payment(_ number: String) async throws -> (order: String?, isConfirmed: Bool) {
        let text = try await ask("GET", "/orders/\(number)/payment").text
        let view = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        let checkout = view?["checkout"] as? [String: Any]
        let path = (checkout?["order"] as? [String: Any])?["id"] as? String
        return (
            path?.split(separator: "/").last.map { String($0) },
            view?["outcome"] as? String == "completed" && view?["confirmed"] as? Bool == true
        )
    }

    /// Polls until a condition holds, for at most one minute.
    func wait(until isSo: () async throws -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while try await !isSo() {
            try #require(ContinuousClock.now < deadline)
            try await Task.sleep(for: .milliseconds(50))
        }
    }
}
