import Foundation
import Payments
import Testing

/// A client's report on an action, in JSON.
@Suite struct ReportTests {
    private static func read(_ json: String) throws -> ClientReport {
        try JSONDecoder().decode(ClientReport.self, from: Data(json.utf8))
    }

    static let reports: [(json: String, report: ClientReport)] = [
        (#"{"outcome":"launched"}"#, .launched), (#"{"outcome":"launch-failed"}"#, .launchFailed),
        (#"{"outcome":"shown"}"#, .shown), (#"{"outcome":"done"}"#, .done),
        (#"{"outcome":"canceled","more":[1]}"#, .canceled),
        (#"{"outcome":"terms"}"#, .openedTermsOfService),
        (#"{"outcome":"completed"}"#, .completed),
        (#"{"outcome":"completed","cRes":"c"}"#, .challengeCompleted(cRes: "c")),
        (#"{"outcome":"authorized","payload":"p"}"#, .authorized(payload: "p")),
        (
            #"{"outcome":"checked-in","consumerProfileRef":"r"}"#,
            .checkedIn(consumerProfileRef: "r")
        ),
        (#"{"outcome":"failed"}"#, .failed(error: nil)),
        (#"{"outcome":"failed","error":"e"}"#, .failed(error: "e")),
        (
            #"{"outcome":"failed","origin":"o","messageId":"m","details":null}"#,
            .pageFailed(origin: "o", messageID: "m", details: nil)
        ),
        (
            #"{"outcome":"navigated","to":"bank.example","url":"u"}"#,
            .navigated(destination: "bank.example", .webView, url: "u")
        ),
        (
            #"{"outcome":"left","to":"bankid"}"#,
            .leftForExternalContent(destination: "bankid:", .app)
        ),
        (
            #"{"outcome":"left","to":"bank.example","in":"browser"}"#,
            .leftForExternalContent(destination: "bank.example", .browser)
        ),
    ]

    @Test(arguments: reports.indices)
    func `each report is read from its JSON`(index: Int) throws {
        let (json, report) = Self.reports[index]
        #expect(try Self.read(json) == report)
    }

    @Test(arguments: [
        "{}", "[]", "null", #"{"outcome":"paid-secret"}"#, #"{"outcome":1}"#,
        #"{"outcome":"authorized"}"#, #"{"outcome":"checked-in","consumerProfileRef":7}"#,
        #"{"outcome":"completed","cRes":["secret"]}"#, #"{"outcome":"left","in":"secret"}"#,
    ])
    func `JSON that is not a report is refused, and the error does not quote it`(json: String) {
        let error = #expect(throws: DecodingError.self) { _ = try Self.read(json) }
        #expect(error.map { "\($0)" }?.contains("secret") == false)
    }
}
