public import EventLog

/// The identity of a request, derived from the state that it follows from: the same state has the same one.
public struct EffectID: RawRepresentable, Hashable, Sendable {
    /// `e-N` for requests that change something, `r-N` for those that read; counted in the stream.
    public let rawValue: String

    /// The effect of that name.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// What a workflow records of a request that changes something, before it leaves.
public protocol RequestStart: Hashable, Sendable {
    /// What requests are called.
    associatedtype Kind: Hashable & Sendable
    /// The request.
    var effect: EffectID { get }
    /// What it does.
    var kind: Kind { get }
}

/// What a workflow records of a request that failed, or of whose outcome nobody knows.
public protocol RequestFailure: Hashable, Sendable {
    /// What requests are called.
    associatedtype Kind: Hashable & Sendable
    /// The request.
    var effect: EffectID { get }
    /// What it was to do.
    var kind: Kind { get }
    /// When to go on; nil when the engine does not try again by itself.
    var retryAt: Instant? { get }
    /// Whether it certainly had no effect, and nobody spoke against it: it may be sent again without reading.
    var mayBeRepeatedAsItIs: Bool { get }
    /// Whether its process was gone before an answer came.
    var isInterruption: Bool { get }
}
