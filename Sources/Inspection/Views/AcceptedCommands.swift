internal import EventLog
package import SwedbankPay

/// The commands that the rules accept in a state: no view, story or hint proposes another.
package struct AcceptedCommands: Hashable, Sendable {
    /// To retry what failed.
    package var retry: Bool
    /// To abort the payment.
    package var abort: Bool
    /// To end the session by an operator's decision.
    package var close: Bool
    /// To record what an operator found out about the money.
    package var resolve: Bool
    /// Transactions of these kinds.
    package var transactions: Set<TransactionKind>
    /// Transactions of these kinds, if they are requested again on purpose.
    package var transactionsAgain: Set<TransactionKind>
}

extension SessionDecider {
    /// The commands that the rules accept in a state.
    package func acceptedCommands(in state: SessionState) -> AcceptedCommands {
        let closing = OperatorActed(by: "operator", action: Self.closing, reason: "text")
        let finding = OperatorActed(
            by: "operator",
            action: OperatorActed.resolving,
            reason: "text",
            resolution: MoneyResolution(verdict: .paid)
        )
        let kinds = TransactionKind.allCases.filter { accepts($0, again: true, in: state) }
        let transactions = kinds.filter { accepts($0, in: state) }
        return AcceptedCommands(
            retry: accepts(.retry(by: ""), in: state),
            abort: accepts(.abort(by: ""), in: state),
            close: accepts(.close(closing), in: state),
            resolve: accepts(.recordOperator(finding), in: state),
            transactions: Set(transactions),
            transactionsAgain: Set(kinds).subtracting(transactions)
        )
    }
}
