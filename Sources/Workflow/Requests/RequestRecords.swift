public import EventLog

/// The identifier of a request, derived from the state that the request follows from: the same
/// state gives the same identifier.
public struct EffectID: RawRepresentable, Hashable, Sendable {
    /// `e-N` for requests that change something, `r-N` for reads; N is counted per stream.
    public let rawValue: String

    /// Creates the identifier with that name.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// The event that a workflow records before a request that changes something is sent.
public protocol RequestStart: Hashable, Sendable {
    /// The names of the kinds of request.
    associatedtype Kind: Hashable & Sendable
    /// The request.
    var effect: EffectID { get }
    /// The kind of request.
    var kind: Kind { get }
}

/// The event that a workflow records when a request failed or its outcome is unknown.
public protocol RequestFailure: Hashable, Sendable {
    /// The names of the kinds of request.
    associatedtype Kind: Hashable & Sendable
    /// The request.
    var effect: EffectID { get }
    /// The kind of request.
    var kind: Kind { get }
    /// When to continue; `nil` when the engine does not retry by itself.
    var retryAt: Instant? { get }
    /// Whether the request certainly had no effect and was not refused, so that it may be sent
    /// again without reconciling.
    var isSafeToResend: Bool { get }
    /// Whether its process ended before a response arrived.
    var isInterruption: Bool { get }
}
