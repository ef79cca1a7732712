import SwedbankPay
import Testing

@testable import PaymentPages

@Suite struct ChallengeResultTests {
    private func read(_ body: String = "", url: String? = nil) throws -> ChallengeResult {
        try ChallengeResult(url: url, body: Array(body.utf8))
    }

    @Test(arguments: ["cres", "CRes", "cRes", "CRES"])
    func `a challenge response is read in any letter case, from the body or the URL`(
        name: String
    ) throws {
        let expected = ChallengeResult.completed(cRes: "eyJ0-_9")
        #expect(try read("threeDSSessionData=x&\(name)=eyJ0-_9") == expected)
        #expect(try read(url: "https://n.example/n?a=1&\(name)=eyJ0-_9#x") == expected)
        #expect(try read("\(name)=eyJ0-_9", url: "/n?cres=eyJ0-_9") == expected)
    }

    @Test func `a challenge response keeps every encoded character`() throws {
        #expect(try read("cres=a%2Bb%2Fc%3D%3D") == .completed(cRes: "a+b/c=="))
        #expect(try read("cres=a=b") == .completed(cRes: "a=b"))
    }

    @Test func `a repeated challenge response counts once, and two different ones are refused`()
        throws
    {
        #expect(try read("cres=a&CRes=a&cres=") == .completed(cRes: "a"))
        #expect(throws: ChallengeResultError.contradiction) { try read("cres=a&cres=b") }
        #expect(throws: ChallengeResultError.contradiction) { try read("cres=a", url: "?CRES=b") }
    }

    @Test func `a missing or empty challenge response is reported as such`() {
        #expect(throws: ChallengeResultError.missing) { try read() }
        #expect(throws: ChallengeResultError.missing) { try read("threeDSSessionData=x") }
        #expect(throws: ChallengeResultError.empty) { try read("cres=") }
        #expect(throws: ChallengeResultError.missing) { try read(url: "https://n.example/n") }
    }

    @Test func `an error from the issuer is a failed challenge`() throws {
        #expect(try read("erro=eyJtZXNzYWdlVHlwZSI6IkVycm8ifQ") == .failed(code: nil))
        #expect(try read("errorCode=203&errorDescription=text") == .failed(code: "203"))
        #expect(try read("error=timed%20out") == .failed(code: nil))
        #expect(try read("error=1&cres=a") == .completed(cRes: "a"))
    }

    @Test func `a challenge response that is too long or malformed is refused`() throws {
        let long = String(repeating: "a", count: ChallengeResult.maximumLength + 1)
        #expect(throws: ChallengeResultError.tooLong) { try read("cres=\(long)") }
        let huge = String(repeating: "a", count: FormFields.maximumBytes + 1)
        #expect(throws: ChallengeResultError.tooLong) { try read("x=\(huge)&cres=a") }
        let many = String(repeating: "a=1&", count: 65)
        #expect(throws: ChallengeResultError.tooLong) { try read(many + "cres=a") }
        for odd in ["cres=a%00b", "cres=a%0Ab", "cres=%FF", "cres=a b", "cres=%C3%A5"] {
            #expect(throws: ChallengeResultError.malformed) { try read(odd) }
        }
    }

    @Test func `only a form-encoded challenge response is read`() throws {
        #expect(throws: ChallengeResultError.unknownForm) {
            try ChallengeResult(contentType: "application/json", body: Array("{}".utf8))
        }
        let response = try ChallengeResult(
            contentType: "Application/X-WWW-Form-Urlencoded; charset=UTF-8",
            body: Array("cres=a".utf8)
        )
        #expect(response == .completed(cRes: "a"))
    }

    @Test(arguments: ChallengeResultError.allCases)
    func `every error has a message and the same code`(error: ChallengeResultError) {
        #expect("\(error)".count > 20)
        #expect(error.code == "page.no-challenge-response")
    }

    @Test
    func `a web view reads the challenge response, and follows no unknown app or script link`()
        throws
    {
        let rules = try ChallengeNavigation(notificationURL: "https://psp.example/notification")
        let posted = rules.decision(
            for: "https://psp.example/notification",
            body: Array("CRes=abc".utf8)
        )
        #expect(posted == .ended(.completed(cRes: "abc")))
        let redirected = rules.decision(for: "https://psp.example/notification?cres=abc")
        #expect(redirected == .ended(.completed(cRes: "abc")))
        #expect(rules.decision(for: "https://psp.example/notification") == .notifying)
        let longer = rules.decision(for: "https://psp.example/notification2?cres=abc")
        #expect(longer == .allowed)
        let other = rules.decision(for: "https://psp.example.evil.example/notification?cres=abc")
        #expect(other == .allowed)
        #expect(rules.decision(for: "bankid:///?t=1") == .externalApp)
        for odd in ["javascript:alert(1)", "intent://x#Intent;end;", "tel:+46", "otherapp://x"] {
            #expect(rules.decision(for: odd) == .refused)
        }
        #expect(throws: PageError.self) { try ChallengeNavigation(notificationURL: "/n") }
    }
}
