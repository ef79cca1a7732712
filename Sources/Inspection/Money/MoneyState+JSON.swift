public import EventLog
public import SwedbankPay

extension MoneyState {
    /// The money's standing as JSON; amounts are in minor units.
    ///
    /// The form is a contract: `money` in `Schemas/session-view.schema.json`.
    public var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init("standing", .string(standing.rawValue)),
            .init("asOf", JSONValue(asOf?.description)),
            .init("since", JSONValue(since?.description)),
            .init("amount", JSONValue(amount)),
            .init("currency", JSONValue(currency)),
            .init("unknown", .array(doubts.map(\.json))),
            .init("verification", .bool(isVerification)),
        ]
        if let taken {
            members += [
                .init("evidence", .string(taken.evidence.rawValue)),
                .init("paid", JSONValue(taken.amount)),
                .init("captured", JSONValue(taken.captured)),
                .init("canceled", JSONValue(taken.canceled)),
                .init("reversed", JSONValue(taken.reversed)),
                .init("capturable", JSONValue(taken.capturable)),
                .init("reversible", JSONValue(taken.reversible)),
                .init("net", JSONValue(taken.net)),
            ]
            if taken.fee ?? 0 != 0 { members.append(.init("fee", JSONValue(taken.fee))) }
            if taken.discount ?? 0 != 0 {
                members.append(.init("discount", JSONValue(taken.discount)))
            }
        }
        if let paidWith { members.append(.init("paidWith", paidWith.json)) }
        if !requested.isEmpty { members.append(.init("requested", .array(requested.map(\.json)))) }
        return .object(members)
    }
}

extension RequestedTransaction {
    fileprivate var json: JSONValue {
        .object([
            .init("transaction", .string(kind.rawValue)), .init("amount", JSONValue(amount)),
            .init("state", .string(state.rawValue)), .init("at", .string("\(at)")),
        ])
    }
}

extension MoneyDoubt {
    fileprivate var json: JSONValue {
        let rel: Rel? =
            switch cause {
            case .request(let rel), .refused(let rel): rel
            case .attempt, .clientsWord, .transaction, .end, .unknownTransaction,
                .lostTransaction, .contradiction:
                nil
            }
        let kind: TransactionKind? = if case .transaction(let kind) = cause { kind } else { nil }
        var members: [JSONValue.Member] = [
            .init("cause", .string(cause.word)),
            .init("rel", rel.map { .string($0.rawValue) } ?? .null),
            .init("transaction", kind.map { .string($0.rawValue) } ?? .null),
            .init("attempt", attempt.map { .integer(Int64($0)) } ?? .null),
            .init("seq", .sequence(sequence)),
            .init("at", .string("\(at)")),
        ]
        if let amount { members.append(.init("amount", JSONValue(amount))) }
        switch cause {
        case .unknownTransaction(let type), .lostTransaction(let type):
            members.append(.init("type", .string(type)))
        case .request, .refused, .attempt, .clientsWord, .transaction, .end, .contradiction: break
        }
        return .object(members)
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
