import Adapters
import Foundation
import HTTPTypes
import Hummingbird
import MerchantBackend
import NIOCore
import SwedbankPay
import Testing

/// Code that `Documentation/merchant-backend.md` shows; ReadmeTests compares the page with this
/// file.
@Suite struct MountedBackendTests {
    /// Returns the page's backend, with its register in a folder.
    func mount(
        token: String,
        payee: String,
        secret: String,
        folder: String,
        on loop: UVLoop
    ) async throws -> PaymentBackend {
        var configuration = try BackendConfiguration(
            publicURL: "https://shop.example/payments/",
            pspURL: "https://api.payex.com",
            accessToken: AccessToken(token),
            payeeID: payee
        )
        configuration.features.allowPatchResource = true
        try configuration.setReturnPages(
            ReturnPages(
                androidPackages: ["example.shop"],
                appleSchemes: ["exampleshop"],
                appleAppIDs: ["TEAM123456.example.shop"],
                trampolineURL: "https://back.example/pay"
            )
        )
        configuration.callbackSecret = try CallbackSecret(secret)
        configuration.callbackSources = SourceRange.psp
        let backend = PaymentBackend(
            configuration: configuration,
            authentication: ShopAccounts(),
            register: try await SQLiteOrderRegister(path: folder + "/orders.db"),
            review: ShopPrices(),
            ownership: ShopPayers(),
            listener: ShopPayments(),
            transport: CurlTransport(on: loop)
        )
        return backend
    }

    /// Returns the page's responder; the tests of the backend run one like it in a server.
    func responder(
        for backend: PaymentBackend,
        address: String?
    ) -> CallbackResponder<BasicRequestContext> {
        let responder = CallbackResponder<BasicRequestContext> { request, _ in
            let body = try await request.body.collect(
                upTo: backend.configuration.maximumBodyBytes + 1
            )
            let response = await backend.respond(
                to: request.head,
                body: Array(body.readableBytesView),
                // The client's address, as the server or its proxy knows it; optional.
                from: address
            )
            return Response(
                status: response.head.status,
                headers: response.head.headerFields,
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: response.body))
            )
        }
        return responder
    }

    @Test func `the backend returns its links to callers that it knows`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let loop = try UVLoop(name: "shop")
        let backend = try await mount(
            token: "access-token",
            payee: "payee-1",
            secret: "cb0123456789abcdefghijklmnop",
            folder: folder.path,
            on: loop
        )
        var request = HTTPRequest(
            method: .get,
            scheme: "https",
            authority: "shop.example",
            path: "/payments/"
        )
        let refusal = await backend.respond(to: request)
        #expect(refusal.head.status == .unauthorized)
        request.headerFields[.authorization] = "Bearer alice"
        let response = await backend.respond(to: request)
        #expect(response.head.status == .ok)
        let links = try JSONSerialization.jsonObject(with: Data(response.body)) as? [String: String]
        #expect(links?["paymentorders"] == "https://shop.example/payments/paymentorders")
        await Task.detached { loop.shutdown() }.value
    }
}

/// The shop's user accounts.
private struct ShopAccounts: CallerAuthentication {
    func decide(on request: HTTPRequest) async throws -> CallerDecision {
        request.headerFields[.authorization] == "Bearer alice"
            ? .caller(Caller(id: "alice")) : .refused
    }
}

/// The shop's price list.
private struct ShopPrices: OrderReview {
    func review(_ order: PaymentOrder, of caller: Caller) async throws -> [FieldProblem] { [] }
}

/// The payers' references of the shop's users.
private struct ShopPayers: PayerOwnership {
    func isOwn(payerReference: String, of caller: Caller) async throws -> Bool {
        payerReference == "payer-\(caller.id)"
    }
}

/// The shop's payments, which are read when something has happened to them.
private struct ShopPayments: BackendListener {
    func callbackArrived(_ receipt: CallbackReceipt) async throws {}

    func challengeCompleted(_ response: ChallengeResult, reference: String) async throws -> Bool {
        false
    }
}
