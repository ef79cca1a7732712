internal import Adapters
internal import Inspection
internal import Settlement

/// Reads the files of a settlement, named by path.
struct SettlementInput {
    let invocation: Invocation
    /// The limits of each file.
    let limits = SettlementLimits()

    /// How long the program that extracts the text of a PDF may take.
    private static let extractionTime = Duration.seconds(30)

    /// Reads all files; the first that cannot be read fails, and names itself.
    func read(_ paths: [String]) throws(Failure) -> [SettlementFile] {
        try paths.map { path throws(Failure) in
            do throws(Failure) {
                return try read(path)
            } catch {
                var named = error
                named.message = "\(Screen.safe(path)): \(error.message)"
                throw named
            }
        }
    }

    private func read(_ path: String) throws(Failure) -> SettlementFile {
        let bytes = try FileBytes.read(path, limit: limits.fileBytes)
        let text = SettlementFile.isPDF(bytes) ? try extracted(bytes) : bytes
        do throws(UnreadableReport) {
            return try SettlementFile.reading(text, of: bytes, within: limits)
        } catch {
            throw Failure(error)
        }
    }

    /// Returns the text of a PDF.
    ///
    /// Another program extracts it: what it may do wrong with a hostile file ends with it.
    private func extracted(_ bytes: [UInt8]) throws(Failure) -> [UInt8] {
        let output = ChildProcess.output(
            of: ["/usr/bin/env", "pdftotext", "-layout", "-enc", "UTF-8", "-", "-"],
            input: bytes,
            environment: invocation.environment,
            outputLimit: limits.fileBytes,
            timeLimit: Self.extractionTime
        )
        guard let output else {
            throw Failure(
                .unavailable,
                "settlement.no-text",
                "the text of the PDF cannot be extracted",
                hint: "install pdftotext (Debian package poppler-utils); if it is installed, the "
                    + "file is damaged"
            )
        }
        return output
    }
}

extension Failure {
    /// Translates the refusal of a settlement file.
    init(_ error: UnreadableReport) {
        let hint =
            switch error.kind {
            case .unknownFormat:
                "name transaction lists (XML or XLSX) and balance reports (PDF) of Swedbank Pay"
            case .malformed:
                "use the file as the PSP sent it; if it is, prefer the XML, and report the defect"
            case .unsafe: "do not use the file; find out who made it, and get it from the PSP again"
            case .tooLarge: "name the files of fewer or shorter periods"
            }
        let place = error.place.map { "\($0): " } ?? ""
        self.init(.damaged, error.kind.rawValue, place + error.message, hint: hint)
    }

    /// Translates why a report cannot be booked.
    init(_ obstacle: BookkeepingSIE.Obstacle) {
        let (report, reason, hint) =
            switch obstacle {
            case .noBalance(let report):
                (report, "its balance report was not read", "name its balance report (PDF) too")
            case .foreignCurrency(let report):
                (report, "it is not in SEK", "use --format csv for this report")
            case .faulty(let report):
                (
                    report, "its numbers contradict each other",
                    "run the command without --format sie to see how, and ask the PSP"
                )
            }
        let message = "report \(report) cannot be booked: \(reason)"
        self.init(.refused, "settlement.not-bookable", message, hint: hint)
    }
}
