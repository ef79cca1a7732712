internal import Adapters
internal import EventLog

extension Keeper {
    /// Erases sessions of the store, and shows the progress.
    func erase(_ sessions: [SessionID], _ due: DueRule?, reason: String?) async -> ErasedSessions {
        var progress = ProgressLine(on: invocation.diagnostics)
        defer { progress.clear() }
        let erasure = Erasure(in: store, recordedBy: trail.auditTrail)
        return await erasure.erase(sessions, due, by: person.name, reason: reason) { done in
            let all = Int64(sessions.count)
            progress.reached(Int64(done), of: all, "erasing", at: invocation.now())
        }
    }

    /// Prints what only the server's administrator can remove.
    func note(_ traces: TraceRemoval) {
        if case .outOfReach(let reason) = traces { invocation.note("note: \(reason)") }
    }
}

extension Failure {
    /// Translates the failure to erase a session for the command line.
    init(_ error: ErasureError) {
        switch error {
        case .store(let error): self.init(error)
        case .reading(let error): self.init(error)
        case .trail(let error): self.init(error)
        case .notDue:
            self.init(.damaged, "log.not-authentic", "the log does not show that it is due")
        }
    }

    /// Returns the failure that describes which traces of destroyed keys are left; `nil` when
    /// nothing more can be done here.
    static func pending(_ traces: TraceRemoval) -> Failure? {
        guard case .postponed(let reason) = traces else { return nil }
        return Failure(
            .tryAgain,
            "store.traces-left",
            "the keys are destroyed, but older copies may still be in the store's files: \(reason)",
            hint:
                "to remove the copies, run the command again when no other process keeps the store open"
        )
    }
}
