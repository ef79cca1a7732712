public import EventLog

/// Where requests stand, and what led there.
extension RequestLedger {
    /// What may be done next: whether a request is under way, and whether what is known can be relied upon.
    public enum Standing: Hashable, Sendable {
        /// Nothing is under way, and what is known can be relied upon.
        ///
        /// True here: the next request that changes something may leave.
        /// Leads to: ``inFlight(_:_:)`` when one starts, ``reconciling(_:)`` when there is a reason to read.
        case free
        /// A request that changes something was recorded: it may have left, and nobody knows what came of it.
        ///
        /// True here: nothing else is sent. A reason to read may have come up meanwhile.
        /// Leads to: ``free`` when it succeeded or certainly had no effect, ``reconciling(_:)`` after every other end.
        case inFlight(InFlight, Need?)
        /// What is known can't be relied upon.
        ///
        /// True here: the other side is read before anything that changes something is sent.
        /// Leads to: ``free`` by an answer that says how things stand, or by the workflow's word that nothing can be read.
        case reconciling(Need)
    }

    /// Why the other side has to be read before anything else.
    public enum Need: Hashable, Sendable {
        /// Nothing is known yet.
        case firstAnswer
        /// A request was answered without a word on how things stand now.
        case emptyAnswer
        /// An answer could not be read, or there was none.
        case unusableAnswer
        /// A request may or may not have taken effect; a reading shows which, from that time on.
        ///
        /// The time is nil when something has happened since that is worth reading at once.
        case unknownOutcome(readableFrom: Instant?)
        /// A request was refused: what is known was not true, or is not any more.
        case refused
        /// The workflow has a reason of its own.
        case asked(Occasion)
    }

    /// A request that changes something, under way.
    public struct InFlight: Hashable, Sendable {
        /// What was recorded when it started.
        public var start: Start
        /// When that was.
        public var at: Instant
        /// The place of that record.
        public var sequence: Int64
    }

    /// A request whose process is gone: nobody waits for its answer, and it may still take effect.
    struct LeftBehind: Hashable, Sendable {
        var kind: Kind
        /// From when on a reading shows what came of it.
        var readableFrom: Instant
    }

    /// A request that succeeded again and again.
    public struct Repetition: Hashable, Sendable {
        var kind: Kind
        /// How often it succeeded in a row.
        package var count: Int
        /// Whether the answer was the same as before it.
        package var changedNothing = false
    }

    /// Tries of one request that failed in a row.
    public struct FailedTries: Hashable, Sendable {
        /// How many.
        public var count: Int
        /// When the first of them failed.
        var since: Instant
        /// When the last of them failed.
        package var lastAt: Instant
        /// What is recorded of the last.
        public var last: Failure
    }
}

extension RequestLedger.Need {
    /// The time before which a reading could not show what it is for; nil when there is none.
    public var readableFrom: Instant? {
        if case .unknownOutcome(let readableFrom) = self { readableFrom } else { nil }
    }

    /// The same reason, without waiting.
    var atOnce: Self {
        if case .unknownOutcome = self { .unknownOutcome(readableFrom: nil) } else { self }
    }
}
