public import EventLog

extension EventType {
    /// The payer was identified.
    public static let payerCheckedIn = EventType("payerCheckedIn") {
        .checkout(.payerCheckedIn($0))
    }
}

/// The payer was identified.
public struct PayerCheckedIn: Hashable, Sendable {
    /// The action.
    public var action: ActionID
    /// The reference that represents the payer in the order; valid for 24 hours, and once.
    public var consumerProfileRef: Sealed

    /// Creates the data of a `payerCheckedIn` event.
    public init(action: ActionID, consumerProfileRef: Sealed) {
        self.action = action
        self.consumerProfileRef = consumerProfileRef
    }
}

extension PayerCheckedIn: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        action = try members.require("action", value?.action)
        consumerProfileRef = try members.require("consumerProfileRef", value?.consumerProfileRef)
    }
}
