public import EventLog
public import Workflow

/// A request that changes something is about to leave.
public struct OperationStarted: Hashable, Sendable {
    /// The request.
    public var effect: EffectID
    /// What it does.
    public var rel: Rel
    /// The attempt that it belongs to.
    public var attempt: Int?
    /// Counted from 1 for the same step.
    public var tryNumber: Int

    /// The content of an `operationStarted` event.
    public init(effect: EffectID, rel: Rel, attempt: Int?, tryNumber: Int) {
        self.effect = effect
        self.rel = rel
        self.attempt = attempt
        self.tryNumber = tryNumber
    }
}

/// The PSP answered a request with success.
public struct OperationSucceeded: Hashable, Sendable {
    /// The request.
    public var effect: EffectID
    /// What it did.
    public var rel: Rel
    /// The HTTP status.
    public var status: Int
    /// From its start to the whole answer.
    public var durationMilliseconds: Int64
    /// What the answer was good for.
    public var content: AnswerContent

    /// The content of an `operationSucceeded` event.
    public init(
        effect: EffectID,
        rel: Rel,
        status: Int,
        durationMilliseconds: Int64,
        content: AnswerContent
    ) {
        self.effect = effect
        self.rel = rel
        self.status = status
        self.durationMilliseconds = durationMilliseconds
        self.content = content
    }
}

/// What a successful answer's body was.
public enum AnswerContent: Hashable, Sendable {
    /// A snapshot; the `fetched` event that follows holds it.
    case snapshot
    /// Nothing: the session has to be read.
    case empty
    /// Something that is no snapshot; its raw text, sealed and cut to a bound.
    case undecodable(raw: Sealed?)
}

/// How far a request got before it failed.
public enum Reach: String, Hashable, Sendable {
    /// No byte of it can have left.
    case notSent
    /// It may have arrived: whether it took effect is unknown.
    case maybeSent
    /// The PSP answered.
    case answered
}

extension OperationFailed {
    /// The code of a request whose process was gone before an answer came.
    package static let interruptedCode = "engine.interrupted"

    /// The code of what whoever is asked does not offer at all.
    public static let unsupportedCode = "order.not-supported"
}

/// A request failed, or its outcome is unknown.
public struct OperationFailed: Hashable, Sendable {
    /// The request.
    public var effect: EffectID
    /// What it was to do.
    public var rel: Rel
    /// How far it got.
    public var reach: Reach
    /// The failure's code, for example `http.timeout`, `http.status` or `engine.interrupted`.
    public var code: String
    /// The HTTP status, when the PSP answered.
    public var status: Int?
    /// The problem document, when the PSP sent one.
    public var document: ProblemDocument?
    /// From its start to the failure.
    public var durationMilliseconds: Int64
    /// Counted from 1 for the same step.
    public var tryNumber: Int
    /// When the engine goes on by itself; nothing when it has given up.
    public var retryAt: Instant?

    /// The content of an `operationFailed` event.
    public init(
        effect: EffectID,
        rel: Rel,
        reach: Reach,
        code: String,
        status: Int? = nil,
        document: ProblemDocument? = nil,
        durationMilliseconds: Int64,
        tryNumber: Int,
        retryAt: Instant? = nil
    ) {
        self.effect = effect
        self.rel = rel
        self.reach = reach
        self.code = code
        self.status = status
        self.document = document
        self.durationMilliseconds = durationMilliseconds
        self.tryNumber = tryNumber
        self.retryAt = retryAt
    }
}
