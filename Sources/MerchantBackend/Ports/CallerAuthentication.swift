public import HTTPTypes

/// Somebody who may use the merchant backend, as the host knows them.
public struct Caller: Hashable, Sendable {
    /// Who it is, to whom orders belong.
    ///
    /// It stays the same from one sign-in to the next.
    public let id: String

    /// A caller of that id.
    public init(id: String) {
        self.id = id
    }
}

/// What the host makes of a request's credentials.
public enum CallerDecision: Hashable, Sendable {
    /// The request comes from this caller.
    case caller(Caller)
    /// There are no valid credentials.
    case refused
    /// The caller, or whoever it is, has asked too often.
    case tooOften(retryAfterSeconds: Int)
}

/// Finds out who sends a request: the host's part, since only the host knows its users.
///
/// Without it there is no merchant backend. Pages that a browser opens, callbacks and association files are not
/// asked about.
public protocol CallerAuthentication: Sendable {
    /// Finds out who sends a request.
    ///
    /// - Throws: Whatever goes wrong; the request is answered with 500.
    func decide(on request: HTTPTypes.HTTPRequest) async throws -> CallerDecision
}
