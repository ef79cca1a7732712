/// A fault of a request on its way to the other side and back.
public enum NetworkTrouble: Hashable, Sendable {
    /// It was certainly not sent.
    case notSent(code: String)
    /// It may have been sent, and no response arrived.
    case lost(code: String)
    /// The engine canceled it, since its result is no longer needed.
    case canceled
    /// The response has this status, 500 or above: whether it took effect is unknown.
    case unavailable(status: Int)
    /// The response is 429: the request had no effect and may be repeated after that time.
    case tooManyRequests(Duration)
    /// It took effect, but the response is empty or unreadable.
    case unusable(isEmpty: Bool)
}
