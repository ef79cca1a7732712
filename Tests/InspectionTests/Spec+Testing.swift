import SwedbankPay
import Testing
import WorkflowTesting

/// Returns a payment without events; a failed expectation is recorded as an issue of the test.
func payment(limits: SessionLimits = SessionLimits()) -> DeciderSpec {
    DeciderSpec(decider: SessionDecider(catalogue: .sample, limits: limits)) { text, place in
        Issue.record(
            Comment(rawValue: text),
            sourceLocation: SourceLocation(
                fileID: place.fileID,
                filePath: place.filePath,
                line: place.line,
                column: place.column
            )
        )
    }
}
