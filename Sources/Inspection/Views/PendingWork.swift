internal import EventLog
package import SwedbankPay
internal import Workflow

/// A description of the event for which a session waits, and of its next step.
package struct PendingWork {
    package private(set) var lines: [String] = []

    package init(_ state: SessionState, by decider: SessionDecider) {
        if let running = state.running {
            lines.append(
                "waiting for the response to \(running.start.rel.rawValue) (\(running.start.effect.rawValue))"
            )
        }
        for effect in decider.pendingEffects(of: state) {
            switch effect {
            case .request(let request):
                var words = "send \(request.rel.rawValue) (\(request.id.rawValue)"
                if request.tryNumber > 1 { words += ", try \(request.tryNumber)" }
                words += ")"
                if let earliest = request.notBefore { words += ", not before \(earliest)" }
                lines.append(words)
            case .wait(let timer, let until): lines.append("\(timer.words) ends at \(until)")
            }
        }
        for action in state.actions where action.isOpen {
            let kind = ActionView.Kind(action.kind).rawValue
            lines.append("waiting for the client: \(kind) (\(action.id.rawValue))")
        }
        if lines.isEmpty { lines.append("nothing") }
    }
}

extension SessionTimer {
    /// The subject of the time limit.
    fileprivate var words: String {
        switch self {
        case .methodLimit(let action): "the time limit of the 3-D Secure method \(action.rawValue)"
        case .attemptLimit(let number): "the time limit of attempt \(number)"
        case .menuLimit: "the time limit of the PSP's page"
        case .sessionLimit: "the lifetime of the session"
        }
    }
}
