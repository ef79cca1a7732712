package import EventLog

extension EventType {
    /// The payer came back through the payment URL.
    public static let returned = EventType("returned") { .returned($0) }
}

/// The payer came back through the payment URL.
public struct Returned: Hashable, Sendable {
    /// Which form of the payment URL it was.
    public var form: ReturnForm

    /// The content of a `returned` event.
    public init(form: ReturnForm) { self.form = form }
}

extension Returned: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Self?) throws(EventDecodingError) {
        form = try members.require("form", value?.form)
    }
}

/// The forms that a return through the payment URL may take; they mean the same.
///
/// Source: payment URL matching rule.
public enum ReturnForm: String, CaseIterable, Sendable, NameForm {
    /// The payment URL as it is.
    case original
    /// With further query items.
    case augmented
    /// With the callback scheme instead of `https`.
    case customScheme
}
