public import EventLog

/// What a caller may do.
public enum Role: String, CaseIterable, Hashable, Sendable {
    /// Reads lists, views, stories and time lines, without secrets.
    case viewer
    /// Also searches, writes notes and retries.
    case support
    /// Also aborts, closes and reads again.
    case `operator`
    /// Reads everything that is not sealed, also whole logs.
    case auditor
    /// Manages the service.
    case admin
    /// Opens and drives sessions for a merchant's own service, and gets what the client needs in
    /// order to act.
    case driver
    /// Reads the records of all sessions.
    case subscriber

    /// The roles that may read a session without its secrets.
    static let readers: Set<Role> = [.viewer, .support, .operator, .auditor, .admin, .driver]
}

/// Who sends a request.
public struct Caller: Hashable, Sendable {
    /// The name, which is recorded in logs, and by which idempotency keys and limits are kept
    /// apart: a person's has an `@`, and a token's has none.
    public let name: String
    /// The roles.
    public var roles: Set<Role>
    /// The only session that it may see and act on: the caller is the payer of that session.
    public var session: SessionID?
    /// Whether it is the PSP, whose callbacks a listener for payers accepts without a token.
    let isPSP: Bool

    /// Creates the caller with a token.
    public init(name: String, roles: Set<Role>) {
        self.name = name.rewriting("@", as: "-")
        (self.roles, isPSP) = (roles, false)
    }

    /// Creates a person whom a proxy has signed in.
    init(person name: String, roles: Set<Role>) {
        self.name = name.utf8.contains(UInt8(ascii: "@")) ? name : name + "@proxy"
        (self.roles, isPSP) = (roles, false)
    }

    /// The PSP; a flag, since anybody may have the name.
    static let psp = Caller()

    private init() { (name, roles, isPSP) = ("PSP", [], true) }

    init(payerOf session: SessionID) {
        (name, roles, self.session, isPSP) = ("payer", [], session, false)
    }

    /// Whether the caller performs the client's actions, and therefore gets what they need.
    var acts: Bool { session != nil || roles.contains(.driver) }
}
