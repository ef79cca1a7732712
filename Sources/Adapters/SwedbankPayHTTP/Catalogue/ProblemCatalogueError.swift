/// Why data is not a valid problem catalogue, or not a valid change to one.
@nonexhaustive
public enum ProblemCatalogueError: Error, Hashable, Sendable {
    /// The data as a whole is invalid: not JSON, not a list, or too large.
    case unreadable(reason: String)
    /// One row is invalid; it is identified by its position in the list, from 1, and its type or
    /// slug if it has one.
    case malformedRow(number: Int, type: String?, reason: String)

    /// A short, stable code, for example `problems.malformed-row`.
    public var code: String {
        switch self {
        case .unreadable: "problems.unreadable"
        case .malformedRow: "problems.malformed-row"
        }
    }
}

extension ProblemCatalogueError: CustomStringConvertible {
    /// The error and its position.
    public var description: String {
        switch self {
        case .unreadable(let reason): "the problem catalogue cannot be read: \(reason)"
        case .malformedRow(let number, let type, let reason):
            "row \(number)\(type.map { " (\($0))" } ?? "") of the problem catalogue: \(reason)"
        }
    }
}
