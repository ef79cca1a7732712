package import EventLog

extension EventType {
    /// The payer chose another method for an order that is locked to one.
    public static let instrumentChosen = EventType("instrumentChosen") {
        .checkout(.instrumentChosen($0))
    }
}

/// The payer chose another method for an order that is locked to one.
public struct InstrumentChosen: Hashable, Sendable {
    /// The method.
    public var instrument: PaymentMethodName

    /// Creates the data of an `instrumentChosen` event.
    public init(instrument: PaymentMethodName) { self.instrument = instrument }
}

extension InstrumentChosen: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        instrument = try members.require("instrument", value?.instrument)
    }
}
