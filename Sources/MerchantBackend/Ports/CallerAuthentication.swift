public import HTTPTypes

/// An authenticated user of the merchant backend, as known to the host application.
public struct Caller: Hashable, Sendable {
    /// The identifier of the caller, who owns orders.
    ///
    /// It stays the same from one sign-in to the next.
    public let id: String

    /// Creates a caller with that identifier.
    public init(id: String) {
        self.id = id
    }
}

/// The result of checking a request's credentials.
public enum CallerDecision: Hashable, Sendable {
    /// The request was sent by this caller.
    case caller(Caller)
    /// There are no valid credentials.
    case refused
    /// The sender has sent too many requests.
    case tooOften(retryAfterSeconds: Int)
}

/// Identifies the sender of a request; implemented by the host application, because only it knows
/// its users.
///
/// A merchant backend requires one. It is not called for pages that a browser opens, callbacks and
/// association files.
public protocol CallerAuthentication: Sendable {
    /// Identifies the sender of a request.
    ///
    /// - Throws: Any error; the response is 500.
    func decide(on request: HTTPRequest) async throws -> CallerDecision
}
