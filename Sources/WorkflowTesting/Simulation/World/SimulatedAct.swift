public import Workflow

/// Something that a client does.
public struct SimulatedAct<Input: WorkflowInput>: Sendable {
    /// How long after it was told.
    public var pause: Duration
    /// What it asks or reports.
    public var input: Input

    /// That input, after that time.
    public init(after pause: Duration, _ input: Input) {
        self.pause = pause
        self.input = input
    }
}
