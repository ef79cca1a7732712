import Testing

@testable import Sandbox

/// Sends requests to the sandbox as a merchant's server does.
struct MerchantDriver: Sendable {
    let sandbox: SandboxServer
    /// The order's path relative to the API's URL.
    let path: String
    /// The response to the creation.
    let created: Snapshot

    /// Creates an order of an API version.
    init(
        _ sandbox: SandboxServer,
        _ version: String = "3.1",
        _ order: JSON = Bodies.freshOrder(),
        scenario: JSON? = nil
    ) async throws {
        self.sandbox = sandbox
        var body: [String: JSON] = ["paymentorder": order]
        body["sandbox"] = scenario
        let response = try await HTTPClient.send(
            "POST",
            sandbox.baseURL + "/psp/paymentorders",
            json: .object(body),
            contentType: "application/json;version=\(version)"
        )
        try #require(response.status == 201, "\(response.status) \(response.text)")
        created = Snapshot(json: try #require(response.json))
        path = try #require(created.json.value(at: "paymentOrder.id")?.text)
    }

    /// The last part of the order's id.
    var id: String { String(path.dropFirst("/psp/paymentorders/".count)) }

    var url: String { sandbox.baseURL + path }

    /// Reads the order with some of its parts.
    func read(_ parts: String = "") async throws -> Snapshot {
        let query = parts.isEmpty ? "" : "?$expand=\(parts)"
        let response = try await HTTPClient.send("GET", url + query)
        try #require(response.status == 200, "\(response.status) \(response.text)")
        return Snapshot(json: try #require(response.json))
    }

    /// Pays at once, as the payer.
    func pay(_ method: String) async throws {
        let response = try await HTTPClient.send(
            "POST",
            "\(sandbox.baseURL)/sandbox/orders/\(id)/outcome?as=paid&method=\(method)"
        )
        try #require(response.status == 200)
    }

    /// Requests a change of the order.
    func patch(_ operation: String, _ members: [String: JSON] = [:]) async throws -> Answer {
        let body = JSON.object(members.merging(["operation": .string(operation)]) { $1 })
        return try await HTTPClient.send("PATCH", url, json: ["paymentorder": body])
    }

    /// Captures, cancels or reverses with the operation that the order offers.
    func transact(
        _ rel: String,
        _ amount: Int? = nil,
        reference: String = OpaqueTokenText.reference(),
        more: [String: JSON] = [:]
    ) async throws -> Answer {
        try await HTTPClient.send(
            "POST",
            try await read().href(rel),
            json: Self.transaction(amount, reference: reference, more: more)
        )
    }

    /// Returns the body of a transaction.
    static func transaction(
        _ amount: Int?,
        reference: String = OpaqueTokenText.reference(),
        more: [String: JSON] = [:]
    ) -> JSON {
        var members = more
        members["description"] = "Shipment 1"
        members["payeeReference"] = .string(reference)
        if let amount {
            members["amount"] = .integer(amount)
            members["vatAmount"] = .integer(amount / 5)
        }
        return ["transaction": .object(members)]
    }

    var ledger: LedgerOrder {
        get async throws { try #require(await sandbox.orderLedger(id)) }
    }
}

extension Snapshot {
    /// Returns a value of the order.
    func order(_ path: String) -> JSON? { json.value(at: "paymentOrder.\(path)") }
}
