internal import EventLog

/// The sums over sessions, by the hour in which these were opened.
///
/// Triggers keep them in the transaction that changes a row, so that they cannot differ from the
/// rows. What existed before the tables is added in batches; until then, those rows are added up
/// themselves: the ones whose key lies after `done` and not after `last`.
enum SQLiteSums {
    /// The microseconds of an hour.
    static let hour = SumPieces.hour

    /// What a row adds to `money_sums` apart from its key.
    static func money(_ row: String = "") -> String {
        """
        1, \(row)net IS NOT NULL, coalesce(\(row)net >> 31, 0), coalesce(\(row)net & 2147483647, 0),
            \(row)money_since
        """
    }

    /// Whether an identity does not begin with the time at which its session was opened, or with
    /// one up to an hour before: the bounds of a query's time don't apply to it.
    static let isAstray = """
        substr(id, 1, 8) || substr(id, 10, 4) NOT BETWEEN
            printf('%012x', max(0, min(opened_at / 1000 - 3600000, 281474976710655)))
            AND printf('%012x', max(0, min(opened_at / 1000, 281474976710655)))
        """

    private static func add(_ row: String) -> String {
        """
        \(addMoney) SELECT \(row)opened_at / \(hour), \(row)imported, \(row)host, coalesce(\(row)currency, ''),
            \(money(row)) WHERE \(SumConditions.isConfirmed(row))
        \(mergeMoney);
        \(addEnded) SELECT \(row)opened_at / \(hour), \(row)imported, \(SumConditions.ending(row)), 1 WHERE \(SumConditions.isEnded(row))
        \(mergeEnded);
        """
    }

    private static func remove(_ row: String) -> String {
        """
        UPDATE money_sums SET sessions = sessions - 1, known = known - (\(row)net IS NOT NULL),
            net_high = net_high - coalesce(\(row)net >> 31, 0),
            net_low = net_low - coalesce(\(row)net & 2147483647, 0)
        WHERE \(SumConditions.isConfirmed(row)) AND hour = \(row)opened_at / \(hour) AND imported = \(row)imported
            AND host = \(row)host AND currency = coalesce(\(row)currency, '');
        UPDATE ended_sums SET sessions = sessions - 1
        WHERE \(SumConditions.isEnded(row)) AND hour = \(row)opened_at / \(hour) AND imported = \(row)imported
            AND (outcome, instrument, standing, marks) = (\(SumConditions.ending(row)));
        """
    }

    static let addMoney =
        "INSERT INTO money_sums (hour, imported, host, currency, sessions, known, net_high, net_low, since)"
    static let mergeMoney = """
        ON CONFLICT (hour, imported, host, currency) DO UPDATE SET
            since = iif(sessions = 0, excluded.since, min(since, excluded.since)),
            sessions = sessions + excluded.sessions, known = known + excluded.known,
            net_high = net_high + excluded.net_high, net_low = net_low + excluded.net_low
        """
    static let addEnded =
        "INSERT INTO ended_sums (hour, imported, outcome, instrument, standing, marks, sessions)"
    static let mergeEnded = """
        ON CONFLICT (hour, imported, outcome, instrument, standing, marks)
            DO UPDATE SET sessions = sessions + excluded.sessions
        """

    private static func isDone(_ row: String) -> String {
        """
        EXISTS (SELECT 1 FROM sums_progress WHERE \(row)key <= done OR \(row)key > last)
        """
    }

    /// The tables, what keeps them, and indexes for lists by further values.
    static let tables = """
        CREATE TABLE money_sums (
            hour INTEGER NOT NULL,
            imported INTEGER NOT NULL,
            host TEXT NOT NULL,
            currency TEXT NOT NULL,
            sessions INTEGER NOT NULL,
            known INTEGER NOT NULL,
            net_high INTEGER NOT NULL,
            net_low INTEGER NOT NULL,
            since INTEGER NOT NULL,
            PRIMARY KEY (hour, imported, host, currency)
        ) WITHOUT ROWID;
        CREATE TABLE ended_sums (
            hour INTEGER NOT NULL,
            imported INTEGER NOT NULL,
            outcome TEXT NOT NULL,
            instrument TEXT NOT NULL,
            standing TEXT NOT NULL,
            marks INTEGER NOT NULL,
            sessions INTEGER NOT NULL,
            PRIMARY KEY (hour, imported, outcome, instrument, standing, marks)
        ) WITHOUT ROWID;
        CREATE TABLE sums_progress (
            only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
            done INTEGER NOT NULL,
            last INTEGER NOT NULL
        );
        INSERT INTO sums_progress SELECT 1, 0, coalesce(max(key), 0) FROM sessions;
        CREATE TRIGGER sums_of_new AFTER INSERT ON sessions
            WHEN \(SumConditions.isSummed("NEW.")) AND \(isDone("NEW."))
            BEGIN \(add("NEW.")) END;
        CREATE TRIGGER sums_of_changed AFTER UPDATE OF \(SumConditions.columns("")) ON sessions
            WHEN (\(SumConditions.isSummed("OLD.")) OR \(SumConditions.isSummed("NEW.")))
                AND (\(SumConditions.columns("OLD."))) IS NOT (\(SumConditions.columns("NEW."))) AND \(isDone("NEW."))
            BEGIN \(remove("OLD.")) \(add("NEW.")) END;
        CREATE TRIGGER sums_of_removed AFTER DELETE ON sessions
            WHEN \(SumConditions.isSummed("OLD.")) AND \(isDone("OLD."))
            BEGIN \(remove("OLD.")) END;

        DROP INDEX sessions_turn;
        CREATE INDEX sessions_turn ON sessions (turn, id) WHERE turn <> 'nobody';
        CREATE INDEX sessions_host ON sessions (host, id) WHERE host IS NOT NULL;
        CREATE INDEX sessions_instrument ON sessions (instrument, id) WHERE instrument IS NOT NULL;
        CREATE INDEX sessions_imported ON sessions (id) WHERE imported = 1;
        CREATE INDEX sessions_astray ON sessions (id) WHERE \(isAstray);
        """
}
