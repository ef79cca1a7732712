public import SwedbankPay

extension SessionDecider {
    /// Returns who has to act for the payment to continue.
    public func turn(in state: SessionState) -> Story.Turn {
        switch whoseTurn(in: state) {
        case .payer(.clientAction):
            .payer(state.actions.last(where: \.isOpen).map { Story.ClientStep($0.kind) })
        case .payer(.approve):
            .payer(.app(scheme: state.payment?.attempt?.choice.instrument.appScheme))
        case .payer(.choose): .payer(nil)
        case .merchant: .merchant
        case .psp: .psp
        case .engine: .engine
        case .support: .support
        case .nobody: .nobody
        }
    }
}
