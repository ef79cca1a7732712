internal import EventLog
internal import SwedbankPay

extension Driver {
    /// Who asks, as the rules record it of what can be asked for.
    var who: String {
        guard let person, person.isNamed || audit.recordsInterventions else { return "workflowctl" }
        return person.name
    }

    /// Refuses an intervention without a reason where one has to be given.
    func checkReason(for intervention: String?) throws(Failure) {
        guard intervention != nil, audit.recordsInterventions, audit.requiresReason else { return }
        try person?.requireReason()
    }

    /// Records that a person intervened, when that is wanted: by the configuration, or by whoever says why.
    func record(_ intervention: String?, in session: SessionID) async throws(EngineError) {
        guard let intervention, let person,
            audit.recordsInterventions || person.reason != nil
        else { return }
        try await engine.record(person.acted(intervention), in: session)
    }

    /// Records that a person is about to see what is sealed, when that is wanted; nothing may be shown before it returns.
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
    /// What is recorded of the command as an intervention by a person; nothing for what a client does.
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
