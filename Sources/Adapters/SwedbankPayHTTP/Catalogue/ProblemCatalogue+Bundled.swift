internal import Crypto
internal import EventLog
public import SwedbankPay

extension ProblemCatalogue {
    /// The catalogue bundled with this build: every type of problem that the PSP documents.
    ///
    /// Its version is a prefix of the SHA-256 of the data, so a log shows which data a decision
    /// used.
    public static let bundled = ProblemCatalogue(whenNeeded: { parsed })

    /// Parsed when it is first needed: a command that only shows a log needs no advice.
    private static let parsed: ProblemCatalogue = {
        do {
            return try ProblemCatalogue(parsing: PackageResources.problems_json)
        } catch {
            preconditionFailure("the bundled problem catalogue is unreadable: \(error)")
        }
    }()

    /// Parses a catalogue.
    ///
    /// - Parameter data: A JSON list of complete rows.
    /// - Throws: ``ProblemCatalogueError`` with the error and its row.
    public init(parsing data: [UInt8]) throws(ProblemCatalogueError) {
        var rows: [Row] = []
        for row in try CatalogueRow.rows(in: data) { rows.append(try row.merged(onto: nil)) }
        self.init(rows: rows, version: "problems-" + Self.digest(of: data))
    }

    /// The first twelve hexadecimal digits of the SHA-256 of data.
    static func digest(of data: [UInt8]) -> String {
        Hexadecimal.text(SHA256.hash(data: data).prefix(6))
    }
}
