extension Provider {
    /// Plays the payer in the Swish app: opens the payment request and decides.
    ///
    /// The order's description takes precedence: magic words decline even an approval.
    func decideSwish(
        _ token: String,
        decision: String?,
        callbackURL: String?
    )
        throws(ProblemDetail) -> Reply
    {
        if case .scriptedSwish(let id)? = address(of: token) {
            let usual = try order(id).request.urls.paymentURL
            let target = callbackURL ?? usual
            return .ok(["state": "scripted", "returnURL": .optional(target.map(Self.returning))])
        }
        guard case .swish(let id, let number)? = address(of: token) else { throw .notFound }
        var order = try order(id)
        let index = number - 1
        let asked = SwishOutcome.asked(by: order.request.description)
        if order.attempts[index].swish != nil {
            switch decision {
            case nil: break
            case "approve": if let asked { order.finish(index, with: asked, at: moment) }
            case "decline": order.finish(index, with: .refused(SwishOutcome.declined), at: moment)
            case "cancel": order.finish(index, with: .refused(SwishOutcome.cancelled), at: moment)
            default:
                throw .inputError([
                    FieldProblem(
                        name: "decision",
                        description: "must be approve, decline or cancel"
                    )
                ])
            }
            keep(order)
        }
        let target = callbackURL ?? order.request.urls.paymentURL
        return .ok([
            "state": .string(order.attempts[index].ledgerState.rawValue),
            "returnURL": .optional(target.map(Self.returning)),
        ])
    }

    /// The address with the parameter that the app adds.
    private static func returning(_ url: String) -> String {
        url + (url.unicodeScalars.contains("?") ? "&" : "?") + "swp_ut=1"
    }
}
