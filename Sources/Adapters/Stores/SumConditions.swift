internal import EventLog

/// The rows that the kept sums contain, as SQL that both kinds of database understand.
///
/// `row` is the prefix of the columns, such as `NEW.` in a trigger.
enum SumConditions {
    /// Whether a row is summed in `money_sums`: its money is confirmed, and it counts on its own.
    static func isConfirmed(_ row: String = "") -> String {
        """
        \(row)facts_version = 1 AND \(row)money = 'confirmed' AND \(row)marks = 0
            AND \(row)counts_with IS NULL AND \(row)host IS NOT NULL AND \(row)money_since IS NOT NULL
        """
    }

    /// Whether a row is counted in `ended_sums`.
    static func isEnded(_ row: String = "") -> String {
        "\(row)facts_version = 1 AND \(row)phase = 'ended'"
    }

    /// Whether a row is in one of the tables.
    static func isSummed(_ row: String) -> String {
        "(\(isConfirmed(row)) OR \(isEnded(row)))"
    }

    /// The key of a row in `ended_sums` apart from hour and origin.
    static func ending(_ row: String = "") -> String {
        """
        coalesce(\(row)outcome, ''), coalesce(\(row)instrument, ''), coalesce(\(row)money, ''),
            coalesce(\(row)marks, 0) & \(EndedCount.countedMarks)
        """
    }

    /// The columns on which the tables depend.
    static func columns(_ row: String) -> String {
        ([
            "opened_at", "imported", "phase", "outcome", "instrument", "facts_version", "money",
            "money_since", "net", "currency", "host", "counts_with", "marks",
        ] as [String]).map { row + $0 }.joined(separator: ", ")
    }

    /// The columns on which `money_sums` depends.
    static func moneyColumns(_ row: String) -> String {
        ([
            "opened_at", "imported", "facts_version", "money", "money_since", "net", "currency",
            "host", "counts_with", "marks",
        ] as [String]).map { row + $0 }.joined(separator: ", ")
    }

    /// The columns on which `ended_sums` depends.
    static func endedColumns(_ row: String) -> String {
        ([
            "opened_at", "imported", "phase", "outcome", "instrument", "facts_version", "money",
            "marks",
        ] as [String]).map { row + $0 }.joined(separator: ", ")
    }
}

extension SessionQuery {
    /// The open sessions with facts among those of this query's time, label and origin.
    var ofOpenSessions: SessionQuery {
        SessionQuery(
            isOpen: true,
            label: label,
            hasFacts: true,
            since: since,
            until: until,
            origin: origin
        )
    }
}
