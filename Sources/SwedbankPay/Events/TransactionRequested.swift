package import EventLog

extension EventType {
    /// A capture, cancellation or reversal was requested.
    public static let transactionRequested = EventType(
        "transactionRequested",
        of: TransactionRequest.self
    ) {
        .checkout(.transactionRequested($0))
    }
}

extension TransactionRequest: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        again = try members.find("again", value?.again == true ? true : nil) ?? false
        amount = try members.find("amount", value?.amount)
        description = try members.require("description", value?.description)
        kind = try members.require("kind", value?.kind)
        orderItems = try members.find("orderItems", value?.orderItems)
        payeeReference = try members.require("payeeReference", value?.payeeReference)
        receiptReference = try members.find(
            "receiptReference",
            value?.receiptReference
        )
        vatAmount = try members.find("vatAmount", value?.vatAmount)
    }
}
