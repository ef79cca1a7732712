public import EventLog
internal import SwedbankPay
public import Workflow

/// Sits between a simulated world and an engine core, so that a test can show the effects of a
/// broken engine.
public protocol CoreDriver<Rules>: Sendable {
    /// The rules of the cores.
    associatedtype Rules: WorkflowRules

    /// Passes an input to a core and returns the resulting actions.
    mutating func handle(
        _ input: EngineInput<Rules>,
        at now: Instant,
        in core: inout EngineCore<Rules>
    ) -> [EngineAction<Rules>]

    /// Returns a record that the engine is about to store, by default unchanged.
    func stored(_ record: StoredRecord) -> StoredRecord

    /// Returns what the engine hears of what others have appended, by default all of it.
    func heard(_ changes: StoreChanges) -> StoreChanges

    /// Returns what the engine believes to have of a session that is not in its memory, by default
    /// the truth.
    func remembers(_ memory: Following.Memory) -> Following.Memory

    /// Whether the store assigns the log positions of records before their commit; by default it
    /// does not.
    var assignsPositionsEarly: Bool { get }

    /// Returns whether a log is driven; by default when the proof covers all of it.
    func admits(_ log: [StoredRecord], _ proof: LogAuthentication) -> Bool

    /// Returns whether a row is corrected from its log, in which something is due at a time; by
    /// default when the row does not agree.
    func corrects(_ row: SessionSummary, due: Instant) -> Bool
}

extension CoreDriver {
    /// Returns the record unchanged.
    public func stored(_ record: StoredRecord) -> StoredRecord { record }

    /// Returns everything.
    public func heard(_ changes: StoreChanges) -> StoreChanges { changes }

    /// Returns the truth.
    public func remembers(_ memory: Following.Memory) -> Following.Memory { memory }

    /// Has the store assign log positions with the commit.
    public var assignsPositionsEarly: Bool { false }

    /// Returns whether the row says something else than the log about when something is due.
    public func corrects(_ row: SessionSummary, due: Instant) -> Bool {
        !row.agreesOnDue(with: due)
    }

    /// Returns whether the proof covers all of a log.
    public func admits(_ log: [StoredRecord], _ proof: LogAuthentication) -> Bool {
        var proof = proof
        return log.allSatisfy { proof.accepts($0) } && proof.isWhole
    }
}

/// A driver without changes: the unmodified engine.
public struct FaithfulDriver<Rules: WorkflowRules>: CoreDriver {
    /// Creates the driver.
    public init() {}

    /// Passes the input to the core.
    public mutating func handle(
        _ input: EngineInput<Rules>,
        at now: Instant,
        in core: inout EngineCore<Rules>
    ) -> [EngineAction<Rules>] {
        core.handle(input, at: now)
    }
}
