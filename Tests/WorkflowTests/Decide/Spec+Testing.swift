import SwedbankPay
import Testing
import WorkflowTesting

/// A payment without events; unmet expectations are recorded as issues of the test.
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

extension DeciderSpec {
    /// The first client action of the newest event that requests any.
    var newestAction: ActionID { state.actions.last?.id ?? ActionID(rawValue: "none") }

    /// Returns how often an event type is in the log.
    func count(_ type: String) -> Int { log.count { $0.event.typeName == type } }

    /// Returns how often a kind of request was made.
    func count(_ rel: Rel) -> Int { requests.count { $0.call.rel == rel } }
}
