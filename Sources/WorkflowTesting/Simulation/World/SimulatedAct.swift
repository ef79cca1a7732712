public import Workflow

/// An action of a client.
public struct SimulatedAct<Input: WorkflowInput>: Sendable {
    /// The time after the client was notified.
    public var pause: Duration
    /// The client's command or report.
    public var input: Input

    /// Creates an action.
    public init(after pause: Duration, _ input: Input) {
        self.pause = pause
        self.input = input
    }
}
