internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// The filters of `list`, as options or in a text such as `problem=requestFailed and since=2h`.
struct SessionFilter: Hashable, Sendable {
    /// The subject of a condition.
    enum Name: String, CaseIterable, Sendable {
        case phase, outcome, instrument, since, until, reference, problem, money, turn, host
    }

    /// The conditions, all of which must hold.
    private(set) var conditions: [Name: String] = [:]

    /// A filter without conditions, which matches all sessions.
    init() {}

    /// Whether there are no conditions.
    var isEmpty: Bool { conditions.isEmpty }

    /// Adds the conditions of a text: `NAME=VALUE`, separated by spaces, commas or `and`; values
    /// with spaces are quoted.
    mutating func add(_ text: String) throws(Failure) {
        var rest = text[...]
        while true {
            rest = rest.drop { $0.isWhitespace || $0 == "," }
            if rest.lowercased().hasPrefix("and ") {
                rest = rest.dropFirst(4).drop(while: \.isWhitespace)
            }
            guard !rest.isEmpty else { return }
            let name = rest.prefix { $0.isLetter }
            rest = rest.dropFirst(name.count).drop(while: \.isWhitespace)
            guard rest.first == "=" else { throw Self.malformed }
            rest = rest.dropFirst().drop(while: \.isWhitespace)
            let value: Substring
            if let quote = rest.first, quote == "\"" || quote == "'" {
                value = rest.dropFirst().prefix { $0 != quote }
                guard value.endIndex != rest.endIndex else { throw Self.malformed }
                rest = rest[rest.index(after: value.endIndex)...]
            } else {
                value = rest.prefix { !$0.isWhitespace && $0 != "," }
                rest = rest.dropFirst(value.count)
            }
            guard let known = Name(rawValue: String(name)), !value.isEmpty else {
                throw Self.malformed
            }
            try set(known, String(value))
        }
    }

    /// Adds a condition.
    ///
    /// - Throws: A usage failure when its value is invalid, or when there is another of that name.
    mutating func set(_ name: Name, _ value: String?) throws(Failure) {
        guard let value else { return }
        guard conditions[name] == nil else {
            throw .usage(
                "where",
                "there is more than one condition on \(name)",
                hint: "use each name only once; all conditions must match"
            )
        }
        let isSound =
            switch name {
            case .phase: Phase(rawValue: value) != nil
            case .outcome: Outcome(rawValue: value) != nil
            case .instrument: Instrument(rawValue: value) != nil
            case .since, .until: TimeArgument(argument: value) != nil
            case .money: MoneyState.Standing(rawValue: value) != nil
            case .turn: TurnArgument(rawValue: value) != nil
            case .reference, .problem, .host: true
            }
        if !isSound, name == .since || name == .until {
            let time = InvalidValue(time: value)
            throw .usage(
                "where",
                "invalid value of \(name)\(time.shown.map { ": '\($0)'" } ?? "")",
                hint: time.hint
            )
        }
        guard isSound else {
            throw .usage(
                "where",
                "invalid value of \(name)",
                hint: "run 'workflowctl list --help' to see the values of each filter"
            )
        }
        conditions[name] = value
    }

    /// Returns the query for the store's index, which includes only the store's own sessions.
    func selection(at now: Instant, limit: Int) -> SessionSelection {
        let reference = conditions[.reference]
        let prefix = reference.flatMap { $0.hasSuffix("*") ? String($0.dropLast()) : nil }
        func time(_ name: Name) -> Instant? {
            conditions[name].flatMap { TimeArgument(argument: $0)?.instant(from: now) }
        }
        let query = SessionQuery(
            phase: conditions[.phase],
            outcome: conditions[.outcome],
            isOpen: conditions[.outcome] == nil ? true : nil,
            label: conditions[.instrument],
            money: conditions[.money],
            host: conditions[.host],
            turn: conditions[.turn],
            since: time(.since),
            until: time(.until),
            reference: prefix == nil ? reference : nil,
            referencePrefix: prefix,
            origin: .own
        )
        return SessionSelection(
            query: query,
            problem: conditions[.problem] ?? "any",
            order: .oldest,
            limit: limit
        )
    }

    private static var malformed: Failure {
        .usage(
            "where",
            "invalid conditions",
            hint:
                "write NAME=VALUE conditions joined by 'and', such as \"problem='request failed' and "
                + "since=2h\", with quotes around a value that has spaces; the names are "
                + Name.allCases.map(\.rawValue).joined(separator: ", ")
        )
    }
}
