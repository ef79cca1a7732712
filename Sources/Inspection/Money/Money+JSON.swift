public import SwedbankPay

extension Money {
    /// What is known of the money as JSON; amounts in minor units.
    ///
    /// The form is a contract: `money` in `Schemas/session-view.schema.json`.
    public var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init("standing", .string(standing.rawValue)),
            .init("asOf", Self.text(asOf?.description)),
            .init("since", Self.text(since?.description)),
            .init("amount", Self.number(amount)),
            .init("currency", Self.text(currency)),
            .init("unknown", .array(doubts.map(\.json))),
            .init("verification", .bool(isVerification)),
        ]
        if let taken {
            members += [
                .init("evidence", .string(taken.evidence.rawValue)),
                .init("paid", Self.number(taken.amount)),
                .init("captured", Self.number(taken.captured)),
                .init("canceled", Self.number(taken.canceled)),
                .init("reversed", Self.number(taken.reversed)),
                .init("capturable", Self.number(taken.capturable)),
                .init("reversible", Self.number(taken.reversible)),
                .init("net", Self.number(taken.net)),
            ]
        }
        return .object(members)
    }

    private static func number(_ number: Int64?) -> JSONValue {
        number.map { .integer($0) } ?? .null
    }

    private static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
}

extension MoneyDoubt {
    fileprivate var json: JSONValue {
        let rel: Rel? =
            switch cause {
            case .request(let rel), .refused(let rel): rel
            case .attempt, .clientsWord, .transaction, .end: nil
            }
        let kind: TransactionKind? = if case .transaction(let kind) = cause { kind } else { nil }
        return .object([
            .init("cause", .string(cause.word)),
            .init("rel", rel.map { .string($0.rawValue) } ?? .null),
            .init("transaction", kind.map { .string($0.rawValue) } ?? .null),
            .init("attempt", attempt.map { .integer(Int64($0)) } ?? .null),
            .init("seq", .integer(sequence)),
            .init("at", .string("\(at)")),
        ])
    }
}

extension PayerGuidance {
    /// The guidance as JSON.
    public var json: JSONValue {
        .object([
            .init("message", message.map { .string($0) } ?? .null),
            .init("newAttempt", .string(newAttempt.rawValue)),
        ])
    }
}
