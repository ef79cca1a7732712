internal import Adapters
internal import Inspection
internal import SwedbankPay

/// A file with a host's changes to the problem catalogue.
enum ProblemsFile {
    /// Reads the program's catalogue with the changes of a file, and the effect of each row of the
    /// file.
    ///
    /// - Throws: A failure that names the first invalid row.
    static func read(
        _ path: String
    ) throws(Failure) -> (catalogue: ProblemCatalogue, changes: [ProblemCatalogue.Change]) {
        let bytes: [UInt8]
        do {
            bytes = try FileBytes.read(path, limit: FileBytes.valueLimit)
        } catch {
            throw Failure(
                .configuration,
                "problems.unreadable",
                "the changes to the problem catalogue cannot be used: \(error.message)",
                hint: error.hint
            )
        }
        do {
            return try ProblemCatalogue.bundled.overriding(by: bytes)
        } catch {
            throw Failure(
                .configuration,
                error.code,
                Screen.safe("\(error)"),
                hint: "'workflowctl problems list --json' shows the format of a row"
            )
        }
    }
}
