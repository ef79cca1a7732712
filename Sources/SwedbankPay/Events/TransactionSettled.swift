package import EventLog

extension EventType {
    /// It came to an end.
    public static let transactionSettled = EventType("transactionSettled") {
        .checkout(.transactionSettled($0))
    }
}

/// A capture, cancellation or reversal came to an end.
public struct TransactionSettled: Hashable, Sendable {
    /// Which one, by its unique reference.
    public var payeeReference: String
    /// How it ended.
    public var result: TransactionResult

    /// The content of a `transactionSettled` event.
    public init(payeeReference: String, result: TransactionResult) {
        self.payeeReference = payeeReference
        self.result = result
    }
}

extension TransactionSettled: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Self?) throws(EventDecodingError) {
        payeeReference = try members.require("payeeReference", value?.payeeReference, mask: .word)
        result = try members.require("result", value?.result)
    }
}

/// How a capture, cancellation or reversal ended.
public enum TransactionResult: String, CaseIterable, Sendable, NameForm {
    /// The order shows it.
    case done
    /// The PSP took it and does it later; the order will show it.
    case accepted
    /// The PSP refused it, or does not offer it.
    case refused
    /// No answer said what came of it, and the order, read long after its last request left, shows that it was not done.
    case notDone
}
