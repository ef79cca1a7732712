/// Whether a session goes on or has ended, with what can be true only then.
enum Lifecycle: Hashable, Sendable {
    /// It goes on.
    case ongoing(Ongoing)
    /// It has ended, which is final.
    case ended(Ending)

    /// What may be true of a session that goes on.
    ///
    /// Each part may be true beside the others: the engine may give up on the abort itself, before
    /// or after the session was read because it is about to expire.
    struct Ongoing: Hashable, Sendable {
        /// A request to abort the session, until it is done or refused.
        var abort: PendingAbort?
        /// Whether the engine waits for a command because it has given up on a request.
        var isStalled = false
        /// Whether the engine only reads, because reads that it had given up work again, and nobody
        /// has asked for more since then.
        var isOnlyRead = false
        /// Whether a read was requested because the session is about to expire.
        var isReadAtEnd = false
    }
}

/// A pending request to abort a session.
struct PendingAbort: Hashable, Sendable {
    /// The party that requested it.
    var by: String
    /// Whether the PSP accepted the request; the session will show it soon.
    var isAccepted = false
}

/// How a session ended.
struct Ending: Hashable, Sendable {
    /// The outcome.
    var outcome: Outcome
    /// Whether an operator ended it, without a result from the PSP.
    var isByHand = false
    /// Whether the engine waits for a command because it has given up on a request since then, such
    /// as a capture of a checkout.
    var isStalled = false
}

extension Progress {
    /// How the session ended.
    public var outcome: Outcome? { ending?.outcome }

    /// Whether an operator ended it, without a result from the PSP.
    public var isClosedByHand: Bool { ending?.isByHand ?? false }

    /// Whether the engine waits for a command because it has given up on a request.
    package internal(set) var isStalled: Bool {
        get {
            switch lifecycle {
            case .ongoing(let ongoing): ongoing.isStalled
            case .ended(let ending): ending.isStalled
            }
        }
        set {
            switch lifecycle {
            case .ongoing(var ongoing):
                ongoing.isStalled = newValue
                lifecycle = .ongoing(ongoing)
            case .ended(var ending):
                ending.isStalled = newValue
                lifecycle = .ended(ending)
            }
        }
    }

    /// Whether the engine only reads, because reads that it had given up work again: a request that
    /// changes something waits for a command or report.
    var isOnlyRead: Bool {
        get { ongoing?.isOnlyRead ?? false }
        set { ongoing?.isOnlyRead = newValue }
    }

    /// A request to abort the session, until it is done or refused; none when it has ended.
    var abort: PendingAbort? {
        get { ongoing?.abort }
        set { ongoing?.abort = newValue }
    }

    /// The party that requested the abort, until it is performed or refused.
    var abortRequestedBy: String? { abort?.by }

    /// Whether a read was requested because the session is about to expire.
    var isReadAtEnd: Bool {
        get { ongoing?.isReadAtEnd ?? false }
        set { ongoing?.isReadAtEnd = newValue }
    }

    private var ending: Ending? { if case .ended(let ending) = lifecycle { ending } else { nil } }

    /// What is true of a session that goes on; `nil`, and not changed any more, when it has ended.
    private var ongoing: Lifecycle.Ongoing? {
        get { if case .ongoing(let ongoing) = lifecycle { ongoing } else { nil } }
        set {
            // Changing a member of a missing value writes `nil` back.
            guard let newValue, case .ongoing = lifecycle else { return }
            lifecycle = .ongoing(newValue)
        }
    }
}
