public import Workflow

extension SessionEvent: WorkflowEvent {
    /// Whether the event is one of the four endings.
    public var isEnd: Bool {
        switch self {
        case .completed, .canceled, .failed, .expired: true
        default: false
        }
    }

    /// Whether it records that the session's data key was destroyed.
    public var isErasure: Bool {
        if case .operatorActed(let acted) = self { acted.isErasure } else { false }
    }
}
