/// Who recorded an event, with what, and because of what.
public struct EventMetadata: Hashable, Sendable {
    /// The version of the program that decided.
    public var build: String
    /// The version of the problem catalogue that it used.
    public var catalogue: String
    /// The input that led to it, for example `command.attempt`, `answer.e-3` or `report.a-12`.
    public var cause: String
    /// The engine that recorded it.
    public var node: String
    /// The trace that it belongs to; empty when there is none.
    public var trace: String

    /// Metadata with these members.
    public init(build: String, catalogue: String, cause: String, node: String, trace: String = "") {
        self.build = build
        self.catalogue = catalogue
        self.cause = cause
        self.node = node
        self.trace = trace
    }
}

/// An event at its place in a session's log.
public struct RecordedEvent: Hashable, Sendable {
    /// The session.
    public var stream: SessionID
    /// Its place: 1, 2, 3 … without a gap.
    public var sequence: Int64
    /// When it was recorded; never earlier than the event before.
    public var at: Instant
    /// What happened.
    public var event: SessionEvent
    /// Who recorded it and why.
    public var metadata: EventMetadata

    /// An event at a place.
    public init(
        stream: SessionID,
        sequence: Int64,
        at: Instant,
        event: SessionEvent,
        metadata: EventMetadata
    ) {
        self.stream = stream
        self.sequence = sequence
        self.at = at
        self.event = event
        self.metadata = metadata
    }
}
