internal import EventLog

/// The columns of `sessions` with the facts for lists and sums.
enum PostgreSQLFacts {
    /// The columns, in the order used everywhere.
    static let columns = """
        facts_version, turn, money, money_since, money_seq, amount, net, currency, host, attempts,
            counts_with, marks, order_reference, doubted
        """

    /// Assigns each column from a table `i` with the same columns, in which sessions are identified
    /// by texts.
    static let assignments = names.map { "\($0) = \(value($0, "i."))" }.joined(separator: ", ")

    /// The values to insert from such a table.
    static let selection = names.map { value($0, "") }.joined(separator: ", ")

    private static let names = columns.filter { !$0.isWhitespace }.pieces(between: ",")

    private static func value(_ name: Substring, _ table: String) -> String {
        "\(table)\(name)" + (name == "counts_with" ? "::uuid" : "")
    }

    /// The values to read.
    static let shown = names.map { $0 == "counts_with" ? "counts_with::text" : String($0) }
        .joined(separator: ", ")

    /// The number of columns.
    static let count = 14

    /// The types of the columns, as arrays with one value per row.
    static let arrays: [PQValue.TypeID] = [
        .integers, .texts, .texts, .integers, .integers, .integers, .integers, .texts, .texts,
        .integers, .texts, .integers, .texts, .integers,
    ]

    /// The search terms, and up to where the log is indexed.
    static let searchTables = [
        // Terms are compared byte by byte, whatever the database's collation is.
        """
        CREATE TABLE search_terms (term TEXT COLLATE "C" NOT NULL, session UUID NOT NULL,
            PRIMARY KEY (term, session))
        """,
        "CREATE INDEX search_terms_session ON search_terms (session)",
        """
        CREATE TABLE search_progress (
            only_row BIGINT PRIMARY KEY CHECK (only_row = 1), mark TEXT NOT NULL, position BIGINT NOT NULL,
            lanes BIGINT[])
        """,
    ]

    /// The facts of rows, as arrays in the order of ``columns``.
    static func values(of rows: [SessionSummary]) -> [PQValue] {
        let numbers = 12 * rows.count
        var versions = PQArrayWriter(of: .integer, capacity: numbers)
        var turns = PQArrayWriter(of: .text, capacity: numbers)
        var money = PQArrayWriter(of: .text, capacity: numbers)
        var since = PQArrayWriter(of: .integer, capacity: numbers)
        var sequences = PQArrayWriter(of: .integer, capacity: numbers)
        var amounts = PQArrayWriter(of: .integer, capacity: numbers)
        var net = PQArrayWriter(of: .integer, capacity: numbers)
        var currencies = PQArrayWriter(of: .text, capacity: numbers)
        var hosts = PQArrayWriter(of: .text, capacity: 24 * rows.count)
        var attempts = PQArrayWriter(of: .integer, capacity: numbers)
        var countsWith = PQArrayWriter(of: .text, capacity: numbers)
        var marks = PQArrayWriter(of: .integer, capacity: numbers)
        var orders = PQArrayWriter(of: .text, capacity: numbers)
        var doubted = PQArrayWriter(of: .integer, capacity: numbers)
        for row in rows {
            let facts = row.facts
            versions.append(facts.map { _ in SessionFacts.version })
            turns.append(facts?.turn)
            money.append(facts?.money)
            since.append(facts?.moneySince?.microseconds)
            sequences.append(facts?.moneySequence.rawValue)
            amounts.append(facts?.amount)
            net.append(facts?.net)
            currencies.append(facts?.currency)
            hosts.append(facts?.host)
            attempts.append(facts?.attempts)
            countsWith.append(facts?.countsWith?.description)
            marks.append(facts?.marks)
            orders.append(facts?.orderReference)
            doubted.append(facts?.doubted)
        }
        return [
            versions.finish(), turns.finish(), money.finish(), since.finish(), sequences.finish(),
            amounts.finish(), net.finish(), currencies.finish(), hosts.finish(), attempts.finish(),
            countsWith.finish(), marks.finish(), orders.finish(), doubted.finish(),
        ]
    }

    /// Returns the facts in a row; `nil` when this build did not derive them.
    ///
    /// - Parameters:
    ///   - rows: The result.
    ///   - row: The index of the row.
    ///   - first: The column where the facts begin.
    /// - Returns: The facts.
    static func facts(in rows: PQRows, _ row: Int, from first: Int32) -> SessionFacts? {
        guard rows.integer(row, first) == SessionFacts.version else { return nil }
        return SessionFacts(
            turn: rows.text(row, first + 1),
            money: rows.text(row, first + 2),
            moneySince: rows.integer(row, first + 3).map(Instant.init(microseconds:)),
            moneySequence: rows.sequence(row, first + 4) ?? 0,
            amount: rows.integer(row, first + 5),
            net: rows.integer(row, first + 6),
            doubted: rows.integer(row, first + 13),
            currency: rows.text(row, first + 7),
            host: rows.text(row, first + 8),
            attempts: rows.integer(row, first + 9) ?? 0,
            countsWith: rows.text(row, first + 10).flatMap { SessionID($0) },
            orderReference: rows.text(row, first + 12),
            marks: rows.integer(row, first + 11) ?? 0
        )
    }
}
