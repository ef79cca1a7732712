public import EventLog
public import Workflow

extension EventType {
    /// The request failed, or its outcome is unknown.
    public static let operationFailed = EventType("operationFailed") { .operationFailed($0) }
}

/// A request failed, or its outcome is unknown.
public struct OperationFailed: Hashable, Sendable {
    /// The request.
    public var effect: EffectID
    /// The kind of request.
    public var rel: Rel
    /// How far it got.
    public var reach: Reach
    /// The failure's code, for example `http.timeout`, `http.status` or `engine.interrupted`.
    public var code: String
    /// The HTTP status, if the PSP responded.
    public var status: Int?
    /// The problem document, if the PSP sent one.
    public var document: ProblemDocument?
    /// The time from its start to the failure, in milliseconds.
    public var durationMilliseconds: Int64
    /// The number of the try for the same step, from 1.
    public var tryNumber: Int
    /// When the engine continues by itself; `nil` when it has given up.
    public var retryAt: Instant?

    /// Creates the data of an `operationFailed` event.
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

extension OperationFailed {
    /// The code of a request whose process ended before a response arrived.
    package static let interruptedCode = "engine.interrupted"

    /// The code of a request that the other side does not support at all.
    public static let unsupportedCode = "order.not-supported"
}

extension OperationFailed: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        code = try members.require("code", value?.code)
        document = try members.find("document", value?.document)
        durationMilliseconds = try members.require(
            "durationMilliseconds",
            value?.durationMilliseconds
        )
        effect = try members.require("effect", value?.effect)
        reach = try members.require("reach", value?.reach)
        rel = try members.require("rel", value?.rel)
        retryAt = try members.find("retryAt", value?.retryAt)
        status = try members.find("status", value?.status)
        tryNumber = try members.require("try", value?.tryNumber)
    }
}

/// How far a request progressed before it failed.
public enum Reach: String, CaseIterable, Sendable, NameForm {
    /// Not a single byte of it was sent.
    case notSent
    /// It may have arrived, so whether it took effect is unknown.
    case maybeSent
    /// The PSP responded.
    case responded = "answered"
}
