public import EventLog
public import SwedbankPay
public import Workflow

/// Stands between a simulated world and an engine core, so that a test can show what a broken engine leads to.
public protocol CoreDriver: Sendable {
    /// Gives a core an input and says what is to be done.
    mutating func handle(
        _ input: EngineInput<SessionDecider>,
        at now: Instant,
        in core: inout EngineCore<SessionDecider>
    ) -> [EngineAction<SessionDecider>]

    /// Hands on a record that the engine is about to store; by default as it is.
    func stored(_ record: StoredRecord) -> StoredRecord

    /// What is told of the money of a session; by default what the projection says.
    func told(of state: SessionState) -> Money

    /// Whether a log is driven; by default when the proof takes all of it.
    func admits(_ log: [StoredRecord], _ proof: LogAuthentication) -> Bool
}

extension CoreDriver {
    /// The record as it is.
    public func stored(_ record: StoredRecord) -> StoredRecord { record }

    /// What the projection says.
    public func told(of state: SessionState) -> Money { state.money }

    /// Whether the proof takes all of a log.
    public func admits(_ log: [StoredRecord], _ proof: LogAuthentication) -> Bool {
        var proof = proof
        return log.allSatisfy { proof.takes($0) } && proof.isWhole
    }
}

/// Changes nothing: the engine as it is.
public struct FaithfulDriver: CoreDriver {
    /// A driver that changes nothing.
    public init() {}

    /// Gives the core the input.
    public mutating func handle(
        _ input: EngineInput<SessionDecider>,
        at now: Instant,
        in core: inout EngineCore<SessionDecider>
    ) -> [EngineAction<SessionDecider>] {
        core.handle(input, at: now)
    }
}
