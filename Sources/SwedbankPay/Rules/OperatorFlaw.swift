extension OperatorActed {
    /// Why an operator's statement about an action is not recorded.
    public enum Flaw: Hashable, Sendable {
        /// The operator's name is missing, too long, or not on one line.
        case name
        /// The reason can't be recorded in the clear.
        case reason
        /// The evidence of a finding can't be recorded in the clear.
        case evidence
        /// The amount that was found is below zero, greater than the payment's, or that of a
        /// payment that is not paid.
        case amount
        /// The second person is the operator, is no name, or has not proposed what is confirmed.
        case secondPerson
        /// The order is no path of a payment order.
        case order
    }

    /// What is wrong with the statement, whatever the session's state is; `nil` when nothing is.
    ///
    /// The operator may be an account on a machine. A host that lets people write a name of their
    /// own checks it with ``OperatorText/isName(_:)``.
    public var flaw: Flaw? {
        guard OperatorText.isAccount(by) else { return .name }
        guard order.map(OrderPath.isPath) ?? true else { return .order }
        // Where a reason is required, an empty one is none.
        let words = reason?.isEmpty == false ? reason : nil
        guard let resolution else {
            return words.map(OperatorText.isReason) ?? true ? nil : .reason
        }
        guard words.map(OperatorText.isEvidence) ?? true else { return .evidence }
        if let amount = resolution.amount, amount < 0 || resolution.verdict == .notPaid {
            return .amount
        }
        guard let secondPerson = resolution.secondPerson else { return nil }
        // Who proposed it was identified; any other second person is what the operator says.
        let isName =
            action == Self.confirmingResolution
            ? OperatorText.isAccount(secondPerson) : OperatorText.isName(secondPerson)
        return isName && !OperatorText.letters(of: secondPerson).isEmpty
            && !OperatorText.isSamePerson(secondPerson, by) ? nil : .secondPerson
    }
}

extension OperatorActed.Flaw: CustomStringConvertible {
    /// What is wrong, without the operator's words.
    public var description: String {
        switch self {
        case .name: "the operator's name is missing, too long or not on one line"
        case .reason: "the reason cannot be recorded in the clear"
        case .evidence: "the evidence cannot be recorded in the clear"
        case .amount:
            "the amount is below zero, greater than the payment's, or of a payment that is not paid"
        case .order: "the order is not the path of a payment order"
        case .secondPerson: "the second person is the operator, is no name, or did not propose it"
        }
    }
}
