import WorkflowTesting

@testable import Workflow

/// Engines that are broken on purpose, each in one way.
///
/// Each stands between the world and the real core, and bends what goes in or what comes out.
enum Sabotage: String, CaseIterable, Sendable {
    case performBeforeAppend, repeatBlindly, takeLostForUnsent, forgetStartAfterCrash
    case dropConflict, acknowledgeBeforeDurable, forgetEvent, ignoreLease, loseWakeUps
    case pollWithoutPause, believeAnything, goOnAfterTheEnd

    /// The guarantees by which the simulator may catch it.
    var breaks: [String] {
        switch self {
        case .performBeforeAppend: ["durableFirst"]
        case .repeatBlindly, .takeLostForUnsent: ["noDoublePay"]
        case .forgetStartAfterCrash: ["noDoublePay", "replayEqualsLive"]
        case .dropConflict: ["replayEqualsLive", "nothingLost", "durableFirst"]
        case .acknowledgeBeforeDurable: ["nothingLost"]
        case .forgetEvent: ["replayEqualsLive"]
        case .ignoreLease: ["oneWriter"]
        case .loseWakeUps: ["settles"]
        case .pollWithoutPause: ["settles"]
        case .believeAnything: ["paidMeansPaid"]
        case .goOnAfterTheEnd: ["terminalIsFinal"]
        }
    }
}

/// A core with one kind of sabotage.
struct SabotagedDriver: CoreDriver {
    let sabotage: Sabotage
    private var calls: [EffectID: OperationCall] = [:]
    private var requests: [SessionID: Int] = [:]

    init(_ sabotage: Sabotage) { self.sabotage = sabotage }

    mutating func handle(
        _ input: EngineInput,
        at now: Instant,
        in core: inout EngineCore
    ) -> [EngineAction] {
        if case .request(let session, _, let number, _) = input { requests[session] = number }
        if let instead = replacing(input) { return instead }
        let actions = core.handle(bent(input, core), at: now)
        return actions.flatMap { bent($0, core) }
    }

    private func key(_ session: SessionID, _ effect: EffectID) -> EffectID {
        EffectID(rawValue: "\(session).\(effect.rawValue)")
    }

    /// What is done instead of telling the core.
    private func replacing(_ input: EngineInput) -> [EngineAction]? {
        guard case .answered(let session, let effect, let outcome, _) = input,
            let call = calls[key(session, effect)]
        else { return nil }
        switch (sabotage, outcome) {
        case (.repeatBlindly, .failed(.maybeSent, _, _)) where !call.onlyReads:
            return [.perform(session, call)]
        case (.pollWithoutPause, .snapshot) where call.isPoll: return [.perform(session, call)]
        default: return nil
        }
    }

    private func bent(_ input: EngineInput, _ core: EngineCore) -> EngineInput {
        switch (sabotage, input) {
        case (.takeLostForUnsent, .answered(let session, let effect, let outcome, let duration)):
            guard case .failed(.maybeSent, let code, _) = outcome else { return input }
            return .answered(
                session,
                effect,
                .failed(reach: .notSent, code: code, isTransient: true),
                durationMilliseconds: duration
            )
        case (.believeAnything, .answered(let session, let effect, .refused, let duration)):
            return .answered(
                session,
                effect,
                .snapshot(.paid, status: 200),
                durationMilliseconds: duration
            )
        case (.forgetStartAfterCrash, .loaded(var state, let isWatched)):
            guard state.running != nil else { return input }
            state.running = nil
            state.operationCount -= 1
            return .loaded(state, isWatched: isWatched)
        case (.dropConflict, .appendFailed(let session, .conflict)): return .appended(session)
        case (.ignoreLease, .lease(let session, false)): return .lease(session, granted: true)
        default: return input
        }
    }

    private mutating func bent(_ action: EngineAction, _ core: EngineCore) -> [EngineAction] {
        switch (sabotage, action) {
        case (.performBeforeAppend, .append(let append)):
            guard var state = core.state(of: append.session) else { return [action] }
            for event in append.events {
                if case .operationStarted(let started) = event,
                    case .call(let call)? = core.decider.effects(owedBy: state).first,
                    call.id == started.effect
                {
                    return [.perform(append.session, call), action]
                }
                state.apply(event, at: append.at)
            }
            return [action]
        case (.acknowledgeBeforeDurable, .append(let append)):
            guard var state = core.state(of: append.session),
                let number = requests.removeValue(forKey: append.session)
            else { return [action] }
            for event in append.events { state.apply(event, at: append.at) }
            return [.reply(number, .accepted(state)), action]
        case (.forgetEvent, .publish(var state, let before)):
            state.reading.unchangedReads += 1
            return [.publish(state, sequenceBefore: before)]
        case (.loseWakeUps, .wake): return []
        case (.goOnAfterTheEnd, .publish(let state, _)):
            guard state.outcome != nil,
                let call = calls[key(state.session, EffectID(rawValue: "e-1"))]
            else { return [action] }
            return [action, .perform(state.session, call)]
        case (_, .perform(let session, let call)):
            calls[key(session, call.id)] = call
            return [action]
        default: return [action]
        }
    }
}
