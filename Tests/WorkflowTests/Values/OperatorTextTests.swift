import SwedbankPay
import Testing

/// What operators may write into a log that is not sealed.
@Suite struct OperatorTextTests {
    @Test(arguments: ["anna", "Anna Åkesson", "anna.akesson", "desk 12", "kim@shop.example"])
    func `a name or account can be recorded`(name: String) {
        #expect(OperatorText.isName(name))
    }

    @Test(arguments: [
        "", "an\nna", "anna\u{202E}", "https://shop.example/anna", "070-123 45 67",
        "a1b2c3d4e5f6a7b8c9d0", String(repeating: "a", count: 201),
    ])
    func `an address, a long number, a token or several lines are no name`(name: String) {
        #expect(!OperatorText.isName(name))
    }

    @Test func `a reason has words, on one line, without addresses, tokens and long numbers`() {
        #expect(OperatorText.isReason("ärende 42: the payer called"))
        let refused = [
            "", " ", "two\nlines", "see https://desk.example/42", "order 4111 1111 1",
            "token=a1b2c3d4e5f6a7b8c9d0", String(repeating: "a ", count: 251),
        ]
        for reason in refused { #expect(!OperatorText.isReason(reason), "\(reason)") }
    }

    @Test func `evidence may have the PSP's numbers and pages, but no secrets or persons' numbers`()
    {
        let seen = "transaction 70100366758, https://admin.psp.example/orders"
        #expect(OperatorText.isEvidence(seen) && !OperatorText.isReason(seen))
        let refused = [
            "", " ", "two\nlines", "admin: 4111 1111 1111 1111", "admin: kim@shop.example",
            "admin: +46 70 123 45 67", "admin: https://admin:hunter2@psp.example/1",
            String(repeating: "a ", count: 251),
        ]
        for evidence in refused { #expect(!OperatorText.isEvidence(evidence), "\(evidence)") }
    }

    @Test func `a note loses the white space at its end, and is neither empty nor too long`() {
        #expect(OperatorText.note("the payer called \n") == "the payer called")
        #expect(OperatorText.note(" \n") == nil)
        #expect(OperatorText.note(String(repeating: "a", count: 4_000))?.count == 4_000)
        #expect(OperatorText.note(String(repeating: "a", count: 4_001)) == nil)
    }
}
