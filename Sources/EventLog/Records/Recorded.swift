/// An event at its place in a session's log.
public struct Recorded<Event: LoggedEvent>: Hashable, Sendable {
    /// The session.
    public var stream: SessionID
    /// Its sequence number: 1, 2, 3 … without a gap.
    public var sequence: Int64
    /// When it was recorded; never earlier than the event before.
    public var at: Instant
    /// What happened.
    public var event: Event
    /// Who recorded it and why.
    public var metadata: EventMetadata

    /// An event at its place.
    public init(
        stream: SessionID,
        sequence: Int64,
        at: Instant,
        event: Event,
        metadata: EventMetadata
    ) {
        self.stream = stream
        self.sequence = sequence
        self.at = at
        self.event = event
        self.metadata = metadata
    }
}
