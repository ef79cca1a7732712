public import EventLog

/// The session ended unpaid, in good order.
public struct Canceled: Hashable, Sendable {
    /// Who ended it.
    public var by: Party

    /// Who can end a session.
    public enum Party: String, Hashable, Sendable {
        /// Somebody asked for it through this engine.
        case client
        /// The PSP reported it without our asking.
        case psp
        /// The payer left the PSP's page by its cancel URL.
        case payer
    }

    /// The content of a `canceled` event.
    public init(by: Party) { self.by = by }
}

/// The PSP says that the payment is done.
public struct Completed: Hashable, Sendable {
    /// How we know.
    public var evidence: Evidence

    /// The PSP's word that a `completed` event rests on.
    public enum Evidence: String, Hashable, Sendable {
        /// The session redirects the payer to the order's complete URL.
        case redirectToCompleteURL
        /// The payment order's status says so.
        case orderStatus
        /// The PSP's page went to the order's complete URL, by the client's account, and nobody could read the order.
        case completeURLReached
    }

    /// The content of a `completed` event.
    public init(evidence: Evidence) { self.evidence = evidence }
}

/// The session was not finished in time.
public struct Expired: Hashable, Sendable {
    /// Why.
    public var reason: Reason

    /// What makes a session expire.
    public enum Reason: String, Hashable, Sendable {
        /// The PSP does not know the session any more.
        case goneAtPSP
        /// It was open for longer than the engine's limit.
        case lifetime
    }

    /// The content of an `expired` event.
    public init(reason: Reason) { self.reason = reason }
}

/// The session is over without a clean end.
public struct Failed: Hashable, Sendable {
    /// Why.
    public var reason: Reason
    /// The host that the PSP redirects to, when that is what nobody expected.
    public var host: String?
    /// Where a person ended the session: what was known of the money then.
    ///
    /// Nothing where the rules ended it; and in logs of builds that did not write it down. A person's end says nothing about
    /// the money: what was unknown before it stays so.
    public var money: Money.Standing?

    /// Whether a person ended the session, and not the PSP's word or the rules.
    public var isByHand: Bool { money != nil }

    /// What makes a session fail.
    public enum Reason: String, Hashable, Sendable {
        /// The order lacks addresses that paying needs.
        case configuration
        /// The session is in a state that nothing can continue.
        case endReached
        /// The PSP's page gave up.
        case pageFailed
        /// The payment order's status says so.
        case orderFailed
    }

    /// The content of a `failed` event.
    public init(reason: Reason, host: String? = nil, money: Money.Standing? = nil) {
        self.reason = reason
        self.host = host
        self.money = money
    }
}

/// The PSP called the merchant's callback URL.
public struct CallbackReceived: Hashable, Sendable {
    /// SHA-256 of the body.
    public var digest: Digest256
    /// Who handed it in, where that was not the PSP itself.
    public var by: String?

    /// The content of a `callbackReceived` event.
    public init(digest: Digest256, by: String? = nil) {
        self.digest = digest
        self.by = by
    }
}

/// A person wrote something down.
public struct NoteAdded: Hashable, Sendable {
    /// Who.
    public var by: String
    /// What; sealed, since it is free text about a person's payment.
    public var text: Sealed

    /// The content of a `noteAdded` event.
    public init(by: String, text: Sealed) {
        self.by = by
        self.text = text
    }
}

/// A person looked at sealed values or intervened.
public struct OperatorActed: Hashable, Sendable {
    /// Who.
    public var by: String
    /// What they did, for example `reveal`.
    public var action: String
    /// Why.
    public var reason: String?
    /// What they found out at the PSP about money that was unknown; nil for everything else that people do.
    public var resolution: MoneyResolution?

    /// The ``action`` of whoever says what became of money that was unknown.
    public static let resolving = "resolve"
    /// The ``action`` of whoever made the session as a copy of another one, for a scratch store.
    public static let forking = "fork"
    /// The note of the first event of such a copy that says of which session it is one.
    public static let forkOrigin = "forkedFrom"
    /// The ``action`` of whoever destroys the session's data key.
    public static let erasure = "erase"

    /// Whether it records that the session's data key is destroyed.
    public var isErasure: Bool { action == Self.erasure }

    /// The content of an `operatorActed` event.
    public init(
        by: String,
        action: String,
        reason: String? = nil,
        resolution: MoneyResolution? = nil
    ) {
        self.by = by
        self.action = action
        self.reason = reason
        self.resolution = resolution
    }
}
