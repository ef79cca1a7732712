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

extension DeciderSpec {
    /// The first action of the newest event that asked for one.
    var newestAction: ActionID { state.actions.last?.id ?? ActionID(rawValue: "none") }

    /// How often a type of event is in the log.
    func count(_ type: String) -> Int { log.count { $0.event.typeName == type } }

    /// How often a kind of request was made.
    func count(_ rel: Rel) -> Int { requests.count { $0.call.rel == rel } }
}
