package import EventLog
internal import SwedbankPay

/// Conditions on sessions, as names with values or in a text such as `problem=requestFailed and
/// since=2h`.
package struct SessionFilter: Hashable, Sendable {
    /// The subject of a condition.
    package enum Name: String, CaseIterable, Sendable {
        case phase, outcome, instrument, since, until, before, reference, problem, money, turn, host
    }

    /// The conditions, all of which must hold.
    package private(set) var conditions: [Name: String] = [:]

    /// A filter without conditions, which matches all sessions.
    package init() {}

    /// Whether there are no conditions.
    package var isEmpty: Bool { conditions.isEmpty }

    /// Adds the conditions of a text: `NAME=VALUE`, separated by spaces, commas or `and`; values
    /// with spaces are quoted.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - isTime: Returns whether a text is a time; its forms are those of whoever reads it.
    /// - Throws: ``SessionFilterError``.
    package mutating func add(
        _ text: String,
        isTime: (String) -> Bool
    ) throws(SessionFilterError) {
        var rest = text[...]
        while true {
            rest = rest.drop { $0.isWhitespace || $0 == "," }
            if rest.lowercased().hasPrefix("and ") {
                rest = rest.dropFirst(4).drop(while: \.isWhitespace)
            }
            guard !rest.isEmpty else { return }
            let name = rest.prefix { $0.isLetter }
            rest = rest.dropFirst(name.count).drop(while: \.isWhitespace)
            guard rest.first == "=" else { throw .malformed }
            rest = rest.dropFirst().drop(while: \.isWhitespace)
            let value: Substring
            if let quote = rest.first, quote == "\"" || quote == "'" {
                value = rest.dropFirst().prefix { $0 != quote }
                guard value.endIndex != rest.endIndex else { throw .malformed }
                rest = rest[rest.index(after: value.endIndex)...]
            } else {
                value = rest.prefix { !$0.isWhitespace && $0 != "," }
                rest = rest.dropFirst(value.count)
            }
            guard let known = Name(rawValue: String(name)), !value.isEmpty else {
                throw .malformed
            }
            try set(known, String(value), isTime: isTime)
        }
    }

    /// Adds a condition.
    ///
    /// - Parameters:
    ///   - name: Its subject.
    ///   - value: Its value; nothing is added without one.
    ///   - isTime: Returns whether a text is a time; its forms are those of whoever reads it.
    /// - Throws: ``SessionFilterError``.
    package mutating func set(
        _ name: Name,
        _ value: String?,
        isTime: (String) -> Bool
    ) throws(SessionFilterError) {
        guard let value else { return }
        guard conditions[name] == nil else { throw .repeated(name) }
        let isSound =
            switch name {
            case .phase: Phase(rawValue: value) != nil
            case .outcome: Outcome(rawValue: value) != nil
            case .instrument: Instrument(rawValue: value) != nil
            case .since, .until, .before: isTime(value)
            case .money: MoneyState.Standing(rawValue: value) != nil
            case .turn: TurnName(rawValue: value) != nil
            case .reference, .problem, .host: true
            }
        guard isSound else { throw .invalid(name, value: value) }
        conditions[name] = value
    }

    /// Returns the query for the store's index, which includes only the store's own sessions, and
    /// only open ones unless an outcome is wanted.
    ///
    /// The problem is not part of it: its spellings are compared when the rows are read.
    ///
    /// - Parameters:
    ///   - since: The value of the condition as a time.
    ///   - until: The value of the condition as a time.
    /// - Returns: The query.
    package func query(since: Instant?, until: Instant?) -> SessionQuery {
        let reference = conditions[.reference]
        let prefix = reference.flatMap { $0.hasSuffix("*") ? String($0.dropLast()) : nil }
        return SessionQuery(
            phase: conditions[.phase],
            outcome: conditions[.outcome],
            isOpen: conditions[.outcome] == nil ? true : nil,
            label: conditions[.instrument],
            since: since,
            until: until,
            reference: prefix == nil ? reference : nil,
            referencePrefix: prefix,
            origin: .own
        )
        .with(money: conditions[.money], host: conditions[.host], turn: conditions[.turn])
    }
}

/// Why a condition on sessions cannot be used.
package enum SessionFilterError: Error, Hashable, Sendable {
    /// The text is not a list of known names with values.
    case malformed
    /// There are several conditions of one name.
    case repeated(SessionFilter.Name)
    /// The value is none of the name's values.
    case invalid(SessionFilter.Name, value: String)
}

/// Whose turn it is, in one word.
package enum TurnName: String, CaseIterable, Sendable {
    case payer, merchant, psp, engine, support, nobody
}
