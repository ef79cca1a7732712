public import Workflow

/// What an event says of the requests of its session.
public enum EventMeaning: Hashable, Sendable {
    /// A request that changes something was recorded; what it is called.
    case started(EffectID, String)
    /// A request that changes something came to an end, and may have taken effect: the other side has to be read.
    case leftUnknown(String)
    /// An answer of the other side says how things stand; whether there is anything new in it.
    case read(isNews: Bool)
    /// A reading came to an end, and nothing is known by it.
    case readingEnded
    /// Somebody is told of trouble.
    case told
    /// Anything else.
    case other
}
