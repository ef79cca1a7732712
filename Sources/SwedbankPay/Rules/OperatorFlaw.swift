extension OperatorActed {
    /// Why an operator's statement about an action is not recorded.
    public enum Flaw: Hashable, Sendable {
        /// The amount that was found is below zero, greater than the payment's, or that of a
        /// payment that is not paid.
        case amount
        /// The second person is the operator.
        case secondPerson
    }

    /// What is wrong with the statement, whatever the session's state is; `nil` when nothing is.
    public var flaw: Flaw? {
        guard let resolution else { return nil }
        if let amount = resolution.amount, amount < 0 || resolution.verdict == .notPaid {
            return .amount
        }
        if resolution.secondPerson == by { return .secondPerson }
        return nil
    }
}

extension OperatorActed.Flaw: CustomStringConvertible {
    /// What is wrong, without the operator's words.
    public var description: String {
        switch self {
        case .amount:
            "the amount is below zero, greater than the payment's, or of a payment that is not paid"
        case .secondPerson: "the second person is the operator"
        }
    }
}
