public import Workflow

/// The effect of an event on the requests of its session.
public enum EventMeaning: Hashable, Sendable {
    /// A request that changes something was started; its name.
    case started(EffectID, String)
    /// A request that changes something has ended, and may have taken effect: the other side must
    /// be read.
    case leftUnknown(String)
    /// The other side was read successfully; whether anything has changed.
    case read(isNew: Bool)
    /// A read ended without a result.
    case readingEnded
    /// A problem was recorded.
    case problem
    /// Anything else.
    case other
}
