import Testing

@testable import Sandbox

/// A snapshot as a client reads it.
struct Snapshot: Sendable {
    let json: JSON

    var problemType: String? { json.value(at: "problem.type")?.text }

    var methods: [String] {
        guard case .array(let methods)? = json.value(at: "paymentSession.methods") else {
            return []
        }
        return methods.compactMap { $0["paymentMethod"]?.text }
    }

    /// All operations: those of the session, of each method and of the problem.
    var operations: [JSON] {
        var found: [JSON] = []
        if case .array(let operations)? = json["operations"] { found += operations }
        if case .array(let methods)? = json.value(at: "paymentSession.methods") {
            for method in methods {
                if case .array(let operations)? = method["operations"] { found += operations }
            }
        }
        if let operation = json.value(at: "problem.operation") { found.append(operation) }
        return found
    }

    var rels: [String] { operations.compactMap { $0["rel"]?.text } }

    func operation(_ rel: String, of method: String? = nil) -> JSON? {
        guard let method else { return operations.first { $0["rel"]?.text == rel } }
        guard case .array(let methods)? = json.value(at: "paymentSession.methods"),
            case .array(let operations)? = methods.first(where: {
                $0["paymentMethod"]?.text == method
            })?["operations"]
        else { return nil }
        return operations.first { $0["rel"]?.text == rel }
    }

    func href(_ rel: String, of method: String? = nil) throws -> String {
        try #require(operation(rel, of: method)?["href"]?.text, "\(rel) is not on offer")
    }

    /// The stored cards: masked number and token.
    var cards: [(masked: String, token: String)] {
        guard case .array(let methods)? = json.value(at: "paymentSession.methods"),
            case .array(let prefills)? = methods.first(where: {
                $0["paymentMethod"]?.text == "CreditCard"
            })?["prefills"]
        else { return [] }
        return prefills.compactMap {
            guard let masked = $0["maskedPan"]?.text, let token = $0["paymentToken"]?.text else {
                return nil
            }
            return (masked, token)
        }
    }

    /// The address to which the payer is redirected.
    var redirect: String? { operation("redirect-payer")?["href"]?.text }
}

extension JSON {
    /// Returns the value of an expectation of an operation or of its first task.
    func expectation(_ name: String) -> String? {
        guard case .array(let expectations)? = self["expects"] else { return nil }
        return expectations.first { $0["name"]?.text == name }?["value"]?.text
    }

    var task: JSON? { value(at: "tasks.0") }
}

/// Drives one session as a client would.
struct SessionDriver: Sendable {
    let sandbox: SandboxServer
    let order: CreatedOrder

    init(_ sandbox: SandboxServer, _ order: SandboxOrder = SandboxOrder()) async throws {
        self.sandbox = sandbox
        self.order = try await sandbox.createOrder(order)
    }

    init(sandbox: SandboxServer, id: String, sessionURL: String) {
        self.sandbox = sandbox
        order = CreatedOrder(id: id, sessionURL: sessionURL)
    }

    func get(_ url: String? = nil) async throws -> Snapshot {
        let response = try await HTTPClient.send("GET", url ?? order.sessionURL)
        try #require(response.status == 200, "\(response.status) \(response.text)")
        return Snapshot(json: try #require(response.json))
    }

    func post(_ url: String, _ body: JSON? = nil) async throws -> Snapshot {
        let response = try await HTTPClient.send("POST", url, json: body)
        try #require(response.status == 200, "\(response.status) \(response.text)")
        return Snapshot(json: try #require(response.json))
    }

    func prepare() async throws -> Snapshot {
        try await post(try await get().href("prepare-payment"), Bodies.prepare)
    }

    /// Drives the session from its opening to the running attempt.
    func start(_ method: String, _ body: JSON) async throws -> Snapshot {
        let ready = try await get()
        let prepared = ready.rels == ["prepare-payment"] ? try await prepare() : ready
        let expanded = try await post(
            prepared.href("expand-method", of: method),
            Bodies.expand(method)
        )
        return try await post(expanded.href("start-payment-attempt", of: method), body)
    }

    func startCard(ending digits: String) async throws -> Snapshot {
        let prepared = try await prepare()
        let card = try #require(prepared.cards.first { $0.masked.hasSuffix(digits) })
        return try await start("CreditCard", Bodies.card(card.token))
    }

    func acknowledge(_ snapshot: Snapshot) async throws {
        let response = try await HTTPClient.send(
            "POST",
            snapshot.href("acknowledge-failed-attempt")
        )
        #expect(response.status == 204)
        #expect(response.bytes.isEmpty)
    }

    var ledger: LedgerOrder {
        get async throws { try #require(await sandbox.orderLedger(order.id)) }
    }

    /// Starts the authentication and acts as the payer on the issuer's page.
    func answerChallenge(_ snapshot: Snapshot, _ decision: String) async throws -> Snapshot {
        let task = try #require(snapshot.operation("complete-authentication")?.task)
        let id = try #require(task.expectation("threeDSSessionData"))
        let answer = try await HTTPClient.send(
            "POST",
            sandbox.baseURL + "/sandbox/acs/\(id)/\(decision)"
        )
        let response = try #require(answer.json?["cres"]?.text)
        return try await post(
            snapshot.href("complete-authentication"),
            Bodies.completeAuthentication(response)
        )
    }

    func createAuthentication(_ snapshot: Snapshot, _ indicator: String) async throws -> Snapshot {
        let operation = try #require(snapshot.operation("create-authentication"))
        let notification = try #require(operation.expectation("NotificationUrl"))
        return try await post(
            snapshot.href("create-authentication"),
            Bodies.createAuthentication(indicator, notification)
        )
    }
}

/// Runs a test with a sandbox of its own.
func withSandbox(
    _ configuration: SandboxConfiguration = SandboxConfiguration(),
    _ body: (SandboxServer) async throws -> Void
) async throws {
    let sandbox = try await SandboxServer.start(configuration)
    do {
        try await body(sandbox)
    } catch {
        await sandbox.shutdown()
        throw error
    }
    await sandbox.shutdown()
}
