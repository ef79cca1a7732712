package import EventLog

extension EventType {
    /// An operator read sealed values or intervened.
    public static let operatorActed = EventType("operatorActed") { .operatorActed($0) }
}

/// An operator read sealed values or intervened.
public struct OperatorActed: Hashable, Sendable {
    /// The operator.
    public var by: String
    /// The action, for example `reveal`.
    public var action: String
    /// The reason.
    public var reason: String?
    /// The operator's finding at the PSP about money whose outcome was unknown; `nil` for all other
    /// actions.
    public var resolution: MoneyResolution?
    /// The path of the order that the operator found at the PSP, for a checkout whose creation got
    /// no response; `nil` for all other actions.
    public var order: String?

    /// The ``action`` of giving a checkout the order that it lost.
    public static let adoptingOrder = "adoptOrder"
    /// The ``action`` of reporting what happened to money that was unknown.
    public static let resolving = "resolve"
    /// The ``action`` of proposing such a finding, which counts once another person confirms it.
    public static let proposingResolution = "proposeResolution"
    /// The ``action`` of confirming what ``MoneyResolution/secondPerson`` proposed.
    public static let confirmingResolution = "confirmResolution"
    /// The ``action`` of creating the session as a copy of another one, for a scratch store.
    public static let forking = "fork"
    /// The metadata key, in the first event of such a copy, that names the original session.
    public static let forkOrigin = "forkedFrom"
    /// The ``action`` of destroying the session's data key.
    public static let erasure = "erase"

    /// Whether it records that the session's data key was destroyed.
    public var isErasure: Bool { action == Self.erasure }

    /// The finding that counts from now on; `nil` for a proposal and for all other actions.
    var finding: MoneyResolution? { action == Self.proposingResolution ? nil : resolution }

    /// Creates the data of an `operatorActed` event.
    public init(
        by: String,
        action: String,
        reason: String? = nil,
        resolution: MoneyResolution? = nil,
        order: OrderPath? = nil
    ) {
        self.by = by
        self.action = action
        self.reason = reason
        self.resolution = resolution
        self.order = order?.text
    }
}

extension OperatorActed: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        action = try members.require("action", value?.action)
        by = try members.require("by", value?.by)
        order = try members.find("order", value?.order)
        reason = try members.find("reason", value?.reason)
        resolution = try members.find("resolution", value?.resolution)
    }
}

extension MoneyResolution: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        amount = try members.find("amount", value?.amount)
        secondPerson = try members.find("secondPerson", value?.secondPerson)
        verdict = try members.require("verdict", value?.verdict)
    }

    package static func sample(by sampler: inout FormSampler) throws(EventDecodingError) -> Self {
        var resolution: Self = try sampler.object()
        resolution.amount = resolution.amount.map { max($0, -$0) }
        return resolution
    }
}
