import Adapters
import Foundation
import HTTPTypes

/// A PSP whose responses come from a test, and which records its requests.
final class ScriptedPSP: Transport {
    /// A response, or the failure.
    enum Answer: Sendable {
        case json(Int, String)
        case raw(Int, String)
        case failure(TransportFailure.Kind)
    }

    private let script: @Sendable (TransportRequest) -> Answer
    private let requests = Locked<[TransportRequest]>([])

    init(_ script: @escaping @Sendable (TransportRequest) -> Answer = ScriptedPSP.usual) {
        self.script = script
    }

    /// The requests, in order.
    var asked: [TransportRequest] { requests.withLock { $0 } }

    func perform(
        _ request: TransportRequest
    ) async throws(TransportFailure) -> TransportResponse {
        requests.withLock { $0.append(request) }
        switch script(request) {
        case .json(let status, let body), .raw(let status, let body):
            return TransportResponse(
                status: status,
                headers: [.contentType: "application/json"],
                body: Array(body.utf8),
                protocolVersion: "HTTP/1.1",
                duration: .milliseconds(1)
            )
        case .failure(let kind):
            throw TransportFailure(reach: .maybeSent, kind: kind)
        }
    }

    static let root = "https://api.payex.com"
    static let id = "/psp/paymentorders/1f2e3d4c-5b6a-4798-8a9b-0c1d2e3f4a5b"
    static let otherID = "/psp/paymentorders/99999999-5b6a-4798-8a9b-0c1d2e3f4a5b"

    /// Returns an order of the third generation, with values that no caller may see.
    static func order(
        id: String = ScriptedPSP.id,
        status: String = "Initialized",
        more: String = ""
    ) -> String {
        """
        {"paymentOrder":{"id":"\(id)","status":"\(status)","operation":"Purchase","currency":"SEK",
        "amount":10000,"vatAmount":2000,"number":4711,"instrument":"CreditCard","instrumentMode":true,
        "availableInstruments":["CreditCard","Swish"],"payeeInfo":{"payeeId":"secret-payee"},
        "payer":{"email":"payer@example.com"},"tokens":[{"token":"leaked-token"}],
        "urls":{"hostUrls":["https://shop.example/"],"callbackUrl":"https://shop.example/leaked"}\(more)},
        "operations":[
        {"rel":"view-checkout","method":"GET","href":"https://ecom.payex.com/checkout/core.js","contentType":"application/javascript"},
        {"rel":"view-paymentsession","method":"GET","href":"https://api.payex.com/psp/paymentsessions/abc"},
        {"rel":"set-instrument","method":"PATCH","href":"\(root)\(id)"},
        {"rel":"abort","method":"PATCH","href":"\(root)\(id)"},
        {"rel":"capture","method":"POST","href":"\(root)\(id)/captures"},
        {"rel":"update-order","method":"PATCH","href":"\(root)\(id)"}]}
        """
    }

    /// An order of the second API generation in instrument mode.
    static let secondOrder = """
        {"paymentorder":{"id":"\(id)","state":"Ready","instrument":"CreditCard",
        "availableInstruments":["CreditCard","Swish"]},
        "operations":[
        {"rel":"view-paymentorder","method":"GET","href":"https://ecom.payex.com/menu.js","contentType":"application/javascript"},
        {"rel":"update-paymentorder-setinstrument","method":"PATCH","href":"\(root)\(id)"}]}
        """

    /// Stored cards of `payer-42`.
    static let cards = """
        {"payerOwnedPaymentTokens":{"id":"/psp/x","payerReference":"payer-42","paymentTokens":[
        {"paymentToken":"card-1","instrument":"CreditCard","instrumentDisplayName":"492500******0004",
        "instrumentParameters":{"cardBrand":"Visa","expiryDate":"12/2030"},"tokenType":"Payment",
        "operations":[{"rel":"delete-paymenttokens","method":"PATCH",
        "href":"\(root)/psp/paymentorders/paymenttokens/card-1"}]}]},"operations":[]}
        """

    /// Responds successfully to everything.
    static let usual: @Sendable (TransportRequest) -> Answer = { request in
        let path = request.url.dropFirst(root.count)
        if path.hasPrefix("/psp/paymentorders/payerowned") {
            return path.hasSuffix("payer-42") ? .json(200, cards) : .json(404, missing)
        }
        if path.hasPrefix("/psp/paymentorders/paymenttokens") { return .json(200, "{}") }
        if path == "/psp/consumers" {
            return .json(
                200,
                """
                {"token":"leaked-token","operations":[{"rel":"view-consumer-identification",
                "method":"GET","href":"https://ecom.payex.com/c.js","contentType":"application/javascript"},
                {"rel":"other","method":"GET","href":"https://x.example/"}]}
                """
            )
        }
        let isSecond = request.headers.contains { $0.value.contains("version=2.0") }
        return .json(request.method == .post ? 201 : 200, isSecond ? secondOrder : order())
    }

    static let missing = """
        {"type":"https://api.payex.com/psp/errordetail/notfound","title":"Not found","detail":"gone"}
        """
}

extension TransportRequest {
    var text: String { String(decoding: body ?? [], as: UTF8.self) }
}
