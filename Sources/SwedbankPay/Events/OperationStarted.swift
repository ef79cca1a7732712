package import EventLog
public import Workflow

extension EventType {
    /// A request that changes something is about to be sent.
    public static let operationStarted = EventType("operationStarted") { .operationStarted($0) }
}

/// A request that changes something is about to be sent.
public struct OperationStarted: Hashable, Sendable {
    /// The request.
    public var effect: EffectID
    /// The kind of request.
    public var rel: Rel
    /// The attempt it belongs to.
    public var attempt: Int?
    /// The number of the try for the same step, from 1.
    public var tryNumber: Int

    /// Creates the data of an `operationStarted` event.
    public init(effect: EffectID, rel: Rel, attempt: Int?, tryNumber: Int) {
        self.effect = effect
        self.rel = rel
        self.attempt = attempt
        self.tryNumber = tryNumber
    }
}

extension OperationStarted: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        attempt = try members.find("attempt", value?.attempt)
        effect = try members.require("effect", value?.effect)
        rel = try members.require("rel", value?.rel)
        tryNumber = try members.require("try", value?.tryNumber)
    }
}
