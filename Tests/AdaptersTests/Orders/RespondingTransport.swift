import HTTPTypes
import Synchronization

@testable import Adapters

/// A transport whose responses come from a function, and which records its requests.
final class RespondingTransport: Transport {
    private let respond: @Sendable (TransportRequest) throws(TransportFailure) -> TransportResponse
    private let requests = Mutex<[TransportRequest]>([])

    init(
        _ respond:
            @escaping @Sendable (TransportRequest) throws(TransportFailure) -> TransportResponse
    ) {
        self.respond = respond
    }

    /// The requests, in order.
    var asked: [TransportRequest] { requests.withLock { $0 } }

    /// The requests, each as method and address.
    var lines: [String] { asked.map { "\($0.method) \($0.url)" } }

    func perform(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
        requests.withLock { $0.append(request) }
        return try respond(request)
    }
}

extension TransportRequest {
    /// The body as text.
    var text: String? { body.map { String(decoding: $0, as: UTF8.self) } }

    /// Returns the values of a field.
    func values(of name: String) -> [String] {
        headers.filter { $0.name.canonicalName == name.lowercased() }.map(\.value)
    }
}

extension TransportResponse {
    /// Returns a response with JSON.
    static func json(
        _ body: String,
        _ status: Int = 200,
        type: String? = "application/json",
        headers: HTTPFields = [:]
    ) -> TransportResponse {
        var headers = headers
        headers[.contentType] = type
        return TransportResponse(
            status: status,
            headers: headers,
            body: Array(body.utf8),
            protocolVersion: "HTTP/1.1",
            duration: .zero
        )
    }
}

/// Returns the error of a call; `nil` when it succeeded.
func orderError<Value>(
    _ body: () async throws(OrderAPIError) -> Value
) async -> OrderAPIError? {
    do throws(OrderAPIError) {
        _ = try await body()
        return nil
    } catch {
        return error
    }
}

/// Responses as backends and the PSP send them.
enum OrderFixture {
    static let id = "/psp/paymentorders/1f2e3d4c-0000-4000-8000-00000000abcd"

    static let root =
        #"{"consumers":"consumers","paymentorders":"/api/paymentorders"}"#

    /// An order of the later API generation, in instrument mode, in a backend's spelling.
    static let checkout = """
        {"paymentOrder":{"id":"\(id)","instrument":"CreditCard","instrumentMode":true,
         "availableInstruments":["CreditCard","Swish"],"brandNew":{"a":[1]}},
         "operations":[
          {"rel":"view-checkout","method":"GET","href":"https://ecom.payex.com/checkout/tok1","contentType":"application/javascript"},
          {"rel":"view-paymentsession","method":"GET","href":"https://api.payex.com/psp/paymentsessions/tok2"},
          {"rel":"set-instrument","method":"PATCH","href":"https://api.payex.com\(id)"},
          {"rel":"abort","method":"PATCH","href":"https://api.payex.com\(id)"},
          {"method":"GET","href":"https://nameless.example/"},
          {"rel":"brand-new","method":"GET"}, 7]}
        """

    /// An order of the earlier API generation with a backend's own link, in the portal's spelling.
    static let earlier = """
        {"paymentorder":{"id":"\(id)","state":"Ready","instrument":"CreditCard"},
         "operations":[{"rel":"view-paymentorder","method":"GET","href":"https://ecom.payex.com/menu/tok1"},
          {"rel":"update-paymentorder-setinstrument","method":"PATCH","href":"https://api.payex.com\(id)"},
          {"rel":"update-paymentorder-abort","method":"PATCH","href":"https://api.payex.com\(id)"}],
         "mobileSDK":{"setInstrument":"../orders/123/setInstrument","validInstruments":["CreditCard","Invoice-PayExFinancingSe"]}}
        """

    /// A paid order as the PSP sends it.
    static let paid = """
        {"paymentOrder":{"id":"\(id)","number":222222222,"status":"Paid","operation":"Purchase","currency":"SEK",
         "amount":12500,"vatAmount":2500,"remainingCaptureAmount":12500,"remainingCancellationAmount":12500,
         "instrumentMode":false,"urls":{"hostUrls":["https://shop.example/"],"completeUrl":"https://shop.example/complete",
         "paymentUrl":"https://shop.example/back"},
         "paid":{"id":"\(id)/paid","instrument":"CreditCard","number":333333333,"payeeReference":"100000000017",
         "orderReference":"order-1001","transactionType":"Authorization","amount":12500,"submittedAmount":12500,"feeAmount":0,
         "discountAmount":0,"tokens":[{"type":"payment","token":"12345678-1234-1234-1234-1234567890ab","name":"492500******0004","expiryDate":"12/2030"}]},
         "failedAttempts":{"id":"\(id)/failedattempts","failedAttemptList":[{"created":"2026-01-01T10:00:00Z","instrument":"CreditCard",
         "number":5,"status":"Failed","problem":{"type":"https://api.payex.com/psp/errordetail/creditcard/carddeclined","title":"Declined","status":403}}]},
         "financialTransactions":{"id":"\(id)/financialtransactions","financialTransactionsList":[
         {"type":"Authorization","number":333333333,"amount":12500,"vatAmount":2500,"payeeReference":"100000000017"},{"number":9}]}},
         "operations":[{"rel":"create-paymentorder-capture","method":"POST","href":"\(id)/captures"},
         {"rel":"cancel","method":"POST","href":"https://api.payex.com\(id)/cancellations"},
         {"rel":"reversal","method":"POST","href":"https://evil.example\(id)/reversals"}]}
        """
}
