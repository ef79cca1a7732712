public import EventLog
internal import SwedbankPay
public import Workflow

/// Stands between a simulated world and an engine core, so that a test can show what a broken engine leads to.
public protocol CoreDriver<Rules>: Sendable {
    /// The rules of the cores.
    associatedtype Rules: WorkflowRules

    /// Gives a core an input and says what is to be done.
    mutating func handle(
        _ input: EngineInput<Rules>,
        at now: Instant,
        in core: inout EngineCore<Rules>
    ) -> [EngineAction<Rules>]

    /// Hands on a record that the engine is about to store; by default as it is.
    func stored(_ record: StoredRecord) -> StoredRecord

    /// Whether a log is driven; by default when the proof takes all of it.
    func admits(_ log: [StoredRecord], _ proof: LogAuthentication) -> Bool
}

extension CoreDriver {
    /// The record as it is.
    public func stored(_ record: StoredRecord) -> StoredRecord { record }

    /// Whether the proof takes all of a log.
    public func admits(_ log: [StoredRecord], _ proof: LogAuthentication) -> Bool {
        var proof = proof
        return log.allSatisfy { proof.takes($0) } && proof.isWhole
    }
}

/// Changes nothing: the engine as it is.
public struct FaithfulDriver<Rules: WorkflowRules>: CoreDriver {
    /// A driver that changes nothing.
    public init() {}

    /// Gives the core the input.
    public mutating func handle(
        _ input: EngineInput<Rules>,
        at now: Instant,
        in core: inout EngineCore<Rules>
    ) -> [EngineAction<Rules>] {
        core.handle(input, at: now)
    }
}
