import Adapters
import Foundation
import HTTPTypes
import MerchantBackend
import SwedbankPay
import Testing

/// A merchant's service with two users, in front of a PSP.
struct Shop {
    static let token = "psp-access-token-that-nobody-may-see"
    static let secret = "cb0123456789abcdefghijklmnop"

    let backend: PaymentBackend
    let register: InMemoryOrderRegister
    let listener: Listener
    let psp: ScriptedPSP

    init(
        psp: ScriptedPSP = ScriptedPSP(),
        features: BackendFeatures = .all,
        review: any OrderReview = AcceptAllOrders(),
        listener: Listener = Listener(),
        pages: ReturnPages? = nil,
        configure: (inout BackendConfiguration) throws -> Void = { _ in }
    ) throws {
        var configuration = try BackendConfiguration(
            publicURL: "https://shop.example/payments",
            pspURL: ScriptedPSP.root,
            accessToken: AccessToken(Self.token),
            payeeID: "payee-1"
        )
        configuration.features = features
        configuration.callbackSecret = try CallbackSecret(Self.secret)
        try configuration.setReturnPages(
            pages
                ?? ReturnPages(
                    androidPackages: ["example.shop"],
                    appleSchemes: ["shopapp"],
                    appleAppIDs: ["TEAM123456.example.shop"],
                    trampolineURL: "https://back.example/trampoline",
                    servesTrampoline: true
                )
        )
        try configure(&configuration)
        self.psp = psp
        self.listener = listener
        register = InMemoryOrderRegister()
        backend = PaymentBackend(
            configuration: configuration,
            authentication: Users(),
            register: register,
            review: review,
            ownership: Payers(),
            listener: listener,
            transport: psp
        )
    }

    /// Sends a request, and checks the response against the contract.
    func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ json: String? = nil,
        as user: String? = "alice",
        type: String? = "application/json",
        userAgent: String? = "ExampleApp/1.0",
        from source: String? = nil
    ) async throws -> Reply {
        var request = HTTPRequest(
            method: method,
            scheme: "https",
            authority: "attacker.example",
            path: path
        )
        if let user { request.headerFields[.authorization] = "Bearer \(user)" }
        if json != nil { request.headerFields[.contentType] = type }
        request.headerFields[.userAgent] = userAgent
        let response = await backend.respond(
            to: request,
            body: Array((json ?? "").utf8),
            from: source
        )
        var below = String(path.prefix { $0 != "?" })
        if below == "/payments" || below.hasPrefix("/payments/") {
            below = String(below.dropFirst("/payments".count))
        } else if below != "/trampoline", !below.hasPrefix("/.well-known/") {
            below = "/outside" + below
        }
        let misfit = try Contract.shared.misfit(
            request,
            path: below.isEmpty ? "/" : below,
            asked: json ?? "",
            response
        )
        #expect(misfit == nil, "\(method) \(below) \(response.head.status)")
        let reply = Reply(response: response)
        for secret in [Self.token, "secret-payee", "leaked"] {
            #expect(!reply.text.contains(secret), "\(secret) in \(reply.text)")
        }
        return reply
    }

    /// Creates an order, and returns the response.
    @discardableResult
    func createOrder(
        _ order: String = Shop.order(),
        as user: String = "alice"
    ) async throws
        -> Reply
    {
        let reply = try await send(.post, "/payments/paymentorders", order, as: user)
        try #require(reply.status == 201, "\(reply.text)")
        return reply
    }

    /// Returns a body that creates an order.
    static func order(
        productName: String? = "Checkout3",
        more: String = "",
        urls: String = ""
    ) -> String {
        let product = productName.map { "\"productName\":\"\($0)\"," } ?? ""
        return """
            {"paymentorder":{\(product)"operation":"Purchase","currency":"SEK","amount":10000,
            "vatAmount":2000,"description":"Lamp","language":"sv-SE",
            "urls":{"hostUrls":["https://shop.example/"],"completeUrl":"https://shop.example/complete",
            "cancelUrl":"https://shop.example/cancel"\(urls)},
            "payeeInfo":{"payeeId":"","payeeReference":"","orderReference":"1001"}\(more)}}
            """
    }
}

/// A response.
struct Reply {
    let response: BackendResponse

    var status: Int { response.head.status.code }
    var text: String { String(decoding: response.body, as: UTF8.self) }

    /// Returns a member of the document, by a path such as `paymentOrder.id` or `operations.0.rel`.
    func member(_ path: String) -> String? {
        guard var value = try? JSONSerialization.jsonObject(with: Data(response.body)) else {
            return nil
        }
        for part in path.split(separator: ".") {
            if let list = value as? [Any], let index = Int(part), list.indices.contains(index) {
                value = list[index]
            } else if let object = value as? [String: Any], let member = object[String(part)] {
                value = member
            } else {
                return nil
            }
        }
        return "\(value)"
    }

    /// The last part of the problem's type.
    var problem: String? {
        member("type").map {
            $0.replacingOccurrences(of: "https://api.payex.com/psp/errordetail/", with: "")
        }
    }

    func header(_ name: HTTPField.Name) -> String? { response.head.headerFields[name] }
}

/// Knows Alice and Bob, and no one else.
struct Users: CallerAuthentication {
    struct Broken: Error {}

    func decide(on request: HTTPRequest) async throws -> CallerDecision {
        switch request.headerFields[.authorization] {
        case "Bearer alice": .caller(Caller(id: "alice"))
        case "Bearer bob": .caller(Caller(id: "bob"))
        case "Bearer hasty": .tooOften(retryAfterSeconds: 7)
        case "Bearer broken": throw Broken()
        default: .refused
        }
    }
}

/// Returns `payer-42` for Alice.
struct Payers: PayerOwnership {
    func isOwn(payerReference: String, of caller: Caller) async throws -> Bool {
        caller.id == "alice" && ["payer-42", "payer-43", "p&y/er?"].contains(payerReference)
    }
}

/// Records what it receives.
final class Listener: BackendListener {
    struct Unwilling: Error {}

    private let told = Locked<(receipts: [CallbackReceipt], responses: [String: ChallengeResult])>(
        ([], [:])
    )
    private let isWilling = Locked(true)

    private let stream = AsyncStream<CallbackReceipt>.makeStream()

    /// Returns the next callback, once there is one.
    func nextReceipt() async -> CallbackReceipt? {
        for await receipt in stream.stream { return receipt }
        return nil
    }

    var receipts: [CallbackReceipt] { told.withLock { $0.receipts } }
    var responses: [String: ChallengeResult] { told.withLock { $0.responses } }

    func refuse(_ refuses: Bool) { isWilling.withLock { $0 = !refuses } }

    func callbackArrived(_ receipt: CallbackReceipt) async throws {
        guard isWilling.withLock({ $0 }) else { throw Unwilling() }
        told.withLock { $0.receipts.append(receipt) }
        stream.continuation.yield(receipt)
    }

    func challengeCompleted(_ response: ChallengeResult, reference: String) async throws -> Bool {
        guard isWilling.withLock({ $0 }) else { throw Unwilling() }
        guard reference == "challenge-1" else { return false }
        told.withLock { $0.responses[reference] = response }
        return true
    }
}

extension BackendFeatures {
    static var all: BackendFeatures {
        var features = BackendFeatures()
        features.allowUsePaymentToken = true
        features.allowGetPayerOwnedPaymentTokens = true
        features.allowDeletePayerOwnedPaymentToken = true
        features.allowExpandFullResource = true
        features.allowPatchResource = true
        features.allowChargeStoredTokens = true
        return features
    }
}
