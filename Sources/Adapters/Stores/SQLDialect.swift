/// What differs between the databases in statements that are otherwise the same.
enum SQLDialect: Sendable {
    case sqlite
    case postgreSQL

    /// The parameter with a number, counted from 1.
    func parameter(_ number: Int) -> String {
        switch self {
        case .sqlite: "?\(number)"
        case .postgreSQL: "$\(number)"
        }
    }

    /// A JSON list of expressions, as text.
    func list(_ expressions: [String]) -> String {
        let elements = expressions.joined(separator: ", ")
        return switch self {
        case .sqlite: "json_array(\(elements))"
        case .postgreSQL: "json_build_array(\(elements))::text"
        }
    }

    /// The sum of whole numbers over a group, as a whole number.
    func sum(_ expression: String) -> String {
        switch self {
        case .sqlite: "sum(\(expression))"
        case .postgreSQL: "sum(\(expression))::bigint"
        }
    }

    /// The smaller one of two numbers, neither of which is null.
    func least(_ first: String, _ second: String) -> String {
        switch self {
        case .sqlite: "min(\(first), \(second))"
        case .postgreSQL: "least(\(first), \(second))"
        }
    }

    /// The type of a whole number.
    var integer: String {
        switch self {
        case .sqlite: "INTEGER"
        case .postgreSQL: "BIGINT"
        }
    }

    /// The identifier of a session, as text.
    var identifier: String {
        switch self {
        case .sqlite: "id"
        case .postgreSQL: "id::text"
        }
    }

    /// A text in a statement.
    static func literal(_ text: String) -> String {
        let escaped = text.unicodeScalars.map { $0 == "'" ? "''" : String($0) }.joined()
        return "'\(escaped)'"
    }
}
