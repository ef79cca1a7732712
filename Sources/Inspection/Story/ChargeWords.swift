internal import SwedbankPay
internal import Workflow

/// Describes what to do about a charge of a stored token: no payer is on a page, so the merchant
/// decides.
package struct ChargeWords {
    private let charge: Story.Charge

    package init(_ charge: Story.Charge) { self.charge = charge }

    /// A description of the number of charging requests that were sent.
    static func requests(_ count: Int) -> String {
        switch count {
        case 0: "The engine sent no charge request."
        case 1: "The engine sent 1 charge request."
        default:
            "The engine sent \(count) charge requests, all with the same reference: the PSP performs only one of them."
        }
    }

    /// The instructions when the charge may have been made.
    var unknown: String {
        guard !charge.isOrderKnown else {
            return
                "The merchant has to check the order's status at the PSP, and must not charge again until it is known."
        }
        let name = charge.reference.map { " \(Screen.safe($0))" } ?? ""
        return
            "The merchant has to find the order with the reference\(name) at the PSP, and must not "
            + "charge again until it is known whether that order is paid."
    }

    /// Whether the token may be charged again.
    var again: String {
        guard let refusal = charge.refusal else {
            return "No money was taken. The merchant can charge again."
        }
        let time = ProblemWords.words(refusal.delay)
        switch refusal.chargeAgain {
        case .never:
            return "The merchant must never charge this token again."
                + (time.isEmpty ? "" : " The card itself is blocked for \(time).")
        case .later:
            return
                "The merchant must not charge this card again for \(time): its limit of failed charges is reached."
        case .withPayer:
            return
                "The merchant must not charge this token again without the payer, who has to pay with 3-D Secure."
        case nil where refusal.newAttempt == .never:
            return "The merchant has to fix the cause before charging again."
        case nil: return "The merchant can charge again, " + bound
        }
    }

    /// A description of the limits on tries of a card.
    private var bound: String {
        let limits = Self.words(charge.limits)
        return limits.isEmpty
            ? "within the card scheme's limits."
            : "but the card schemes limit the failed charges of one card: at most \(limits)."
    }

    /// The limits as text: `10 times in 1 d and 35 times in 30 d (Mastercard), 15 times in 30 d
    /// (Visa)`.
    static func words(_ limits: [ChargeLimit]) -> String {
        var schemes: [String] = []
        for limit in limits where !schemes.contains(limit.scheme) { schemes.append(limit.scheme) }
        return schemes.map { scheme in
            let own = limits.filter { $0.scheme == scheme }.map {
                "\($0.failures) times in \(ProblemWords.words($0.window))"
            }
            return own.joined(separator: " and ") + " (\(Screen.safe(scheme)))"
        }.joined(separator: ", ")
    }

    /// Returns what to do after a refused charge, the best option first.
    ///
    /// - Parameter program: The program's name in commands.
    /// - Returns: The steps.
    func steps(_ program: String) -> [NextStep] {
        switch charge.refusal?.chargeAgain {
        case .never:
            [
                .init(
                    words: "delete the stored token, and ask the payer to make a new payment",
                    command: nil
                )
            ]
        case .withPayer:
            [
                .init(
                    words: "let the payer pay a new order (operation Purchase)",
                    command: "\(program) checkout start FILE --psp URL --token-file FILE"
                )
            ]
        case .later, nil: []
        }
    }
}
