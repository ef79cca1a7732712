package import EventLog

extension OrderSnapshot: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        abortReason = try members.find("abortReason", value?.abortReason)
        amount = try members.find("amount", value?.amount)
        availableInstruments = try members.find(
            "availableInstruments",
            value?.availableInstruments,
            else: []
        )
        currency = try members.find("currency", value?.currency)
        failedAttempts = try members.find("failedAttempts", value?.failedAttempts)
        failedTransactions = try members.find("failedTransactions", value?.failedTransactions)
        failure = try members.find("failure", value?.failure)
        id = try members.find("id", value?.id)
        instrument = try members.find("instrument", value?.instrument)
        isInstrumentMode = try members.find("instrumentMode", value?.isInstrumentMode)
        number = try members.find("number", value?.number)
        operations = try members.find("operations", value?.operations, else: [])
        paid = try members.find("paid", value?.paid)
        purpose = try members.find("purpose", value?.purpose)
        remainingCancellation = try members.find(
            "remainingCancellation",
            value?.remainingCancellation
        )
        remainingCapture = try members.find("remainingCapture", value?.remainingCapture)
        remainingReversal = try members.find("remainingReversal", value?.remainingReversal)
        status = try members.find("status", value?.status)
        transactions = try members.find("transactions", value?.transactions)
        urls = try members.require("urls", value?.urls)
        vatAmount = try members.find("vatAmount", value?.vatAmount)
    }
}

extension PaidDetails: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        amount = try members.find("amount", value?.amount)
        discountAmount = try members.find("discountAmount", value?.discountAmount)
        feeAmount = try members.find("feeAmount", value?.feeAmount)
        instrument = try members.find("instrument", value?.instrument)
        number = try members.find("number", value?.number)
        orderReference = try members.find("orderReference", value?.orderReference)
        payeeReference = try members.find("payeeReference", value?.payeeReference)
        submittedAmount = try members.find("submittedAmount", value?.submittedAmount)
        transactionType = try members.find("transactionType", value?.transactionType)
    }
}

extension FinancialTransaction: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        amount = try members.find("amount", value?.amount)
        number = try members.find("number", value?.number)
        payeeReference = try members.find("payeeReference", value?.payeeReference)
        type = try members.require("type", value?.type)
        vatAmount = try members.find("vatAmount", value?.vatAmount)
    }
}

extension FailedTransaction: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        number = try members.find("number", value?.number)
        problem = try members.find("problem", value?.problem)
        type = try members.require("type", value?.type)
    }
}
