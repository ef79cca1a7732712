import EventLog
import HTTPTypes
import Testing

@testable import Adapters

/// The check of a PSP and of the clock.
@Suite struct ProviderCheckTests {
    @Test(
        arguments: [
            (0, "good"), (900, "good"), (-3000, "good"), (-20_000, "warning"), (20_000, "warning"),
            (300_000, "bad"), (-300_000, "bad"),
        ]
    )
    func `the clock is compared with the PSP's`(milliseconds: Int64, grade: String) throws {
        let there = Instant(microseconds: 1_763_640_000 * 1_000_000)
        let response = TransportResponse(
            status: 404,
            headers: [.date: "Thu, 20 Nov 2025 12:00:00 GMT"],
            body: [],
            protocolVersion: "HTTP/2",
            duration: .milliseconds(12)
        )
        let check = ProviderCheck(
            host: "api.payex.com",
            response: .response(response),
            respondedAt: there + .milliseconds(milliseconds)
        )
        let findings = check.findings
        #expect(findings.map(\.check) == [.psp, .clock])
        #expect(findings[0].words.contains("responded over HTTP/2 in"), "\(findings[0].words)")
        #expect(findings[1].grade.rawValue == grade, "\(findings[1].words)")
        let failure = ProviderCheck(
            host: "api.payex.com",
            response: .failure(TransportFailure(reach: .notSent, kind: .tls(.untrusted))),
            respondedAt: there
        )
        #expect(failure.findings[0].grade == .bad)
        #expect(failure.findings[0].advice?.contains("proxy") == true)
    }
}
