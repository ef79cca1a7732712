import Testing

/// The ledger of requests serves any workflow: it has no word of this one.
@Suite struct LedgerTests {
    static func words(in file: TextFile) -> [Finding] {
        file.matches(
            of:
                /\b(?:[Pp]ay(?:ment|er)?|PSP|[Ss]wish|[Cc]heckout|[Ss]ession|[Aa]ttempt|[Mm]erchant|[Ww]allet|[Ss]napshot|Rel)(?:s|[A-Z]\w*)?\b/
        )
    }

    @Test func `the ledger of requests knows nothing of payments`() {
        let files = Repository.files(below: "Sources/SwedbankPay/Requests", endingIn: ".swift")
        #expect(files.count >= 4)
        #expect(files.flatMap(Self.words) == [])
    }

    @Test(arguments: [
        "/// Reads the payment again.", "let rel: Rel", "var state: SessionState",
        "case swish", "/// Asks the PSP.", "func start(_ attempt: Int)", "checkoutState",
    ])
    func `a planted word of payments is found`(line: String) {
        let file = TextFile(
            path: "Sources/SwedbankPay/Requests/A.swift",
            text: "struct A {}\n\(line)"
        )
        #expect(!Self.words(in: file).isEmpty)
    }
}
