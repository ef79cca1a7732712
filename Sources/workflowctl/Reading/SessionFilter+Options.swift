internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay

extension SessionFilter {
    /// Adds the conditions of a text.
    mutating func add(_ text: String) throws(Failure) {
        do throws(SessionFilterError) { try add(text, isTime: Self.isTime) } catch {
            throw Failure(error)
        }
    }

    /// Adds the condition of an option.
    ///
    /// - Throws: A usage failure when its value is invalid, or when there is another of that name.
    mutating func set(_ name: Name, _ value: String?) throws(Failure) {
        do throws(SessionFilterError) { try set(name, value, isTime: Self.isTime) } catch {
            throw Failure(error)
        }
    }

    /// Returns the selection from the store's index, which includes only the store's own sessions.
    func selection(at now: Instant, limit: Int) -> SessionSelection {
        func time(_ name: Name) -> TimeArgument? {
            conditions[name].flatMap { TimeArgument(argument: $0) }
        }
        let ends = [time(.until)?.end(from: now), time(.before)?.instant(from: now)]
        return SessionSelection(
            query: query(
                since: time(.since)?.instant(from: now),
                until: ends.compactMap { $0 }.min()
            ),
            problem: conditions[.problem] ?? "any",
            order: .oldest,
            limit: limit
        )
    }

    private static func isTime(_ text: String) -> Bool { TimeArgument(argument: text) != nil }
}

extension Failure {
    /// Translates the refusal of a condition for the command line.
    fileprivate init(_ error: SessionFilterError) {
        switch error {
        case .malformed:
            self = .usage(
                "where",
                "invalid conditions",
                hint:
                    "write NAME=VALUE conditions joined by 'and', such as \"problem='request failed' and "
                    + "since=2h\", with quotes around a value that has spaces; the names are "
                    + SessionFilter.Name.allCases.map(\.rawValue).joined(separator: ", ")
            )
        case .repeated(let name):
            self = .usage(
                "where",
                "there is more than one condition on \(name)",
                hint: "use each name only once; all conditions must match"
            )
        case .invalid(let name, let value) where [.since, .until, .before].contains(name):
            let time = InvalidValue(time: value)
            self = .usage(
                "where",
                "invalid value of \(name)\(time.shown.map { ": '\($0)'" } ?? "")",
                hint: time.hint
            )
        case .invalid(let name, _):
            self = .usage(
                "where",
                "invalid value of \(name)",
                hint: "run 'workflowctl list --help' to see the values of each filter"
            )
        }
    }
}
