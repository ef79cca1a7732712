public import EventLog

/// Work that a state owes to the outside, as data.
public enum Effect: Hashable, Sendable {
    /// Call an operation of the PSP.
    case call(OperationCall)
    /// Come back at a time.
    case wait(SessionTimer, until: Instant)
}

/// A request to the PSP that a state owes.
public struct OperationCall: Hashable, Sendable {
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
}
