import EventLog
import Workflow
import WorkflowTesting

@testable import OwnWorkflow

/// Deliberate bugs in the engine of the booking of seats.
enum SeatMutation: String, CaseIterable, Sendable {
    /// A request whose outcome is unknown is sent again without reconciling.
    case sendAgainUnread
    /// A request is sent before its start is recorded.
    case recordAfterSending
    /// A request in progress is treated as failed: the next one is sent beside it.
    case twoAtOnce
    /// An engine continues without its lease.
    case forgetLease
    /// A guest is notified of success before it is durable.
    case acknowledgeEarly
    /// The engine does not wake up when something is due.
    case loseWakeUps
    /// A tampered log is driven.
    case trustAnyLog

    /// The guarantees that it may violate, the targeted one first.
    var guarantees: [Guarantee] {
        switch self {
        case .sendAgainUnread: [.noDoublePay]
        case .recordAfterSending: [.durableFirst]
        case .twoAtOnce: [.singleFlight, .noDoublePay]
        case .forgetLease: [.oneWriter]
        case .acknowledgeEarly: [.nothingLost]
        case .loseWakeUps: [.settles]
        case .trustAnyLog: [.authenticLog]
        }
    }
}

/// A driver between the world and the core that breaks it.
struct SeatDriver: CoreDriver {
    let mutation: SeatMutation
    private var requests: [SessionID: Int] = [:]

    init(_ mutation: SeatMutation) { self.mutation = mutation }

    mutating func handle(
        _ input: EngineInput<SeatRules>,
        at now: Instant,
        in core: inout EngineCore<SeatRules>
    ) -> [EngineAction<SeatRules>] {
        if case .command(let session, _, let number, _) = input { requests[session] = number }
        var actions = core.handle(bent(input), at: now)
        if mutation == .twoAtOnce {
            for case .perform(let session, let request) in actions where !request.onlyReads {
                let failed = SeatOutcome.failed(isUnknown: false, isLost: true)
                actions += core.handle(
                    .requestEnded(session, request.id, failed, durationMilliseconds: 0),
                    at: now
                )
            }
        }
        return actions.flatMap { bent($0, core) }
    }

    func admits(_ log: [StoredRecord], _ proof: LogAuthentication) -> Bool {
        var proof = proof
        return mutation == .trustAnyLog || log.allSatisfy { proof.accepts($0) } && proof.isWhole
    }

    private func bent(_ input: EngineInput<SeatRules>) -> EngineInput<SeatRules> {
        switch (mutation, input) {
        case (.sendAgainUnread, .requestEnded(let session, let effect, .failed, let duration)):
            let failed = SeatOutcome.failed(isUnknown: false, isLost: true)
            return .requestEnded(session, effect, failed, durationMilliseconds: duration)
        case (.forgetLease, .lease(let session, granted: false)):
            return .lease(session, granted: true)
        default: return input
        }
    }

    private mutating func bent(
        _ action: EngineAction<SeatRules>,
        _ core: EngineCore<SeatRules>
    ) -> [EngineAction<SeatRules>] {
        switch (mutation, action) {
        case (.recordAfterSending, .append(let append)):
            for case .started(let start) in append.events {
                let request = SeatRequest(id: start.effect, kind: start.kind, seat: "")
                return [.perform(append.session, request), action]
            }
            return [action]
        case (.acknowledgeEarly, .append(let append)):
            guard let number = requests.removeValue(forKey: append.session),
                var state = core.state(of: append.session)
            else { return [action] }
            for event in append.events { SeatRules().evolve(&state, by: event, at: append.at) }
            return [.reply(number, .accepted(state)), action]
        case (.loseWakeUps, .wake): return []
        default: return [action]
        }
    }
}
