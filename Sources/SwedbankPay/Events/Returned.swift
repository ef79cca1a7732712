package import EventLog

extension EventType {
    /// The payer returned through the payment URL.
    public static let returned = EventType("returned") { .returned($0) }
}

/// The payer returned through the payment URL.
public struct Returned: Hashable, Sendable {
    /// The form of the payment URL.
    public var form: ReturnForm

    /// Creates the data of a `returned` event.
    public init(form: ReturnForm) { self.form = form }
}

extension Returned: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        form = try members.require("form", value?.form)
    }
}

/// The forms of the payment URL through which a payer can return; they mean the same.
///
/// - Note: Source: payment URL matching rule.
public enum ReturnForm: String, CaseIterable, Sendable, NameForm {
    /// The unchanged payment URL.
    case original
    /// The payment URL with further query items.
    case augmented
    /// The payment URL with the callback scheme instead of `https`.
    case customScheme
}
