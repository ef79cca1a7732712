import EventLog
import HTTPTypes
import SwedbankPay
import TestSupport
import Testing

@testable import SwedbankPayHTTP

@Suite struct ResponseTests {
    private let bench: RequestBench

    init() throws { bench = try RequestBench() }

    @Test(arguments: [200, 201, 202, 204])
    func `a success without a body is an empty response, whatever its status`(status: Int) async {
        #expect(await bench.respond(status: status, body: "").outcome == .empty(status: status))
        #expect(
            await bench.respond(status: status, body: " \r\n").outcome == .empty(status: status)
        )
    }

    @Test(
        arguments: [
            "garbage", "<html></html>", "[]", "7", "\"text\"", "null", "{}",
            "{\"paymentSession\":null}",
            "{\"paymentSession\":[]}", "{\"paymentSession\":{}", "{\"paymentSession\":{}}x",
            String(repeating: "[", count: 100_000),
        ])
    func `a success that is not a snapshot is undecodable, and its text is kept`(
        body: String
    ) async throws {
        let response = await bench.respond(body: body)
        guard case .undecodable(200, let raw?) = response.outcome else {
            Issue.record("\(response.outcome)")
            return
        }
        #expect(response.secrets[raw] == String(body.prefix(ResponseLimits().rawBytes)))
    }

    @Test(
        arguments: [
            (
                "methods",
                #"{"paymentSession":{"methods":[\#(list("{\"paymentMethod\":\"A\"}", 101))]}}"#
            ),
            (
                "operations",
                #"{"paymentSession":{},"operations":[\#(list("{\"rel\":\"a\"}", 201))]}"#
            ),
            (
                "operations of methods",
                #"{"paymentSession":{"methods":[\#(list("{\"paymentMethod\":\"A\",\"operations\":[{\"rel\":\"a\"},{\"rel\":\"b\"},{\"rel\":\"c\"}]}", 70))]}}"#
            ),
            (
                "tasks",
                #"{"paymentSession":{},"operations":[{"rel":"a","tasks":[\#(list("{\"rel\":\"t\"}", 101))]}]}"#
            ),
            (
                "expects",
                #"{"paymentSession":{},"operations":[{"rel":"a","expects":[\#(list("{\"name\":\"t\"}", 101))]}]}"#
            ),
            (
                "depth",
                #"{"paymentSession":{"x":\#(String(repeating: "[", count: 31))\#(String(repeating: "]", count: 31))}}"#
            ),
        ])
    func `a response beyond a limit is not read as a snapshot`(name: String, body: String) async {
        guard case .undecodable(200, _?) = await bench.respond(body: body).outcome else {
            Issue.record("it was read in spite of its \(name)")
            return
        }
    }

    @Test func `a response exactly at its limits is read`() async throws {
        let methods = list(#"{"paymentMethod":"A","operations":[{"rel":"a"},{"rel":"b"}]}"#, 100)
        let (snapshot, _) = try await bench.snapshot(
            #"{"paymentSession":{"methods":[\#(methods)]}}"#
        )
        #expect(snapshot.methods.count == 100)
    }

    @Test func `an operation with an overlong text is dropped, and the others are kept`()
        async throws
    {
        let long = String(repeating: "a", count: ResponseLimits().textBytes + 1)
        let (snapshot, _) = try await bench.snapshot(
            #"{"paymentSession":{},"operations":[{"rel":"a","href":"\#(long)"},{"rel":"b"}]}"#
        )
        #expect(snapshot.operations.map(\.rel.rawValue) == ["b"])
    }

    @Test func `a refusal carries its problem and its Retry-After`() async {
        let response = await bench.respond(
            to: .abortPayment,
            status: 409,
            body:
                #"{"type":"https://api.payex.com/psp/errordetail/paymentsessions/operationnotallowed","title":"Operation not allowed","status":409}"#,
            headers: [.retryAfter: "7"]
        )
        guard case .refused(409, let document, let retryAfter) = response.outcome else {
            Issue.record("\(response.outcome)")
            return
        }
        #expect(document.type.hasSuffix("paymentsessions/operationnotallowed"))
        #expect(document.title == .plain("Operation not allowed"))
        #expect(document.isWellFormed && retryAfter == .seconds(7))
    }

    @Test(arguments: [301, 307, 400, 404, 500, 503])
    func `every other status is a refusal, including a redirect`(status: Int) async {
        guard
            case .refused(status, let document, nil) =
                await bench.respond(status: status, body: "<html>").outcome
        else {
            Issue.record("it was no refusal")
            return
        }
        #expect(document.type == "about:blank" && !document.isWellFormed && document.raw != nil)
    }

    @Test(.threat("T-37"))
    func `a problem's title that quotes the session's token is sealed`() async {
        let response = await bench.respond(
            status: 404,
            body: #"{"title":"no session 0a1b2c3d4e5f here"}"#
        )
        guard case .refused(404, let document, _) = response.outcome,
            case .sealed? = document.title
        else {
            Issue.record("the token was left in the clear")
            return
        }
    }
}

/// Returns the content of a JSON list that repeats an element.
private func list(_ element: String, _ count: Int) -> String {
    Array(repeating: element, count: count).joined(separator: ",")
}
