public import SwedbankPay

extension SessionDecider {
    /// Who has to do something for the payment to go on.
    public func turn(in state: SessionState) -> Story.Turn {
        switch whoseTurn(in: state) {
        case .payer(.clientAction):
            .payer(state.actions.last(where: \.isOpen).map { Story.ClientStep($0.kind) })
        case .payer(.approve): .payer(.app(scheme: "swish"))
        case .payer(.choose): .payer(nil)
        case .merchant: .merchant
        case .psp: .psp
        case .engine: .engine
        case .support: .support
        case .nobody: .nobody
        }
    }
}
