/// An action of another party on the money of an order while the merchant's client is working.
///
/// An act is performed at once when requested, or within a request of the order as a fault of the
/// kind ``Fault/Kind/act(_:isFirst:)``. Acts that the PSP itself would refuse are refused.
public enum Act: Sendable, Equatable {
    /// Another device that knows the session starts an attempt, which then waits for its payer.
    ///
    /// - Parameters:
    ///   - method: The payment method's wire name.
    ///   - card: The number of a test card; `nil` for one that requires no authentication.
    case deviceStarts(method: String, card: String? = nil)
    /// The payer approves: the attempt under way is paid, whoever started it; if there is none, the
    /// other device starts one and pays it.
    case devicePays(method: String? = nil, card: String? = nil)
    /// The attempt under way fails, whoever started it; if there is none, the other device starts
    /// one that fails.
    case deviceFails(ScriptedProblem? = nil)
    /// The merchant's staff capture in the portal; `nil` for everything that remains.
    case portalCaptures(amount: Int? = nil)
    /// The merchant's staff cancel in the portal what is not captured.
    case portalCancels
    /// The merchant's staff reverse in the portal; `nil` for everything that was taken.
    case portalReverses(amount: Int? = nil)
    /// The merchant's staff abort the order in the portal, even while the payer is in another app.
    case portalAborts
    /// The merchant's staff change the amount, even while an attempt runs, which then continues
    /// with the former amount.
    case portalChangesAmount(to: Int)
    /// The payer makes another one of the saved cards the first, on another device.
    ///
    /// - Parameter card: The number of a saved test card.
    case payerPrefersCard(String)
    /// The payment method itself reverses what was paid; `nil` for everything.
    case methodReverses(amount: Int? = nil)
    /// The bank refuses the reversal that the PSP had accepted and that waits for it.
    case bankRefuses
    /// The payment method fails the payment after the order was paid: no money was taken.
    case paymentFails

    /// The name in requests and in the ledger.
    var name: String {
        switch self {
        case .deviceStarts: "deviceStarts"
        case .devicePays: "devicePays"
        case .deviceFails: "deviceFails"
        case .portalCaptures: "portalCaptures"
        case .portalCancels: "portalCancels"
        case .portalReverses: "portalReverses"
        case .portalAborts: "portalAborts"
        case .portalChangesAmount: "portalChangesAmount"
        case .payerPrefersCard: "payerPrefersCard"
        case .methodReverses: "methodReverses"
        case .bankRefuses: "bankRefuses"
        case .paymentFails: "paymentFails"
        }
    }

    /// Reads an act: its name in `act`, and `method`, `card`, `problem` or `amount` if it has them.
    static func read(from reader: inout BodyReader, at prefix: String) -> Act? {
        let name = reader.string(prefix + "act")
        let method = reader.optionalString(prefix + "method")
        let card = reader.optionalString(prefix + "card")
        if let card, TestCard.all[card] == nil {
            reader.refuse(prefix + "card", "must be the number of a test card")
        }
        let amount = reader.optionalInteger(prefix + "amount")
        if let amount, amount <= 0 {
            reader.refuse(prefix + "amount", "must be positive minor units")
        }
        switch name {
        case "deviceStarts":
            if method == nil { reader.refuse(prefix + "method", "is required") }
            return .deviceStarts(method: method ?? "", card: card)
        case "devicePays": return .devicePays(method: method, card: card)
        case "deviceFails":
            let problem = reader.optionalString(prefix + "problem").map { ScriptedProblem($0) }
            if problem?.isKnown == false {
                reader.refuse(
                    prefix + "problem",
                    "is not in the problem catalogue, nor a whole URI"
                )
            }
            return .deviceFails(problem)
        case "portalCaptures": return .portalCaptures(amount: amount)
        case "portalCancels": return .portalCancels
        case "portalReverses": return .portalReverses(amount: amount)
        case "portalAborts": return .portalAborts
        case "portalChangesAmount":
            if amount == nil { reader.refuse(prefix + "amount", "is required") }
            return .portalChangesAmount(to: amount ?? 0)
        case "payerPrefersCard":
            if card == nil { reader.refuse(prefix + "card", "is required") }
            return .payerPrefersCard(card ?? "")
        case "methodReverses": return .methodReverses(amount: amount)
        case "bankRefuses": return .bankRefuses
        case "paymentFails": return .paymentFails
        default:
            if !name.isEmpty { reader.refuse(prefix + "act", "is not an act of anybody") }
            return nil
        }
    }
}
