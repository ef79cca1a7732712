import SwedbankPay
import Testing
import WorkflowTesting

/// A payment that nothing has happened in; what does not come true is recorded as an issue of the
/// test.
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
