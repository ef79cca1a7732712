internal import EventLog
package import SwedbankPay
internal import Workflow

/// A description of the event for which a session waits, and of its next step.
package struct OwedWords {
    package private(set) var lines: [String] = []

    package init(_ state: SessionState, by decider: SessionDecider) {
        if let running = state.running {
            lines.append(
                "the answer to \(running.start.rel.rawValue) (\(running.start.effect.rawValue)) is awaited"
            )
        }
        for effect in decider.effects(owedBy: state) {
            switch effect {
            case .call(let call):
                var words = "call \(call.rel.rawValue) (\(call.id.rawValue)"
                if call.tryNumber > 1 { words += ", try \(call.tryNumber)" }
                words += ")"
                if let earliest = call.notBefore { words += " not before \(earliest)" }
                lines.append(words)
            case .wait(let timer, let until): lines.append("\(timer.words) until \(until)")
            }
        }
        for action in state.actions where action.isOpen {
            lines.append("the client is asked: \(action.kind.name) (\(action.id.rawValue))")
        }
        if lines.isEmpty { lines.append("nothing") }
    }
}

extension SessionTimer {
    /// The subject of the time limit.
    fileprivate var words: String {
        switch self {
        case .methodLimit(let action): "the 3-D Secure method call \(action.rawValue) may take"
        case .attemptLimit(let number): "attempt \(number) may take"
        case .menuLimit: "the PSP's page may take"
        case .sessionLimit: "the session may be open"
        }
    }
}
