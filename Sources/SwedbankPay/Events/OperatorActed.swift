package import EventLog

extension EventType {
    /// A person looked at sealed values or intervened.
    public static let operatorActed = EventType("operatorActed") { .operatorActed($0) }
}

/// A person looked at sealed values or intervened.
public struct OperatorActed: Hashable, Sendable {
    /// Who.
    public var by: String
    /// What they did, for example `reveal`.
    public var action: String
    /// Why.
    public var reason: String?
    /// What they found out at the PSP about money that was unknown; nil for everything else that people do.
    public var resolution: MoneyResolution?

    /// The ``action`` of whoever says what became of money that was unknown.
    public static let resolving = "resolve"
    /// The ``action`` of whoever made the session as a copy of another one, for a scratch store.
    public static let forking = "fork"
    /// The note of the first event of such a copy that says of which session it is one.
    public static let forkOrigin = "forkedFrom"
    /// The ``action`` of whoever destroys the session's data key.
    public static let erasure = "erase"

    /// Whether it records that the session's data key is destroyed.
    public var isErasure: Bool { action == Self.erasure }

    /// The content of an `operatorActed` event.
    public init(
        by: String,
        action: String,
        reason: String? = nil,
        resolution: MoneyResolution? = nil
    ) {
        self.by = by
        self.action = action
        self.reason = reason
        self.resolution = resolution
    }
}

extension OperatorActed: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Self?) throws(EventDecodingError) {
        action = try members.require("action", value?.action)
        by = try members.require("by", value?.by, mask: .text)
        reason = try members.find("reason", value?.reason, mask: .text)
        resolution = try members.find("resolution", value?.resolution)
    }
}

extension MoneyResolution: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Self?) throws(EventDecodingError) {
        amount = try members.find("amount", value?.amount)
        verdict = try members.require("verdict", value?.verdict)
    }

    package static func sample(by sampler: inout FormSampler) throws(EventDecodingError) -> Self {
        var resolution: Self = try sampler.object()
        resolution.amount = resolution.amount.map(abs)
        return resolution
    }
}
