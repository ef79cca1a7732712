package import EventLog

extension EventType {
    /// The transaction ended.
    public static let transactionSettled = EventType("transactionSettled") {
        .checkout(.transactionSettled($0))
    }
}

/// A capture, cancellation or reversal ended.
public struct TransactionSettled: Hashable, Sendable {
    /// The transaction's unique reference.
    public var payeeReference: String
    /// How it ended.
    public var result: TransactionResult

    /// Creates the data of a `transactionSettled` event.
    public init(payeeReference: String, result: TransactionResult) {
        self.payeeReference = payeeReference
        self.result = result
    }
}

extension TransactionSettled: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        payeeReference = try members.require("payeeReference", value?.payeeReference)
        result = try members.require("result", value?.result)
    }
}

/// How a capture, cancellation or reversal ended.
public enum TransactionResult: String, CaseIterable, Sendable, NameForm {
    /// The order shows it.
    case done
    /// The PSP accepted it and will perform it later; the order will show it.
    case accepted
    /// The PSP refused it or does not offer it.
    case refused
    /// No response contained its result, and the order, read long after the last request was sent,
    /// shows that it was not performed.
    case notDone
}
