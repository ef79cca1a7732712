import HTTPTypes
import SwedbankPay
import TestSupport
import Testing

@testable import SwedbankPayHTTP

@Suite(.feature("O-23")) struct APIProblemTests {
    private static let prefix = ProblemCatalogue.typePrefix

    private func problem(
        _ status: Int,
        _ body: String,
        type: String? = "application/problem+json",
        headers: HTTPFields = [:]
    ) -> APIProblem {
        APIProblem(.json(body, status, type: type, headers: headers), limits: ResponseLimits())
    }

    /// Returns the name of a problem by a `switch`, as hosts write it.
    private func name(_ problem: APIProblem) -> String {
        switch problem {
        case .client(.mobileSDK(.unauthorized)): "client.mobileSDK.unauthorized"
        case .client(.mobileSDK(.invalidRequest)): "client.mobileSDK.invalidRequest"
        case .client(.swedbankPay(.inputError)): "client.swedbankPay.inputError"
        case .client(.swedbankPay(.forbidden)): "client.swedbankPay.forbidden"
        case .client(.swedbankPay(.notFound)): "client.swedbankPay.notFound"
        case .client(.unknown): "client.unknown"
        case .client(.unexpectedContent): "client.unexpectedContent"
        case .server(.mobileSDK(.backendConnectionTimeout)): "server.mobileSDK.timeout"
        case .server(.mobileSDK(.backendConnectionFailure)): "server.mobileSDK.failure"
        case .server(.mobileSDK(.invalidBackendResponse)): "server.mobileSDK.invalid"
        case .server(.swedbankPay(.systemError)): "server.swedbankPay.systemError"
        case .server(.swedbankPay(.configurationError)): "server.swedbankPay.configuration"
        case .server(.unknown): "server.unknown"
        case .server(.unexpectedContent): "server.unexpectedContent"
        }
    }

    @Test(arguments: [
        (401, "mobilesdk/unauthorized", "client.mobileSDK.unauthorized"),
        (400, "mobilesdk/badrequest", "client.mobileSDK.invalidRequest"),
        (400, "inputerror", "client.swedbankPay.inputError"),
        (403, "forbidden", "client.swedbankPay.forbidden"),
        (404, "notfound", "client.swedbankPay.notFound"),
        (404, "NotFound", "client.swedbankPay.notFound"),
        (504, "mobilesdk/gatewaytimeout", "server.mobileSDK.timeout"),
        (502, "mobilesdk/badgateway", "server.mobileSDK.failure"),
        (500, "systemerror", "server.swedbankPay.systemError"),
        (500, "configurationerror", "server.swedbankPay.configuration"),
        (400, "paymentorders/inputerror", "client.unknown"),
        (500, "swish/other", "server.unknown"),
    ]) func `a problem is classified by its type`(_ status: Int, _ slug: String, _ kind: String) {
        let problem = problem(status, #"{"type":"\#(Self.prefix)\#(slug)","status":\#(status)}"#)
        #expect(name(problem) == kind)
        #expect(problem.httpStatus == status && problem.details?.status == status)
    }

    @Test func `a problem's type outranks its status`() {
        // The portal documents 403 for problems that the server has to solve.
        let body = #"{"type":"\#(Self.prefix)configurationerror","status":403}"#
        #expect(name(problem(403, body)) == "server.swedbankPay.configuration")
        #expect(!problem(403, body).isTransient)
    }

    @Test(.feature("I-14"))
    func `the response's status decides, and a contradicting status in the body is recorded`() {
        let problem = problem(503, #"{"type":"https://shop.example/closed","status":"404"}"#)
        #expect(name(problem) == "server.unknown")
        #expect(problem.details?.status == 404 && problem.details?.isStatusContradicted == true)
        #expect(problem.isTransient)
    }

    @Test func `an unusable backend response is kept in an invalidBackendResponse problem`() {
        let body =
            #"{"type":"\#(Self.prefix)mobilesdk/badgateway","gatewayStatus":418,"body":"tea"}"#
        guard
            case .server(.mobileSDK(.invalidBackendResponse(_, let gateway))) = problem(502, body)
        else {
            Issue.record("\(problem(502, body))")
            return
        }
        #expect(gateway == GatewayResponse(status: 418, body: "tea"))
    }

    @Test(.feature("O-24")) func `every member of a problem document can be read`() {
        let body = """
            {"type":"\(Self.prefix)inputerror","title":"Input","detail":"Look","instance":"/psp/x","action":"RetryNewData",
             "problems":[{"name":"paymentOrder.amount","description":"too much"},7,{"name":3}],"more":{}}
            """
        let details = problem(400, body, headers: [.retryAfter: "7"]).details
        #expect(details?.title == "Input" && details?.detail == "Look")
        #expect(details?.instance == "/psp/x" && details?.action == "RetryNewData")
        #expect(
            details?.problems == [
                .init(name: "paymentOrder.amount", description: "too much"),
                .init(name: nil, description: nil),
            ]
        )
        #expect(details?.retryAfter == .seconds(7))
        #expect(details?.raw == Array(body.utf8))
    }

    @Test(.feature("I-15"), arguments: ["", "[]", "7", "<html>", "{\"a\"", "\"text\""])
    func `a body that is not a problem document is unexpected content, on the status's side`(
        _ body: String
    ) {
        #expect(name(problem(400, body)) == "client.unexpectedContent")
        #expect(name(problem(502, body)) == "server.unexpectedContent")
        #expect(name(problem(302, body)) == "server.unexpectedContent")
        #expect(problem(502, body).unexpectedContent?.body == Array(body.utf8))
        #expect(problem(502, body).details == nil)
    }

    @Test func `a problem document without a type is unknown, whatever its content type claims`() {
        #expect(name(problem(400, #"{"title":"x"}"#, type: "text/html")) == "client.unknown")
        #expect(problem(400, #"{"title":"x"}"#).details?.type == "about:blank")
        #expect(name(problem(400, "{}")) == "client.unknown")
        #expect(name(problem(400, "{}", type: "application/json")) == "client.unexpectedContent")
    }

    @Test func `a success status is not a problem, even with a problem document as its body`() {
        let body = #"{"type":"\#(Self.prefix)inputerror","status":400}"#
        #expect(name(problem(200, body)) == "server.unexpectedContent")
        #expect(!problem(200, body).isTransient)
    }

    @Test func `neither description nor dump of a problem quotes outside text`() {
        let body =
            #"{"type":"https://x.example/4925000000000004","title":"SECRET-1","detail":"SECRET-2"}"#
        for problem in [problem(400, body), problem(500, "SECRET-3")] {
            var text = "\(problem) \(String(reflecting: problem))"
            dump(problem, to: &text)
            #expect(!text.contains("SECRET") && !text.contains("4925"))
        }
    }

    @Test func `the catalog also advises on an API problem`() {
        let catalogue = ProblemCatalogue.bundled
        let body = #"{"type":"\#(Self.prefix)creditcard/carddeclined"}"#
        #expect(problem(403, body).advice(in: catalogue).actor == .payer)
    }
}
