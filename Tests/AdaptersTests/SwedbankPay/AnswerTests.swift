import EventLog
import HTTPTypes
import SwedbankPay
import Testing

@testable import Adapters

@Suite struct AnswerTests {
    private let bench: RequestBench

    init() throws { bench = try RequestBench() }

    @Test(arguments: [200, 201, 202, 204])
    func `success without a body is empty, whichever success it is`(status: Int) async {
        #expect(await bench.answer(status: status, body: "").outcome == .empty(status: status))
        #expect(await bench.answer(status: status, body: " \r\n").outcome == .empty(status: status))
    }

    @Test(
        arguments: [
            "garbage", "<html></html>", "[]", "7", "\"text\"", "null", "{}",
            "{\"paymentSession\":null}",
            "{\"paymentSession\":[]}", "{\"paymentSession\":{}", "{\"paymentSession\":{}}x",
            String(repeating: "[", count: 100_000),
        ])
    func `success that is no snapshot is told apart, and its text kept`(body: String) async throws {
        let answer = await bench.answer(body: body)
        guard case .undecodable(200, let raw?) = answer.outcome else {
            Issue.record("\(answer.outcome)")
            return
        }
        #expect(answer.secrets[raw] == String(body.prefix(AnswerLimits().rawBytes)))
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
    func `an answer beyond a bound is not read as a snapshot`(name: String, body: String) async {
        guard case .undecodable(200, _?) = await bench.answer(body: body).outcome else {
            Issue.record("it was read in spite of its \(name)")
            return
        }
    }

    @Test func `an answer at its bounds is read`() async throws {
        let methods = list(#"{"paymentMethod":"A","operations":[{"rel":"a"},{"rel":"b"}]}"#, 100)
        let (snapshot, _) = try await bench.snapshot(
            #"{"paymentSession":{"methods":[\#(methods)]}}"#
        )
        #expect(snapshot.methods.count == 100)
    }

    @Test func `a text beyond its bound costs its operation only`() async throws {
        let long = String(repeating: "a", count: AnswerLimits().textBytes + 1)
        let (snapshot, _) = try await bench.snapshot(
            #"{"paymentSession":{},"operations":[{"rel":"a","href":"\#(long)"},{"rel":"b"}]}"#
        )
        #expect(snapshot.operations.map(\.rel.rawValue) == ["b"])
    }

    @Test func `a refusal carries its problem and the wait that it asks for`() async {
        let answer = await bench.answer(
            to: .abortPayment,
            status: 409,
            body:
                #"{"type":"https://api.payex.com/psp/errordetail/paymentsessions/operationnotallowed","title":"Operation not allowed","status":409}"#,
            headers: [.retryAfter: "7"]
        )
        guard case .refused(409, let document, let retryAfter) = answer.outcome else {
            Issue.record("\(answer.outcome)")
            return
        }
        #expect(document.type.hasSuffix("paymentsessions/operationnotallowed"))
        #expect(document.title == .plain("Operation not allowed"))
        #expect(document.isWellFormed && retryAfter == .seconds(7))
    }

    @Test(arguments: [301, 307, 400, 404, 500, 503])
    func `every other status refuses, redirects too`(status: Int) async {
        guard
            case .refused(status, let document, nil) =
                await bench.answer(status: status, body: "<html>").outcome
        else {
            Issue.record("it was no refusal")
            return
        }
        #expect(document.type == "about:blank" && !document.isWellFormed && document.raw != nil)
    }

    @Test func `a problem that quotes the session's token is sealed`() async {
        let answer = await bench.answer(
            status: 404,
            body: #"{"title":"no session 0a1b2c3d4e5f here"}"#
        )
        guard case .refused(404, let document, _) = answer.outcome,
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
