import EventLog
import SwedbankPay
import Testing

@testable import SwedbankPayHTTP

/// Orders that charge a stored token: what they require, and what is absent without a payer.
@Suite struct ChargeDocumentTests {
    private static func document(_ operation: String, _ more: String) -> String {
        """
        {"paymentorder":{"operation":"\(operation)","currency":"SEK","amount":4900,"vatAmount":980,
         "description":"Subscription","language":"sv-SE","userAgent":"shop/1",
         "payeeInfo":{"payeeId":"shop","payeeReference":"CHARGE1"}\(more)}}
        """
    }

    @Test(
        arguments: [("Recur", "recurrenceToken"), ("UnscheduledPurchase", "unscheduledToken")]
    )
    func `a charge needs its token and no page URLs`(operation: String, member: String) throws {
        let order = try PaymentOrderDocument.read(
            Self.document(operation, #","\#(member)":"stored-1""#)
        )
        #expect(order.problems().isEmpty)
        let body = PaymentOrderDocument.body(of: order)
        #expect(body.contains(#""\#(member)":"stored-1""#))
        #expect(!body.contains("hostUrls") && !body.contains("completeUrl"))
        #expect(!"\(order)\(String(reflecting: order))".contains("stored-1"))
        let request = CheckoutRequest(of: order, by: .psp, at: "https://api.example/")
        #expect(!request.presents && request.terms.urls == OrderURLs())
    }

    @Test(arguments: [
        ("Recur", "", "recurrenceToken"), ("UnscheduledPurchase", "", "unscheduledToken"),
        ("Recur", #","recurrenceToken":"""#, "recurrenceToken"),
        ("Recur", #","unscheduledToken":"x""#, "recurrenceToken"),
        ("Recur", #","recurrenceToken":"x","unscheduledToken":"y""#, "unscheduledToken"),
        ("Recur", #","recurrenceToken":"x","instrument":"CreditCard""#, "instrument"),
        ("Recur", #","recurrenceToken":"x","generatePaymentToken":true"#, "generatePaymentToken"),
        ("Recur", #","recurrenceToken":"x","urls":{"completeUrl":"nowhere"}"#, "urls.completeUrl"),
    ])
    func `a charge that the PSP would refuse is refused first, naming the field`(
        operation: String,
        more: String,
        field: String
    ) throws {
        let order = try PaymentOrderDocument.read(Self.document(operation, more))
        #expect(order.problems().map(\.path).contains(field), "\(order.problems())")
    }

    @Test func `a payer's order still needs its page URLs, and charges no stored token`() throws {
        #expect(throws: PaymentOrderError.self) {
            try PaymentOrderDocument.read(Self.document("Purchase", ""))
        }
        let urls =
            #","urls":{"hostUrls":["https://s.example/"],"completeUrl":"https://s.example/c"}"#
        let order = try PaymentOrderDocument.read(
            Self.document("Purchase", urls + #","recurrenceToken":"x""#)
        )
        #expect(order.problems().map(\.path) == ["recurrenceToken"])
        let charge = try PaymentOrderDocument.read(
            Array(Self.document("Purchase", #","recurrenceToken":"x""#).utf8),
            for: .recur
        )
        #expect(charge.purpose == .recur && charge.problems().isEmpty)
    }

    @Test func `the log records why an order failed, without stored tokens or card numbers`() throws
    {
        let keys = try #require(SessionKeys(dataKey: [UInt8](repeating: 3, count: 32)))
        var sealer = OrderSealer(keys: keys, known: ["stored-token-1"])
        var response = OrderResponse()
        var problem = ProblemDetails(
            type: "https://api.payex.com/psp/errordetail/creditcard/carddeclined",
            status: 403,
            httpStatus: 403
        )
        problem.title = "Declined"
        problem.detail = "The token stored-token-1 of card 4761739001010416 was declined"
        response.failure = problem
        let failure = try #require(sealer.snapshot(response).failure)
        #expect(failure.type.hasSuffix("creditcard/carddeclined") && failure.status == 403)
        #expect(failure.title == .plain("Declined"))
        guard case .sealed? = failure.detail else {
            return #expect(Bool(false), "\(String(describing: failure.detail))")
        }
        response.failure?.type = "stored-token-1"
        #expect(sealer.snapshot(response).failure?.type == "about:blank")
    }
}
