/// What may happen to a request on its way to the other side and back.
public enum NetworkTrouble: Hashable, Sendable {
    /// It certainly was not sent.
    case notSent(code: String)
    /// It may have been sent, and no answer came.
    case lost(code: String)
    /// It was given up by the engine, since nobody waits for it any more.
    case canceled
    /// It was answered with that status from 500 on: nobody knows whether it took effect.
    case unavailable(status: Int)
    /// It was answered with 429: nothing was done, and it may come again after that time.
    case tooManyRequests(Duration)
    /// It was done, and the answer is empty or can't be read.
    case unusable(isEmpty: Bool)
}
