public import EventLog
public import Workflow

/// Work that follows from the state of a session.
public typealias Effect = PendingEffect<OperationCall, SessionTimer>

/// A request to the PSP that a state owes.
public struct OperationCall: WorkflowCall {
    /// Its identity: the same state owes the same one.
    public var id: EffectID
    /// What it does.
    public var rel: Rel
    /// The HTTP method, as the operation says it.
    public var method: String?
    /// Where to.
    public var href: Sealed
    /// What it sends.
    public var body: OperationBody
    /// Not before this time; nothing means at once.
    public var notBefore: Instant?
    /// The attempt that it belongs to.
    public var attempt: Int?
    /// Counted from 1 for the same step.
    public var tryNumber: Int
    /// Whether it only looks whether the payment has moved.
    public var isPoll: Bool

    /// Whether it only reads.
    public var onlyReads: Bool { rel.onlyReads }

    /// The relation in metrics: those that we know, and one name for all others, so that there are few.
    public var metricName: String { rel.isKnown || rel == .session ? rel.rawValue : "other" }
}
