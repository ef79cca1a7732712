/// An event with its session, sequence number and metadata.
public struct Recorded<Event: LoggedEvent>: Hashable, Sendable {
    /// The session.
    public var stream: SessionID
    /// Its sequence number: 1, 2, 3 … without a gap.
    public var sequence: SequenceNumber
    /// When it was recorded; never earlier than the previous event.
    public var at: Instant
    /// The event.
    public var event: Event
    /// The node that recorded it, and the cause.
    public var metadata: EventMetadata

    /// Creates a recorded event.
    public init(
        stream: SessionID,
        sequence: SequenceNumber,
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
