internal import EventLog

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

    /// The type of bytes.
    var bytes: String {
        switch self {
        case .sqlite: "BLOB"
        case .postgreSQL: "BYTEA"
        }
    }

    /// The type of a JSON value.
    var json: String {
        switch self {
        case .sqlite: "TEXT"
        case .postgreSQL: "JSONB"
        }
    }

    /// The keys of a table of sessions.
    var keys: String {
        switch self {
        case .sqlite: "key INTEGER PRIMARY KEY,\n    id TEXT NOT NULL UNIQUE"
        case .postgreSQL: "id UUID PRIMARY KEY"
        }
    }

    /// A text that is compared byte by byte, whatever the database's collation is.
    func bytewise(_ column: String) -> String {
        switch self {
        case .sqlite: column
        case .postgreSQL: "\(column) COLLATE \"C\""
        }
    }

    /// The end of a session's identifier, as it is indexed.
    var ending: String {
        switch self {
        case .sqlite: "substr(id, -\(IdentityEnding.indexed))"
        case .postgreSQL: "right(id::text, \(IdentityEnding.indexed))"
        }
    }

    /// Whether a number is absent or another one.
    func isOther(_ column: String, than number: Int64) -> String {
        switch self {
        case .sqlite: "\(column) IS NOT \(number)"
        case .postgreSQL: "\(column) IS DISTINCT FROM \(number)"
        }
    }

    /// The facts of a row of `sessions`, as text.
    var factsAsText: String {
        switch self {
        case .sqlite: "facts"
        case .postgreSQL: "facts::text"
        }
    }

    /// Whether a JSON value is a list of so many elements that begins with a number.
    ///
    /// It may be anything: whoever writes to the table decides.
    func isList(_ value: String, beginningWith first: Int64, count: Int) -> String {
        switch self {
        case .sqlite:
            """
            (json_valid(\(value)) AND json_array_length(\(value)) = \(count)
                AND json_extract(\(value), '$[0]') = \(first))
            """
        case .postgreSQL:
            """
            CASE WHEN jsonb_typeof(\(value)) = 'array'
                THEN jsonb_array_length(\(value)) = \(count) AND \(value)->>0 = '\(first)' END
            """
        }
    }

    /// An element of a JSON list; null when it is of another kind.
    func element(
        _ index: Int,
        of list: String,
        _ kind: ReadModel.Column.Kind
    ) -> String {
        switch (self, kind) {
        case (.sqlite, .text): sqliteElement(index, of: list, "text")
        case (.sqlite, .integer): sqliteElement(index, of: list, "integer")
        case (.postgreSQL, .text):
            "CASE WHEN jsonb_typeof(\(list)->\(index)) = 'string' THEN \(list)->>\(index) END"
        case (.postgreSQL, .integer):
            """
            CASE WHEN jsonb_typeof(\(list)->\(index)) = 'number' THEN
                CASE WHEN (\(list)->\(index))::numeric BETWEEN \(Int64.min) AND \(Int64.max)
                    THEN (\(list)->\(index))::numeric::bigint END END
            """
        }
    }

    private func sqliteElement(_ index: Int, of list: String, _ type: String) -> String {
        """
        CASE WHEN json_type(\(list), '$[\(index)]') = '\(type)' THEN json_extract(\(list), '$[\(index)]') END
        """
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
