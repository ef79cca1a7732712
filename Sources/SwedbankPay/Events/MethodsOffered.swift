package import EventLog

extension EventType {
    /// The methods were offered to the client.
    public static let methodsOffered = EventType("methodsOffered") { .methodsOffered($0) }
}

/// The methods were offered to the client.
public struct MethodsOffered: Hashable, Sendable {
    /// The methods, in the order of presentation.
    public var methods: [MethodOffer]

    /// Creates the data of a `methodsOffered` event.
    public init(methods: [MethodOffer]) { self.methods = methods }
}

extension MethodsOffered: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        methods = try members.require("methods", value?.methods)
    }
}

/// One entry of the list of methods that a client shows.
public struct MethodOffer: Hashable, Sendable {
    /// The instrument to start an attempt with.
    public var instrument: Instrument
    /// The PSP's name for the method.
    public var method: PaymentMethodName
    /// Numbers or cards to choose from, by rank.
    public var prefills: [Prefill]

    /// Creates an entry with these members.
    public init(instrument: Instrument, method: PaymentMethodName, prefills: [Prefill] = []) {
        self.instrument = instrument
        self.method = method
        self.prefills = prefills
    }
}

extension MethodOffer: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        instrument = try members.require("instrument", value?.instrument)
        method = try members.require("paymentMethod", value?.method)
        prefills = try members.find("prefills", value?.prefills, else: [])
    }
}
