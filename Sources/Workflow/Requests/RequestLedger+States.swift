public import EventLog

/// The states of the ledger and the reasons for them.
extension RequestLedger {
    /// What may be done next: whether a request is in flight, and whether the known state can be
    /// relied upon.
    public enum Standing: Hashable, Sendable {
        /// No request is in flight, and the known state can be relied upon.
        ///
        /// True here: the next request that changes something may be sent.
        /// Leads to: ``inFlight(_:_:)`` when one starts, ``reconciling(_:)`` when there is a reason
        /// to read.
        case free
        /// A request that changes something was recorded: it may have been sent, and its outcome is
        /// not known.
        ///
        /// True here: nothing else is sent. A reason to read may have arisen in the meantime.
        /// Leads to: ``free`` when it succeeded or certainly had no effect, ``reconciling(_:)``
        /// after any other end.
        case inFlight(InFlight, Need?)
        /// The known state can't be relied upon.
        ///
        /// True here: the other side is read before anything that changes something is sent.
        /// Leads to: ``free`` by a response that shows the current state, or when the workflow
        /// decides that nothing can be read.
        case reconciling(Need)
    }

    /// Why the other side must be read before anything else.
    public enum Need: Hashable, Sendable {
        /// The state has never been read.
        case firstResponse
        /// A response to a request did not contain the current state.
        case emptyResponse
        /// A response could not be read, or there was none.
        case unusableResponse
        /// A request may or may not have taken effect; a read from that time on shows which.
        ///
        /// The time is `nil` when something has happened since that makes an immediate read
        /// worthwhile.
        case unknownOutcome(earliestRead: Instant?)
        /// A request was refused: the known state was wrong or is out of date.
        case refused
        /// The workflow has its own reason.
        case asked(Occasion)
    }

    /// A request that changes something and is in flight.
    public struct InFlight: Hashable, Sendable {
        /// The record of its start.
        public var start: Start
        /// When it started.
        public var at: Instant
        /// The sequence number of that record.
        public var sequence: SequenceNumber
    }

    /// A request whose process has ended: its response will never arrive, and it may still take
    /// effect.
    struct LeftBehind: Hashable, Sendable {
        var kind: Kind
        /// The time from which a read shows its outcome.
        var earliestRead: Instant
    }

    /// A request that succeeded several times in a row.
    public struct Repetition: Hashable, Sendable {
        var kind: Kind
        /// The number of consecutive successes.
        package var count: Int
        /// Whether the response was the same as the previous one.
        package var changedNothing = false
    }

    /// Consecutive failed tries of one request.
    public struct FailedTries: Hashable, Sendable {
        /// The number of tries.
        public var count: Int
        /// When the first of them failed.
        var since: Instant
        /// When the last of them failed.
        package var lastAt: Instant
        /// The record of the last one.
        public var last: Failure
    }
}

extension RequestLedger.Need {
    /// The time before which a read could not show the outcome; `nil` when there is none.
    public var earliestRead: Instant? {
        if case .unknownOutcome(let earliestRead) = self { earliestRead } else { nil }
    }

    /// The same reason, without waiting.
    var atOnce: Self {
        if case .unknownOutcome = self { .unknownOutcome(earliestRead: nil) } else { self }
    }
}
