import Foundation
import Testing

/// The table of features names where each is and what shows it.
@Suite struct FeatureTests {
    @Test func `every feature names its source and an existing test, or says why it has none`()
        throws
    {
        let page = try Repository.file("Documentation/features.md")
        #expect(Self.rows(of: page).count > 120)
        #expect(Self.faults(of: page) == [])
        let chapters = page.lines.filter { $0.hasPrefix("## ") }.map { String($0.dropFirst(3)) }
        #expect(
            chapters == [
                "Native payments", "Other features", "iOS", "Process diagrams",
                "Observing the payment process", "Money", "Operation and support",
            ]
        )
    }

    @Test func `a faulty row of the feature table is reported`() {
        let good =
            "| a | `SwedbankPay/Values/Amount.swift` | `FeatureTests`: `a faulty row of the feature table is reported` |"
        let bad = [
            "| a | `Workflow/NoSuch.swift` | `FeatureTests`: `a faulty row of the feature table is reported` |",
            "| a | `SwedbankPay/Values/Amount.swift` | `FeatureTests`: `no such test` |",
            "| a | `SwedbankPay/Values/Amount.swift` | `FormTests`: `a faulty row of the feature table is reported` |",
            "| a | `SwedbankPay/Values/Amount.swift` | not covered: |",
            "| a | – | `FeatureTests`: `a faulty row of the feature table is reported` |",
            "| a | `SwedbankPay/Values/Amount.swift` | |",
            "| a | `SwedbankPay/Values/Amount.swift` |",
        ]
        #expect(Self.faults(of: TextFile(path: "a.md", text: good)) == [])
        for row in bad {
            #expect(Self.faults(of: TextFile(path: "a.md", text: row)).count == 1, "\(row)")
        }
    }

    @Test func `every row of the threat model names a test that exists`() throws {
        let rows = try Repository.file("SECURITY.md").lines.filter {
            // The table of the reads of rows has a test of its own.
            $0.hasPrefix("| ") && !$0.hasPrefix("| adversary ") && !$0.hasPrefix("| read by ")
                && !$0.hasPrefix("| `")
        }
        #expect(rows.count > 35)
        for row in rows {
            let match = row.firstMatch(of: /\| `(\w+)`: `([^`]+)` \|$/)
            let test = try #require(match, "no test: \(row)")
            #expect(Self.has(test: String(test.2), in: String(test.1)), "\(test.0)")
        }
    }

    private static func rows(of page: TextFile) -> [Substring] {
        page.lines.filter { $0.hasPrefix("| ") && !$0.hasPrefix("| feature ") }
    }

    /// Returns the faults in the table.
    private static func faults(of page: TextFile) -> [String] {
        rows(of: page).compactMap { row in
            let cells = row.split(separator: "|").map {
                String($0).trimmingCharacters(in: .whitespaces)
            }
            guard cells.count == 3 else { return "not three cells: \(row)" }
            let places = cells[1].matches(of: /`([^`]+)`/).map { String($0.1) }
            let missing = places.filter {
                !Repository.exists("Sources/\($0)") && !Repository.exists($0)
            }
            guard missing.isEmpty else { return "no such place: \(missing)" }
            if let why = cells[2].firstMatch(of: /^not (?:covered|ours): (.+)$/) {
                return why.1.count > 20 ? nil : "no reason: \(row)"
            }
            guard !places.isEmpty else { return "no place: \(row)" }
            let tests = cells[2].matches(of: /`(\w+)`: `([^`]+)`/)
            guard !tests.isEmpty else { return "no test: \(row)" }
            let lost = tests.filter { !has(test: String($0.2), in: String($0.1)) }
            return lost.isEmpty ? nil : "no such test: \(lost.map { "\($0.0)" })"
        }
    }

    /// Returns whether a suite has a test.
    static func has(test: String, in suite: String) -> Bool {
        (suites[suite] ?? []).contains { $0.contain("func `\(test)`") }
    }

    /// Returns the texts of the files that have a suite, by its name.
    private static let suites: [String: [Lines]] = {
        var suites: [String: [Lines]] = [:]
        for source in FormTests.sources where source.path.hasPrefix("Tests/") {
            let lines = Lines(of: source.text)
            for (_, line) in lines.containing(["struct ", "extension ", "final class "]) {
                let name = line.firstMatch(
                    of: /^(?:@Suite.* )?(?:struct|extension|final class) (\w+)/
                )
                if let name { suites[String(name.1), default: []].append(lines) }
            }
        }
        return suites
    }()
}
