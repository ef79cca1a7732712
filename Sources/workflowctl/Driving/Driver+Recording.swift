internal import EventLog
internal import SwedbankPay

extension Driver {
    /// The operator, as the rules record who requested something; the program's name when it acts
    /// by itself.
    var who: String { person?.name ?? "workflowctl" }

    /// Who submits a callback: the operator if named, or if interventions are recorded.
    ///
    /// A callback is usually passed on by a program, and no redaction masks this name.
    var submitter: String {
        guard let person, person.isNamed || audit.recordsInterventions else { return "workflowctl" }
        return person.name
    }

    /// Refuses an intervention without a reason where the configuration requires one.
    func checkReason(for intervention: String?) throws(Failure) {
        guard intervention != nil, audit.recordsInterventions, audit.requiresReason else { return }
        try person?.requireReason()
    }

    /// Records that an operator intervened, if the configuration requires it or a reason was given.
    func record(_ intervention: String?, in session: SessionID) async throws(EngineError) {
        guard let intervention, let person,
            audit.recordsInterventions || person.reason != nil
        else { return }
        try await engine.record(person.acted(intervention), in: session)
    }

    /// Records that an operator is about to see sealed values, if that is to be recorded; none may
    /// be shown before it returns.
    func recordReveal(of session: SessionID) async throws(Failure) {
        guard let person, audit.recordsReveal else { return }
        if audit.requiresReason { try person.requireReason() }
        do throws(EngineError) {
            try await engine.record(person.acted("reveal"), in: session)
        } catch {
            throw Failure.notRecorded(Failure(error))
        }
    }
}

extension DrivingCommand {
    /// The command's name in the record of an operator's intervention; `nil` for what a client
    /// does.
    var intervention: String? {
        switch self {
        case is RetryCommand: "retry"
        case is AbortCommand, is OrderAbortCommand: "abort"
        case is ResumeCommand: "resume"
        case is OrderCaptureCommand: "capture"
        case is OrderCancelCommand: "cancel"
        case is OrderReverseCommand: "reverse"
        default: nil
        }
    }
}
