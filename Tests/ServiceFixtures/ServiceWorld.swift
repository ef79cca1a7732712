package import Adapters
package import EventLog
package import Foundation
import FoundationNetworking
package import HTTPTypes
import Inspection
import LogFixtures
package import Sandbox
package import Service
package import SwedbankPay
package import TestSupport
package import Testing
import Workflow

/// The API in this process, on a real store, with the sandbox PSP over HTTP; every response is
/// compared with the published description.
package final class ServiceWorld: Sendable {
    package let sandbox: SandboxServer
    package let folder: URL
    package let node: Node
    package let tokens: [String: String]
    /// What this world's nodes are started with.
    package let policies: PaymentAPI.Policies

    /// The token that the PSP of these tests requires for orders.
    package static let accessToken = "merchant-access-0123456789"

    /// Policies of a merchant who may create orders at the PSP.
    package static var merchant: PaymentAPI.Policies {
        var policies = PaymentAPI.Policies()
        policies.orders = OrderAccess(accessToken: { _ in accessToken })
        return policies
    }

    /// Policies of a merchant whose proxies at 10.0.0.0/8 sign people in; a group has the name of
    /// its role.
    package static var signingIn: PaymentAPI.Policies {
        get throws {
            var policies = merchant
            let roles = Dictionary(
                uniqueKeysWithValues: Role.allCases.map { ("\($0)s", Set([$0])) }
            )
            policies.identity = ProxyIdentity(
                trustedProxies: [try #require(AddressRange("10.0.0.0/8"))],
                roles: roles
            )
            return policies
        }
    }

    /// What a proxy adds to the requests of a person.
    package static func fields(of person: String, in groups: String) -> HTTPFields {
        [ProxyIdentity.usualUserField: person, ProxyIdentity.usualGroupsField: groups]
    }

    /// The published description of the service.
    package static let contract = OpenAPIContract("service")

    /// An engine with its API.
    package struct Node: Sendable {
        package let loop: UVLoop
        package let transport: CurlTransport
        package let store: SQLiteEventStore
        package let engine: PaymentEngine
        package let api: PaymentAPI
        package let running: [Task<Void, Never>]

        package func shutdown() async {
            for task in running { task.cancel() }
            await engine.shutdown()
            for task in running { await task.value }
            await transport.shutdown()
            await store.close()
            let loop = loop
            await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    loop.shutdown()
                    continuation.resume()
                }
            }
        }
    }

    private init(
        _ sandbox: SandboxServer,
        _ folder: URL,
        _ node: Node,
        _ tokens: [String: String],
        _ policies: PaymentAPI.Policies
    ) {
        (self.sandbox, self.folder, self.node, self.tokens) = (sandbox, folder, node, tokens)
        self.policies = policies
    }

    /// Runs a test in a world of its own, which is removed afterwards.
    package static func with(
        _ policies: PaymentAPI.Policies = merchant,
        _ body: (ServiceWorld) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var configuration = SandboxConfiguration()
        configuration.swishAppApprovalDelay = nil
        configuration.swishApprovalDelay = .zero
        configuration.bankReversalDelay = .zero
        configuration.accessToken = accessToken
        let sandbox = try await SandboxServer.start(configuration)
        let file = AccessTokens(path: folder.appending(path: "tokens").path)
        var tokens: [String: String] = [:]
        for role in Role.allCases {
            tokens[role.rawValue] = try file.create(
                name: "\(role)",
                roles: [role],
                expires: nil,
                at: Instant(microseconds: 0),
                random: SystemRandom()
            ).secret
        }
        let node = try await start(in: folder, policies)
        let world = ServiceWorld(sandbox, folder, node, tokens, policies)
        let result: Result<Void, any Error>
        do { result = .success(try await body(world)) } catch { result = .failure(error) }
        await node.shutdown()
        await sandbox.shutdown()
        try result.get()
    }

    /// Starts a node on the store of a folder.
    package static func start(
        in folder: URL,
        _ policies: PaymentAPI.Policies = merchant,
        allowingLoopback: Bool = true
    ) async throws -> Node {
        let loop = try UVLoop(name: "engine")
        var reach = TransportConfiguration()
        reach.allowsInsecureLoopback = allowingLoopback
        let transport = CurlTransport(on: loop, configuration: reach)
        var options = SwedbankPayOptions()
        options.allowsInsecureLoopback = true
        let provider = SwedbankPayProvider(
            transport: transport,
            options: options,
            access: policies.orders ?? OrderAccess()
        )
        let path = folder.appending(path: "payments.db").path
        let store = try await SQLiteEventStore(path: path, loop: loop)
        let vault = try KeyFileVault(path: path + ".key")
        var configuration = PaymentConfiguration()
        configuration.sessionLimits.pollInterval = .milliseconds(400)
        let clock = UVClock(on: loop)
        let engine = PaymentEngine(
            configuration: configuration,
            catalogue: .bundled,
            store: store,
            provider: provider,
            vault: vault,
            clock: clock,
            random: SystemRandom(),
            executor: loop
        )
        var policies = policies
        policies.transport = transport
        let api = PaymentAPI(
            engine: engine,
            store: store,
            vault: vault,
            reach: reach,
            tokens: AccessTokens(path: folder.appending(path: "tokens").path),
            documents: ServiceDocuments(errors: ["request.forbidden": "text"]),
            policies: policies,
            clock: clock
        )
        return Node(
            loop: loop,
            transport: transport,
            store: store,
            engine: engine,
            api: api,
            running: [Task { await engine.run() }, Task { await api.run() }]
        )
    }

    /// A response, as a client sees it.
    package struct Reply {
        package var status: Int
        package var fields: HTTPFields
        package var text: String

        package var json: [String: Any] {
            get throws {
                let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
                return try #require(value as? [String: Any])
            }
        }

        /// The code of a problem document.
        package var code: String? { (try? json)?["code"] as? String }

        /// The PSP's name of the order in the view of a checkout.
        package var orderName: String {
            get throws {
                let checkout = try #require(try json["checkout"] as? [String: Any])
                let order = try #require(checkout["order"] as? [String: Any], "\(text)")
                let path = try #require(order["id"] as? String)
                return String(path.split(separator: "/").last ?? "")
            }
        }

        /// The captures, cancellations and reversals in the view of a checkout.
        package var transactions: [[String: Any]] {
            get throws {
                let checkout = try json["checkout"] as? [String: Any]
                return checkout?["transactions"] as? [[String: Any]] ?? []
            }
        }

        /// The open actions of a view.
        package var actions: [[String: Any]] {
            get throws { try json["actions"] as? [[String: Any]] ?? [] }
        }
    }

    /// Sends a request with a token, or the token of a role.
    package func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        as token: String?,
        _ body: String? = nil,
        _ fields: HTTPFields = [:],
        to node: Node? = nil,
        from source: String = "127.0.0.1",
        at listener: PaymentAPI.Listener = .everything,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Reply {
        let response = await respond(
            method,
            path,
            as: token,
            body,
            fields,
            to: node,
            from: source,
            at: listener
        )
        guard case .whole(let bytes) = response.body else {
            Issue.record("the response is a stream", sourceLocation: sourceLocation)
            return Reply(status: 0, fields: [:], text: "")
        }
        let text = String(decoding: bytes, as: UTF8.self)
        var sent: [String: String] = [:]
        for field in response.head.headerFields { sent[field.name.rawName] = field.value }
        let misfit = try Self.contract.misfit(
            method.rawValue,
            String(path.split(separator: "?")[0]),
            asked: body ?? "",
            response.head.status.code,
            fields: sent,
            body: text
        )
        #expect(misfit == nil, "\(method) \(path)", sourceLocation: sourceLocation)
        return Reply(
            status: response.head.status.code,
            fields: response.head.headerFields,
            text: text
        )
    }

    /// Follows a stream until it has enough, and returns its events.
    package func follow(
        _ path: String,
        as token: String,
        after id: String? = nil,
        at node: Node? = nil,
        until isEnough: ([StreamedEvent]) -> Bool
    ) async throws -> [StreamedEvent] {
        var fields: HTTPFields = [:]
        fields[.lastEventID] = id
        let response = await respond(.get, path, as: token, nil, fields, to: node)
        guard case .stream(let parts) = response.body else {
            Issue.record("the response to \(path) is no stream: \(response.head.status)")
            return []
        }
        var text = ""
        for await part in parts {
            text += String(decoding: part, as: UTF8.self)
            let events = StreamedEvent.all(in: text)
            if isEnough(events) { return events }
        }
        return StreamedEvent.all(in: text)
    }

    private func respond(
        _ method: HTTPRequest.Method,
        _ path: String,
        as token: String?,
        _ body: String?,
        _ fields: HTTPFields,
        to node: Node?,
        from source: String = "127.0.0.1",
        at listener: PaymentAPI.Listener = .everything
    ) async -> ServiceResponse {
        var head = HTTPRequest(method: method, scheme: "http", authority: "test", path: path)
        head.headerFields = fields
        if let token { head.headerFields[.authorization] = "Bearer \(tokens[token] ?? token)" }
        if body != nil, head.headerFields[.contentType] == nil {
            head.headerFields[.contentType] = "application/json"
        }
        return await (node ?? self.node).api.respond(
            to: head,
            body: Array((body ?? "").utf8),
            from: source,
            at: listener
        )
    }

    /// Opens a session for a new order, and returns it with a token of its payer.
    package func open(
        _ order: SandboxOrder = SandboxOrder(payerReference: "payer-1")
    ) async throws -> (session: String, payer: String, order: CreatedOrder) {
        let created = try await sandbox.createOrder(order)
        let opened = try await send(
            .post,
            "/v1/sessions",
            as: "driver",
            #"{"url": "\#(created.sessionURL)", "reference": "order-1"}"#
        )
        try #require(opened.status == 201, "\(opened.text)")
        let session = try #require(try opened.json["session"] as? String)
        let made = try await send(.post, "/v1/sessions/\(session)/payer-tokens", as: "driver")
        return (session, try #require(try made.json["token"] as? String), created)
    }

    /// Ends a session, and destroys its keys.
    package func erase(_ session: String) async throws {
        _ = try await send(.post, "/v1/sessions/\(session)/abort", as: "operator")
        let id = try #require(SessionID(session))
        let erasure = Erasure(in: node.store, recordedBy: node.api.trail)
        for _ in 0..<100 {
            let done = await erasure.erase([id], nil, by: "test", reason: nil) { _ in }
            if done.erased[id] != nil { return }
            // The engine still has its lease.
            try await Task.sleep(for: .milliseconds(50))
        }
        Issue.record("the session is in use")
    }

    /// Returns an order in the form of the PSP's API.
    package static func order(
        amount: Int = 10_000,
        instrument: String? = nil,
        reference: String = "order-1",
        sandbox: String = "{}"
    ) -> String {
        let locked = instrument.map { #""instrument": "\#($0)", "# } ?? ""
        return """
            {"paymentorder": {"operation": "Purchase", \(locked)"currency": "SEK",
             "amount": \(amount), "vatAmount": \(amount / 5), "description": "Lamp",
             "language": "sv-SE", "productName": "Checkout3",
             "urls": {"hostUrls": ["https://shop.example/"],
             "completeUrl": "https://shop.example/complete",
             "cancelUrl": "https://shop.example/cancel",
             "paymentUrl": "https://shop.example/pay?id=1",
             "callbackUrl": "https://shop.example/call"},
             "payeeInfo": {"payeeId": "shop", "orderReference": "\(reference)"},
             "sandbox": \(sandbox)}}
            """
    }

    /// The body with which a checkout is opened at the PSP.
    package func checkout(_ order: String = ServiceWorld.order(), _ more: String = "") -> String {
        #"{"psp": "\#(sandbox.baseURL)", "order": \#(order)\#(more)}"#
    }

    /// Opens a checkout at the PSP, and returns its session and the PSP's name of the order.
    package func openCheckout(
        _ order: String = ServiceWorld.order()
    ) async throws -> (session: String, order: String) {
        let opened = try await send(.post, "/v1/checkouts", as: "driver", checkout(order))
        try #require(opened.status == 201, "\(opened.text)")
        let session = try #require(try opened.json["session"] as? String)
        #expect(opened.fields[.location] == "/v1/sessions/\(session)")
        return (session, try opened.orderName)
    }

    /// Opens a checkout whose order is then paid by card, elsewhere.
    package func paidCheckout(
        sandbox faults: String = "{}"
    ) async throws -> (session: String, order: String) {
        let (session, order) = try await openCheckout(ServiceWorld.order(sandbox: faults))
        try await payElsewhere(order)
        _ = try await send(.post, "/v1/sessions/\(session)/refetch", as: "operator")
        return (session, order)
    }

    /// Pays an order by card, elsewhere.
    package func payElsewhere(_ order: String) async throws {
        let address = "\(sandbox.baseURL)/sandbox/orders/\(order)/outcome?as=paid&method=CreditCard"
        var request = URLRequest(url: try #require(URL(string: address)))
        request.httpMethod = "POST"
        let (_, response) = try await URLSession.shared.data(for: request)
        try #require((response as? HTTPURLResponse)?.statusCode == 200)
    }

    /// Writes a kept log into the store, as `import` does, and returns its session.
    @discardableResult
    package func importLog(_ text: String) async throws -> SessionID {
        let log = try GoldenLogs.log(in: text)
        var summary = node.engine.decider.summary(of: log.state)
        (summary.dueAt, summary.origin) = (nil, .imported)
        try await node.store.append(
            StreamAppend(
                stream: log.session,
                expectedVersion: 0,
                records: log.records,
                summary: summary
            )
        )
        return log.session
    }

    /// Approves in Swish as the payer.
    package func approveInSwish(_ action: [String: Any]) async throws {
        let link = try #require(action["url"] as? String)
        let token = try #require(link.firstMatch(of: /token=([^&]+)/)?.1)
        let url = URL(string: "\(sandbox.baseURL)/sandbox/swish/\(token)?decision=approve")
        _ = try await URLSession.shared.data(from: try #require(url))
    }
}

/// An event of a stream.
package struct StreamedEvent: Hashable {
    package var id = ""
    package var name = ""
    package var data = ""

    package static func all(in text: String) -> [StreamedEvent] {
        text.components(separatedBy: "\n\n").dropLast().compactMap { block in
            var event = StreamedEvent()
            for line in block.split(separator: "\n") {
                if line.hasPrefix("id: ") { event.id = String(line.dropFirst(4)) }
                if line.hasPrefix("event: ") { event.name = String(line.dropFirst(7)) }
                if line.hasPrefix("data: ") { event.data = String(line.dropFirst(6)) }
            }
            return event.name.isEmpty ? nil : event
        }
    }
}
