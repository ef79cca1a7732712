import Foundation
import Testing

/// Rows of the index are not authentic: SECURITY.md says of every read what decides instead.
@Suite struct RowReadTests {
    /// The calls that read rows, kept sums or search terms.
    ///
    /// They are computed: a regular expression cannot be shared between tasks.
    private static var read: Regex<Substring> {
        get throws {
            try Regex(
                #"\.(?:sessions\(\s*(?:matching|withTermsBeginning|after)|sessionsDue\(|session\(\s*ofAddress"#
                    + #"|row\(of: (?!\$0)|listedRow\(of|allRows\(|allSessions\(|endedSessions\(|endedCounts\("#
                    + #"|openCount\(|confirmedSums\(|sessionsToSum\(|sessionIdentities\("#
                    + #"|sessionsUndelivered\(|beginning\(of|addressFaults\(|sumFaults\(|nodes\(\))"#
            )
        }
    }

    /// What implements or tests the index itself.
    private static let index = [
        "Sources/EventLog/", "Sources/WorkflowTesting/", "Sources/Adapters/EventStores/",
    ]

    private static func readers() throws -> [String] {
        let read = try read
        return Repository.files(below: "Sources", endingIn: ".swift").filter { file in
            guard !index.contains(where: file.path.hasPrefix) else { return false }
            let code = file.lines.filter { !$0.drop(while: \.isWhitespace).hasPrefix("//") }
                .joined(separator: "\n")
            return code.contains(read)
        }.map { String($0.path.dropFirst("Sources/".count)) }
    }

    /// The rows of the table: file, decision, what authenticates it.
    private static func listed() throws -> [[String]] {
        let page = try Repository.file("SECURITY.md").text
        let section = try #require(
            page.components(separatedBy: "## Rows are a hint").dropFirst().first?
                .components(separatedBy: "\n## ").first
        )
        return section.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { row in
            row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    @Test func `the table of reads of rows names exactly the files that read some`() throws {
        let files = try Self.listed().map { $0[0].trimmingCharacters(in: ["`"]) }
        #expect(files.count == Set(files).count)
        #expect(files.sorted() == (try Self.readers()).sorted())
        #expect(files.count > 40)
    }

    @Test func `each read of a row only proposes, is authenticated by MACs, or is only shown`()
        throws
    {
        for row in try Self.listed() {
            try #require(row.count == 3, "\(row)")
            let kinds = ["proposes only", "MAC", "shown"].filter { kind in
                row[2] == kind || row[2].hasPrefix(kind + ":") || row[2].hasPrefix(kind + ";")
            }
            #expect(kinds.count == 1, "\(row)")
        }
    }

    @Test func `a file that begins to read rows is noticed`() throws {
        let read = try Self.read
        for call in [
            "store.sessions(\n    matching: query)", "try await store.row(of: session)",
            "store.endedSessions(withKey", "reader.store.listedRow(of: session)",
        ] { #expect(call.contains(read), "\(call)") }
        #expect(!"Self.row(of: $0)".contains(read) && !"// store.rows".contains(read))
    }
}
