import Testing

/// The log, the engine and the transport serve any workflow: they contain no word of payments or of
/// a provider.
@Suite struct GenericTests {
    private static let terms = [
        "payex", "swish", "checkout", "payment", "psp", "swedbank", "vipps", "3ds", "instrument",
        "msisdn",
    ]

    static func words(in file: TextFile) -> [Finding] {
        // Most files have none, so few are searched for the pattern.
        guard !Lines(of: file.text.lowercased()).containing(terms).isEmpty,
            let pattern = try? Regex(
                "(?i)\\w*(?:\(terms.joined(separator: "|")))\\w*",
                as: Substring.self
            )
        else { return [] }
        // The package's own name is in constants that are stored forever.
        let text = file.text.replacing(/payment[-_]workflow/, with: "package-workflow")
        return TextFile(path: file.path, text: text).matches(of: pattern)
    }

    @Test(arguments: ["EventLog", "Workflow", "Adapters/UVTransport"])
    func `the log, the engine and the transport contain no payment terms`(target: String) {
        let files = Repository.files(below: "Sources/\(target)", endingIn: ".swift")
        #expect(files.count >= 20)
        #expect(files.flatMap(Self.words) == [])
    }

    @Test(arguments: [
        "/// Reads the payment again.", "case swish", "/// Asks the PSP.", "var checkoutState: Int",
        "let instrument = 1", "struct SwedbankPayRules {}",
    ])
    func `a payment term in a generic source is found`(line: String) {
        let file = TextFile(path: "Sources/Workflow/A.swift", text: "struct A {}\n\(line)")
        #expect(!Self.words(in: file).isEmpty)
    }
}
