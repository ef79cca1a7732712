public import EventLog
public import SwedbankPay

/// How it was paid, in words and for programs: never more certain than the PSP's responses.
extension PaidWith {
    /// The short form, as a sentence.
    var summary: String {
        switch self {
        case .named(let method, _): "Paid with \(method.label)."
        case .probable(_, .web): "Paid, probably on the PSP's page."
        case .probable(_, let instrument): "Paid, probably with \(instrument.label)."
        case .possible(_, _, because: .unfinished): "Paid, probably not through this session."
        case .possible: "Paid; the PSP does not say how."
        case .elsewhere: "Paid, but not through this session."
        }
    }

    /// The short form, for a table row.
    var brief: String {
        let number = attempt.map { " (attempt \($0))" } ?? ""
        return switch self {
        case .named(let method, _): method.label + number
        case .probable(_, let instrument): "probably \(instrument.label)\(number)"
        case .possible(_, let instrument, _): "not known; perhaps \(instrument.label)\(number)"
        case .elsewhere: "not known; on another device or page"
        }
    }

    /// The explanation of how far it is known; `nil` when the order names the method.
    var explanation: String? {
        switch self {
        case .named: nil
        case .probable(let attempt, _):
            "\(subject(attempt)) was in progress; the PSP does not say how it was paid."
        case .possible(let attempt, let instrument, let reservation):
            explanation(subject(attempt), instrument, reservation)
        case .elsewhere:
            "No attempt of this session was in progress: the order was paid elsewhere, on another device or page."
        }
    }

    private func subject(_ attempt: Int?) -> String {
        attempt.map { "Attempt \($0)" } ?? "A payment on the PSP's page"
    }

    private func explanation(
        _ subject: String,
        _ instrument: Instrument,
        _ reservation: Reservation
    ) -> String {
        let named = instrument == .web ? subject : "\(subject) (\(instrument.label))"
        switch reservation {
        case .refused:
            return "The PSP does not say how. \(named) may have been carried out although the PSP "
                + "had refused one of its requests, or the order was paid on another device or page."
        case .left:
            return "The PSP does not say how. \(named) may have been paid after it was left, "
                + "or the order was paid on another device or page."
        case .unfinished:
            return "\(named) still waited for the payer, so the order was probably paid on another "
                + "device or page."
        case .several:
            return "The PSP does not say how. \(named) was in progress, and the outcome of an "
                + "earlier one was not known."
        }
    }

    /// The certainty, in one word.
    private var certainty: String {
        switch self {
        case .named: "named"
        case .probable: "probable"
        case .possible: "possible"
        case .elsewhere: "elsewhere"
        }
    }

    /// How it was paid, as JSON.
    public var json: JSONValue {
        var (instrument, method): (Instrument?, PaymentMethodName?) = (nil, nil)
        var because: Reservation?
        switch self {
        case .named(let name, _): method = name
        case .probable(_, let likely): instrument = likely
        case .possible(_, let likely, let reservation):
            (instrument, because) = (likely, reservation)
        case .elsewhere: break
        }
        return .object([
            .init("certainty", .string(certainty)),
            .init("paymentMethod", JSONValue(method?.rawValue)),
            .init("instrument", JSONValue(instrument?.rawValue)),
            .init("attempt", JSONValue(attempt.map { Int64($0) })),
            .init("because", JSONValue(because?.rawValue)),
        ])
    }
}

extension PaymentMethodName {
    /// The name that a payer would use.
    fileprivate var label: String {
        if self == .creditCard { return "a card" }
        let instrument = Instrument(offering: self)
        return instrument.method == nil ? Screen.safe(rawValue) : instrument.label
    }
}
