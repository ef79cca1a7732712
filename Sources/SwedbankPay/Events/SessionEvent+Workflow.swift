public import Workflow

extension SessionEvent: WorkflowEvent {
    /// Whether it is one of the four ends.
    public var isEnd: Bool {
        switch self {
        case .completed, .canceled, .failed, .expired: true
        default: false
        }
    }

    /// Whether it records that the session's data key is destroyed.
    public var isErasure: Bool {
        if case .operatorActed(let acted) = self { acted.isErasure } else { false }
    }
}
