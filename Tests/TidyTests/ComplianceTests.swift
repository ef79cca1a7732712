import Foundation
import Testing

/// Every promise on the page about payment rules is backed by a test.
@Suite struct ComplianceTests {
    @Test func `every duty in compliance.md names existing tests or says why it is not ours`()
        throws
    {
        let page = try Repository.file("Documentation/compliance.md")
        let rows = page.lines.filter { $0.hasPrefix("| ") && !$0.hasPrefix("| duty ") }
        #expect(rows.count > 25)
        #expect(rows.compactMap { Self.fault(in: $0) } == [])
        let chapters = page.lines.filter { $0.hasPrefix("## ") }
        #expect(chapters == ["## PCI DSS", "## PSD2 and its technical standards", "## GDPR"])
    }

    @Test func `a duty without an existing test is reported`() {
        let good =
            "| 1.2 x | y | `ComplianceTests`: `a duty without an existing test is reported` | all |"
        #expect(Self.fault(in: good[...]) == nil)
        for row in [
            "| 1.2 x | y | `ComplianceTests`: `no such test` | all |", "| 1.2 x | y | – | all |",
            "| 1.2 x | y | not ours: | all of it |", "| 1.2 x | y | `ComplianceTests` | all |",
            "| 1.2 x | y | `FormTests`: `a duty without an existing test is reported` | all |",
            "| 1.2 x | y | `ComplianceTests`: `a duty without an existing test is reported` | |",
        ] {
            #expect(Self.fault(in: row[...]) != nil, "\(row)")
        }
    }

    /// Returns what is wrong with a row: duty, what is here, what shows it, what remains.
    private static func fault(in row: Substring) -> String? {
        let cells = row.split(separator: "|").map {
            String($0).trimmingCharacters(in: .whitespaces)
        }
        guard cells.count == 4, !cells.contains("") else { return "not four cells: \(row)" }
        if let why = cells[2].firstMatch(of: /^not ours: (.+)$/) {
            return why.1.count > 20 ? nil : "no reason: \(row)"
        }
        let tests = cells[2].matches(of: /`(\w+)`: `([^`]+)`/)
        guard !tests.isEmpty else { return "no test: \(row)" }
        let lost = tests.filter { !FeatureTests.has(test: String($0.2), in: String($0.1)) }
        return lost.isEmpty ? nil : "no such test: \(lost.map { "\($0.0)" })"
    }
}
