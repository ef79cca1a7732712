internal import EventLog
internal import SwedbankPay

extension Driver {
    /// The caller, as it is recorded with commands.
    var who: String {
        guard let person, person.isNamed || audit.recordsInterventions else { return "workflowctl" }
        return person.name
    }

    /// Refuses an intervention without a reason where one is required.
    func checkReason(for intervention: String?) throws(Failure) {
        guard intervention != nil, audit.recordsInterventions, audit.requiresReason else { return }
        try person?.requireReason()
    }

    /// Records an operator's intervention, if the configuration or the option for a reason requires
    /// it.
    func record(_ intervention: String?, in session: SessionID) async throws(EngineError) {
        guard let intervention, let person,
            audit.recordsInterventions || person.reason != nil
        else { return }
        try await engine.record(person.acted(intervention), in: session)
    }

    /// Records that sealed values are about to be shown, where that is required; nothing may be
    /// shown before it returns.
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
    /// The name under which the command is recorded as an intervention; `nil` for what a client
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
