package import EventLog

/// The columns of the two tables with the rows of sessions.
///
/// `sessions`, which appends write, has all facts in one value. `listed_sessions`, its copy for
/// lists and sums, has a column for each fact.
package struct SessionColumns: Sendable {
    package let model: ReadModel
    let dialect: SQLDialect
    /// What is read of a row of `sessions`.
    let readWritten: String
    /// What is read of a row of `listed_sessions`.
    let readListed: String

    init(model: ReadModel, dialect: SQLDialect) {
        (self.model, self.dialect) = (model, dialect)
        func read(_ facts: String) -> String {
            ([dialect.identifier] + Self.common + [facts]).joined(separator: ", ")
        }
        let facts = dialect.list(["facts_version"] + model.columns.map(\.name))
        readWritten = read(dialect.factsAsText)
        readListed = read("CASE WHEN facts_version IS NOT NULL THEN \(facts) END")
    }

    /// The columns of both tables beside the identifier.
    static let common = [
        "phase", "outcome", "settled", "last_seq", "opened_at", "last_at", "reference", "label",
        "problem", "due_at", "address_fp", "head_mac", "imported",
    ]

    /// The columns of `listed_sessions`, apart from SQLite's integer key.
    var listed: [String] { ["id"] + Self.common + ["facts_version"] + model.columns.map(\.name) }

    /// The values of a row of `sessions` for the columns of `listed_sessions`.
    ///
    /// Facts of another version, or in another form, are none.
    func written(of table: String = "sessions") -> [String] {
        let facts = "\(table).facts"
        let isKnown = dialect.isList(
            facts,
            beginningWith: model.version,
            count: model.columns.count + 1
        )
        let values = model.columns.enumerated().map { index, column in
            "CASE WHEN \(isKnown) THEN \(dialect.element(index + 1, of: facts, column.kind)) END"
        }
        return (["id"] + Self.common).map { "\(table).\($0)" }
            + ["CASE WHEN \(isKnown) THEN \(model.version) END"] + values
    }

    /// The columns of `listed_sessions` with an integer key, and their values in `sessions`.
    var listedWithKey: String { (["key"] + listed).joined(separator: ", ") }
    var writtenWithKey: String { (["key"] + written()).joined(separator: ", ") }

    /// The columns of both tables, as they are created.
    private var definitions: String {
        let (integer, bytes) = (dialect.integer, dialect.bytes)
        return """
            \(dialect.keys),
                phase TEXT NOT NULL,
                outcome TEXT,
                settled \(integer) NOT NULL,
                last_seq \(integer) NOT NULL,
                opened_at \(integer) NOT NULL,
                last_at \(integer) NOT NULL,
                reference TEXT,
                label TEXT,
                problem TEXT,
                due_at \(integer),
                address_fp \(bytes),
                head_mac \(bytes),
                imported \(integer) NOT NULL DEFAULT 0
            """
    }

    /// The table that appends write.
    var writtenTable: String {
        "CREATE TABLE sessions (\(definitions),\n    facts \(dialect.json)\n)"
    }

    /// The table for lists and sums.
    var listedTable: String {
        let columns = model.columns.map { column in
            switch column.kind {
            case .text: ",\n    \(column.name) TEXT"
            case .integer: ",\n    \(column.name) \(dialect.integer)"
            }
        }
        return """
            CREATE TABLE listed_sessions (\(definitions),
                facts_version \(dialect.integer)\(columns.joined())
            )
            """
    }

    /// The indexes of `listed_sessions`: for each value that few sessions have.
    var indexes: [String] {
        let declared = model.indexes.map { index in
            let column = index.condition.column
            return
                "CREATE INDEX listed_\(column) ON listed_sessions (\(column), id) WHERE \(SumStatements.text(index.condition))"
        }
        return [
            "CREATE INDEX listed_opened ON listed_sessions (opened_at)",
            """
            CREATE INDEX listed_reference ON listed_sessions (\(dialect.bytewise("reference")))
                WHERE reference IS NOT NULL
            """,
            "CREATE INDEX listed_open ON listed_sessions (phase, id) WHERE phase <> 'ended'",
            "CREATE INDEX listed_problem ON listed_sessions (problem, id) WHERE problem IS NOT NULL",
            "CREATE INDEX listed_label ON listed_sessions (label, id) WHERE label IS NOT NULL",
            "CREATE INDEX listed_imported ON listed_sessions (id) WHERE imported = 1",
            "CREATE INDEX listed_astray ON listed_sessions (id) WHERE \(dialect.isAstray)",
            "CREATE INDEX listed_without_facts ON listed_sessions (id) WHERE \(lacksFacts)",
            "CREATE INDEX listed_ending ON listed_sessions (\(dialect.ending))",
        ] + declared
    }

    // MARK: Conditions

    /// Whether a row lacks facts of this version.
    var lacksFacts: String { dialect.isOther("facts_version", than: model.version) }

    /// Whether a row has facts of this version.
    var hasFacts: String { "facts_version = \(model.version)" }

    /// The conditions of the partial indexes of a column that contain all rows with a value, which
    /// a database uses only for conditions in the statement's text.
    func partial(_ column: String, _ value: ReadModel.Value) -> [String] {
        model.indexes.filter { $0.condition.column == column }.compactMap { index in
            let isWithin =
                switch index.condition.test {
                case .isOneOf(let values): values.contains(value)
                case .isNoneOf(let values): !values.contains(value)
                case .isPresent, .isAbsent: false
                }
            return isWithin ? SumStatements.text(index.condition) : nil
        }
    }

    /// Whether most rows have the same value of a column that has an index.
    func isBroad(_ column: String) -> Bool {
        model.indexes.contains { $0.isBroad && $0.condition.column == column }
    }

    /// The conditions of a query on facts, those on broad columns last.
    func facts(of query: SessionQuery) -> [(column: String, value: ReadModel.Value)] {
        let conditions = model.columns.compactMap { column in
            query.facts[column.name].map { (column: column.name, value: $0) }
        }
        return conditions.filter { !isBroad($0.column) } + conditions.filter { isBroad($0.column) }
    }
}
