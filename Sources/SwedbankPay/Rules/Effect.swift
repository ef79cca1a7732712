public import EventLog
public import Workflow

/// Work that follows from the state of a session.
public typealias Effect = PendingEffect<OperationRequest, SessionTimer>

/// A pending request to the PSP.
public struct OperationRequest: WorkflowRequest {
    /// Its identifier: the same state gives the same identifier.
    public var id: EffectID
    /// The kind of request.
    public var rel: Rel
    /// The HTTP method that the operation specifies.
    public var method: String?
    /// The address to send it to.
    public var href: Sealed
    /// The body to send.
    public var body: OperationBody
    /// The earliest time at which it may be sent; `nil` means at once.
    public var notBefore: Instant?
    /// The attempt it belongs to.
    public var attempt: Int?
    /// The number of the try for the same step, from 1.
    public var tryNumber: Int
    /// Whether it only polls whether the payment has progressed.
    public var isPoll: Bool

    /// Whether it only reads.
    public var onlyReads: Bool { rel.onlyReads }

    /// The relation as a metric label: the known ones, and one name for all others, so that there
    /// are few values.
    public var metricName: String { rel.isKnown || rel == .session ? rel.rawValue : "other" }
}
