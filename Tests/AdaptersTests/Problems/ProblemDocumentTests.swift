import EventLog
import SwedbankPay
import Testing

@testable import SwedbankPayHTTP

@Suite struct ProblemDocumentTests {
    private let keys: SessionKeys

    init() throws {
        keys = try #require(SessionKeys(dataKey: [UInt8](repeating: 3, count: 32)))
    }

    private func read(_ body: [UInt8], known: [String] = []) -> (ProblemDocument, SecretTable) {
        var secrets = SecretTable()
        let document = ProblemDocument.read(
            body,
            keys: keys,
            secrets: &secrets,
            known: known,
            limits: ResponseLimits()
        )
        return (document, secrets)
    }

    @Test func `a problem document is read and its body kept`() {
        let body =
            #"{"type":"https://api.payex.com/psp/errordetail/inputerror","title":"Error in input data","status":400,"detail":"Input validation failed","problems":[{"name":"a","description":"b"}]}"#
        let (document, secrets) = read(Array(body.utf8))
        #expect(document.type == ProblemCatalogue.typePrefix + "inputerror")
        #expect(document.title == .plain("Error in input data") && document.status == 400)
        #expect(document.detail == .plain("Input validation failed (a: b)"))
        #expect(document.isWellFormed)
        #expect(document.raw.flatMap { secrets[$0] } == body)
    }

    @Test(
        arguments: [
            "<html><body>502 Bad Gateway</body></html>", "[]", "[{\"type\":\"a:b\"}]", "42", "null",
            "\"text\"", "{", "{}", "{\"unknown\":1}", "{\"type\":5,\"status\":[],\"title\":{}}",
            "\u{FEFF}", String(repeating: "{\"a\":", count: 50_000),
        ])
    func `a malformed body becomes a problem of unknown type, and its text is kept`(body: String) {
        let (document, secrets) = read(Array(body.utf8))
        #expect(document.type == "about:blank" && !document.isWellFormed)
        #expect(document.title == nil && document.detail == nil && document.status == nil)
        #expect(
            document.raw.flatMap { secrets[$0] } == body.prefix(bytes: ResponseLimits().rawBytes)
        )
    }

    @Test func `an empty body becomes a problem of unknown type without any text`() {
        let (document, secrets) = read([])
        #expect(document == ProblemDocument(type: "about:blank", isWellFormed: false))
        #expect(secrets.count == 0)
    }

    @Test func `one wrong member leaves the others readable`() {
        let (document, _) = read(
            Array(#"{"type":"about:blank","title":7,"status":"422","detail":"No"}"#.utf8)
        )
        #expect(document.status == 422 && document.detail == .plain("No"))
        #expect(document.title == nil && !document.isWellFormed)
    }

    @Test func `a type that may carry a token is replaced by about:blank`() {
        let (document, secrets) = read(
            Array(#"{"type":"https://x/0a1b2c3d4e5f60718293?token=1","title":"T"}"#.utf8)
        )
        #expect(document.type == "about:blank")
        #expect(document.raw.flatMap { secrets[$0] }?.contains("0a1b2c3d4e5f") == true)
    }

    @Test func `a huge body of invalid UTF-8 is truncated and repaired, without a trap`() {
        let (document, secrets) = read([UInt8](repeating: 0xC3, count: 2 << 20))
        let kept = document.raw.flatMap { secrets[$0] }
        #expect((1...ResponseLimits().rawBytes).contains(kept?.utf8.count ?? 0))
    }
}
