/// Orders that only verify the payer's details.
extension SessionState {
    /// Whether the order only verifies the payer's details, which charges nothing: as the PSP says of the order, else as it
    /// was ordered.
    var isVerification: Bool {
        let verify = PaymentOrderPurpose.verify
        // Whatever it was for: money that was taken all the same is told.
        let paid = book.finding?.resolution.amount ?? checkout?.order?.paid?.amount
        if let paid, paid > 0 { return false }
        if let checkout {
            return (checkout.order?.purpose ?? checkout.opening.terms.purpose) == verify.rawValue
        }
        // A session does not name the purpose of its order; an amount of nothing is a verification's alone.
        return opening?.purpose == verify || confirmation?.amount == 0 || book.amount == 0
    }
}
