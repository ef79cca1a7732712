public import EventLog
public import SwedbankPay

extension SessionView {
    /// The view as JSON: every member is always present, and unknown values are `null`.
    ///
    /// The form is a contract: `Schemas/session-view.schema.json`.
    public var json: JSONValue { .object(jsonMembers) }

    /// The view as JSON, with the session's attempts.
    package func json(with attempts: AttemptHistory) -> JSONValue {
        .object(jsonMembers + [.init("attempts", attempts.json)])
    }

    private var jsonMembers: [JSONValue.Member] {
        var members: [JSONValue.Member] = [
            .init("session", .string("\(session)")),
            .init("phase", .string(phase.rawValue)),
            .init("settled", .bool(settled)),
            .init("outcome", JSONValue(outcome?.rawValue)),
            .init("lastSeq", .sequence(lastSeq)),
            .init("reference", JSONValue(reference)),
            .init("culture", JSONValue(culture)),
            .init("methods", .array(methods.map { $0.json(disclosing: disclosure) })),
            .init("attempt", attempt?.json ?? .null),
            .init("actions", .array(actions.map(\.json))),
            .init("problem", problemJSON),
            .init("confirmed", confirmed.map { .bool($0) } ?? .null),
            .init("money", money.json),
            .init("payer", guidance.json),
        ]
        if let checkout { members.append(.init("checkout", checkout.json)) }
        if !possibleDuplicates.isEmpty {
            let sessions = possibleDuplicates.map { JSONValue.string("\($0)") }
            members.append(.init("possibleDuplicates", .array(sessions)))
        }
        if isClosedByHand {
            let word = JSONValue.Member("money", .string(money.standing.rawValue))
            members.append(.init("closed", .object([word])))
        }
        return members
    }

    /// The problem as recorded in the log, with the catalogue's advice for the payer.
    private var problemJSON: JSONValue {
        guard let problem,
            case .object(var members) = problem.json(
                disclosing: disclosure,
                money: money,
                acceptsRetry: accepts.retry
            )
        else {
            return .null
        }
        members.insert(
            contentsOf: [
                .init("newAttempt", JSONValue(advice?.newAttempt.rawValue)),
                .init("payerMessage", JSONValue(advice?.payerMessage)),
            ],
            at: members.count - 1
        )
        return .object(members)
    }
}

extension MethodOffer {
    fileprivate func json(disclosing disclosure: Disclosure) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("instrument", .string(instrument.rawValue)),
            .init("paymentMethod", .string(method.rawValue)),
        ]
        if !prefills.isEmpty {
            members.append(
                .init("prefills", .array(prefills.map { $0.json(disclosing: disclosure) }))
            )
        }
        return .object(members)
    }
}

extension Prefill {
    fileprivate func json(disclosing disclosure: Disclosure) -> JSONValue {
        switch self {
        case .swish(let rank, let msisdn, let masked):
            var shown = masked
            if case .clear(let secrets) = disclosure { shown = secrets[msisdn] ?? masked }
            return .object([
                .init("rank", .integer(Int64(rank))), .init("msisdn", .string(shown)),
            ])
        case .card(let card):
            return .object([
                .init("rank", .integer(Int64(card.rank))),
                .init("cardBrand", JSONValue(card.brand)),
                .init("maskedPan", JSONValue(card.maskedPan)),
                .init("expiryDate", JSONValue(card.expiry?.text)),
            ])
        }
    }
}

extension SessionView.AttemptView {
    /// The attempt as JSON.
    public var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init("number", .integer(Int64(number))),
            .init("instrument", .string(choice.instrument.rawValue)),
            .init("paymentMethod", .string(choice.method.rawValue)),
        ]
        if choice.instrument.isWallet {
            members.append(.init("walletVerdict", JSONValue(walletVerdict?.rawValue)))
        }
        return .object(members)
    }
}

extension CurrentProblem {
    /// Returns the problem as JSON.
    ///
    /// - Parameters:
    ///   - disclosure: Whether text that may quote a secret is shown.
    ///   - money: The state of the money, which determines whether the payer may retry anything.
    ///   - acceptsRetry: Whether the rules accept the command to retry.
    /// - Returns: The problem.
    public func json(
        disclosing disclosure: Disclosure,
        money: MoneyState,
        acceptsRetry: Bool
    ) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("origin", .string(problem.origin.rawValue)),
            .init("kind", JSONValue(problem.kind?.rawValue)),
            .init("type", JSONValue(problem.type)),
            .init("title", JSONValue(problem.title(disclosing: disclosure))),
            .init("status", problem.status.map { .integer(Int64($0)) } ?? .null),
            .init("detail", JSONValue(problem.detail(disclosing: disclosure))),
            .init("retryable", .bool(problem.isRetryable && money.permitsRetry)),
            .init("acceptsRetry", .bool(acceptsRetry)),
            .init("actor", .string(problem.actor.rawValue)),
        ]
        if let failure = problem.failure {
            members.append(.init("failure", failure.json(disclosing: disclosure)))
        }
        return .object(members + [.init("seq", .sequence(sequence))])
    }
}
