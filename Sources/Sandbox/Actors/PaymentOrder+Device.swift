extension PaymentOrder {
    /// Starts an attempt on another device, which waits for a decision.
    mutating func startOnDevice(
        _ method: String,
        card number: String?,
        at moment: Moment
    )
        throws(ProblemDetail)
    {
        guard outcome == nil else { throw .forbidden("The order is over.") }
        guard runningIndex == nil || request.scenario.acceptsRepeatedStarts else {
            throw .operationNotAllowed("An attempt is under way.")
        }
        guard visibleMethods.contains(method) else {
            throw .inputError([
                FieldProblem(name: "method", description: "is not on offer in the session")
            ])
        }
        isPrepared = true
        let card = method == MethodName.creditCard ? TestCard.all[number ?? Self.plainCard] : nil
        begin(method, card?.authentication ?? .none, by: .otherDevice, at: moment)
        let index = attempts.count - 1
        attempts[index].card = card
        if method == MethodName.swish {
            attempts[index].stage = .swish(SwishPayment(token: nil, endsAt: nil, outcome: nil))
        } else if card.map({ $0.authentication != .none }) == true {
            authenticate(index, at: moment)
        } else {
            attempts[index].stage = .acquirer(endsAt: nil)
        }
        updated = moment.date
    }

    /// Makes another one of the saved cards the first.
    mutating func prefer(_ number: String) throws(ProblemDetail) {
        guard let index = cards.firstIndex(where: { $0.card.number == number }) else {
            throw .inputError([FieldProblem(name: "card", description: "is not saved")])
        }
        cards.insert(cards.remove(at: index), at: 0)
    }

    /// A card that requires no authentication.
    private static let plainCard = "4925000000000004"

    /// Pays the attempt under way, or a new one of another device.
    mutating func payOnDevice(
        _ method: String?,
        card: String?,
        at moment: Moment
    )
        throws(ProblemDetail)
    {
        if runningIndex == nil {
            let method = method ?? visibleMethods.first ?? MethodName.creditCard
            try startOnDevice(method, card: card, at: moment)
        }
        if let index = runningIndex { pay(index, at: moment) }
    }

    /// Fails the attempt under way, or a new one of another device.
    mutating func failOnDevice(
        _ problem: ScriptedProblem?,
        at moment: Moment
    )
        throws(ProblemDetail)
    {
        if runningIndex == nil {
            let method = visibleMethods.first ?? MethodName.creditCard
            try startOnDevice(method, card: nil, at: moment)
        }
        guard let index = runningIndex else { return }
        let usual = ScriptedProblem(
            attempts[index].method == MethodName.swish ? "swishdeclined" : "creditcard/carddeclined"
        )
        fail(index, with: (problem ?? usual).problem, at: moment)
    }
}
