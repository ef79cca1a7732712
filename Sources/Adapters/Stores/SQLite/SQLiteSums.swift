internal import EventLog

/// The sums over sessions, by the hour in which these were opened.
///
/// Triggers keep them in the transaction that changes a listed row, so that they cannot differ from
/// the rows. The sums of days follow those of hours by triggers of their own. While sums are made
/// again, rows are added to them in batches; until then, they are added up themselves: the ones
/// whose key lies after `done` and not after `last`.
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

    private static func add(_ row: String) -> String { "\(moneyAdding(row)) \(endedAdding(row))" }

    private static func remove(_ row: String) -> String {
        "\(moneyRemoval(row)) \(endedRemoval(row))"
    }

    private static func moneyAdding(_ row: String) -> String {
        """
        \(addMoney) SELECT \(row)opened_at / \(hour), \(row)imported, \(row)host, coalesce(\(row)currency, ''),
            \(money(row)) WHERE \(SumConditions.isConfirmed(row))
        \(mergeMoney);
        """
    }

    private static func endedAdding(_ row: String) -> String {
        """
        \(addEnded) SELECT \(row)opened_at / \(hour), \(row)imported, \(SumConditions.ending(row)), 1 WHERE \(SumConditions.isEnded(row))
        \(mergeEnded);
        """
    }

    private static func moneyRemoval(_ row: String) -> String {
        """
        UPDATE money_sums SET sessions = sessions - 1, known = known - (\(row)net IS NOT NULL),
            net_high = net_high - coalesce(\(row)net >> 31, 0),
            net_low = net_low - coalesce(\(row)net & 2147483647, 0)
        WHERE \(SumConditions.isConfirmed(row)) AND hour = \(row)opened_at / \(hour) AND imported = \(row)imported
            AND host = \(row)host AND currency = coalesce(\(row)currency, '');
        """
    }

    private static func endedRemoval(_ row: String) -> String {
        """
        UPDATE ended_sums SET sessions = sessions - 1
        WHERE \(SumConditions.isEnded(row)) AND hour = \(row)opened_at / \(hour) AND imported = \(row)imported
            AND (outcome, instrument, standing, marks) = (\(SumConditions.ending(row)));
        """
    }

    static let addMoney =
        "INSERT INTO money_sums (hour, imported, host, currency, sessions, known, net_high, net_low, since)"
    static let mergeMoney = "ON CONFLICT (hour, imported, host, currency) \(moneyMerge)"
    private static let moneyMerge = """
        DO UPDATE SET
            since = iif(sessions = 0, excluded.since, min(since, excluded.since)),
            sessions = sessions + excluded.sessions, known = known + excluded.known,
            net_high = net_high + excluded.net_high, net_low = net_low + excluded.net_low
        """
    static let addEnded =
        "INSERT INTO ended_sums (hour, imported, outcome, instrument, standing, marks, sessions)"
    static let mergeEnded =
        "ON CONFLICT (hour, imported, outcome, instrument, standing, marks) \(endedMerge)"
    private static let endedMerge = "DO UPDATE SET sessions = sessions + excluded.sessions"

    private static func isDone(_ row: String) -> String {
        """
        EXISTS (SELECT 1 FROM sums_progress WHERE \(row)key <= done OR \(row)key > last)
        """
    }

    /// The tables of hours and of days.
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
        CREATE TABLE money_days (
            day INTEGER NOT NULL,
            imported INTEGER NOT NULL,
            host TEXT NOT NULL,
            currency TEXT NOT NULL,
            sessions INTEGER NOT NULL,
            known INTEGER NOT NULL,
            net_high INTEGER NOT NULL,
            net_low INTEGER NOT NULL,
            since INTEGER NOT NULL,
            PRIMARY KEY (day, imported, host, currency)
        ) WITHOUT ROWID;
        CREATE TABLE ended_days (
            day INTEGER NOT NULL,
            imported INTEGER NOT NULL,
            outcome TEXT NOT NULL,
            instrument TEXT NOT NULL,
            standing TEXT NOT NULL,
            marks INTEGER NOT NULL,
            sessions INTEGER NOT NULL,
            PRIMARY KEY (day, imported, outcome, instrument, standing, marks)
        ) WITHOUT ROWID;
        INSERT INTO sums_progress VALUES (1, 0, 0);
        """

    /// The hours of a day.
    private static let day = SumLength.day.hours

    /// What keeps the sums.
    ///
    /// A changed row leaves the sums, and is added to them again, only where they depend on what
    /// changed: the event that ends a session does not change its money. A new hour is added to its
    /// day, and a change of an hour adds its difference: each hour has its day, even if no session
    /// is left in it.
    static let keepers = """
        CREATE TRIGGER sums_of_new AFTER INSERT ON listed_sessions
            WHEN \(SumConditions.isSummed("NEW.")) AND \(isDone("NEW."))
            BEGIN \(add("NEW.")) END;
        CREATE TRIGGER sums_of_removed AFTER DELETE ON listed_sessions
            WHEN \(SumConditions.isSummed("OLD.")) AND \(isDone("OLD."))
            BEGIN \(remove("OLD.")) END;
        CREATE TRIGGER money_of_changed AFTER UPDATE OF \(SumConditions.moneyColumns("")) ON listed_sessions
            WHEN (\(SumConditions.isConfirmed("OLD.")) OR \(SumConditions.isConfirmed("NEW.")))
                AND (\(SumConditions.moneyColumns("OLD."))) IS NOT (\(SumConditions.moneyColumns("NEW.")))
                AND \(isDone("NEW."))
            BEGIN \(moneyRemoval("OLD.")) \(moneyAdding("NEW.")) END;
        CREATE TRIGGER ended_of_changed AFTER UPDATE OF \(SumConditions.endedColumns("")) ON listed_sessions
            WHEN (\(SumConditions.isEnded("OLD.")) OR \(SumConditions.isEnded("NEW.")))
                AND (\(SumConditions.endedColumns("OLD."))) IS NOT (\(SumConditions.endedColumns("NEW.")))
                AND \(isDone("NEW."))
            BEGIN \(endedRemoval("OLD.")) \(endedAdding("NEW.")) END;
        CREATE TRIGGER money_days_of_new AFTER INSERT ON money_sums
            BEGIN
                \(addMoneyDay) VALUES (NEW.hour / \(day), NEW.imported, NEW.host, NEW.currency,
                    NEW.sessions, NEW.known, NEW.net_high, NEW.net_low, NEW.since)
                ON CONFLICT (day, imported, host, currency) \(moneyMerge);
            END;
        CREATE TRIGGER money_days_of_changed AFTER UPDATE ON money_sums
            BEGIN
                UPDATE money_days SET since = iif(sessions = 0, NEW.since, min(since, NEW.since)),
                    sessions = sessions + NEW.sessions - OLD.sessions,
                    known = known + NEW.known - OLD.known,
                    net_high = net_high + NEW.net_high - OLD.net_high,
                    net_low = net_low + NEW.net_low - OLD.net_low
                WHERE \(isMoneyDay("NEW."));
            END;
        CREATE TRIGGER money_days_of_removed AFTER DELETE ON money_sums
            BEGIN
                UPDATE money_days SET sessions = sessions - OLD.sessions, known = known - OLD.known,
                    net_high = net_high - OLD.net_high, net_low = net_low - OLD.net_low
                WHERE \(isMoneyDay("OLD."));
            END;
        CREATE TRIGGER ended_days_of_new AFTER INSERT ON ended_sums
            BEGIN
                \(addEndedDay) VALUES (NEW.hour / \(day), NEW.imported, NEW.outcome, NEW.instrument,
                    NEW.standing, NEW.marks, NEW.sessions)
                ON CONFLICT (day, imported, outcome, instrument, standing, marks) \(endedMerge);
            END;
        CREATE TRIGGER ended_days_of_changed AFTER UPDATE ON ended_sums
            BEGIN
                UPDATE ended_days SET sessions = sessions + NEW.sessions - OLD.sessions
                WHERE \(isEndedDay("NEW."));
            END;
        CREATE TRIGGER ended_days_of_removed AFTER DELETE ON ended_sums
            BEGIN
                UPDATE ended_days SET sessions = sessions - OLD.sessions
                WHERE \(isEndedDay("OLD."));
            END;
        """

    private static let addMoneyDay =
        "INSERT INTO money_days (day, imported, host, currency, sessions, known, net_high, net_low, since)"
    private static let addEndedDay =
        "INSERT INTO ended_days (day, imported, outcome, instrument, standing, marks, sessions)"

    /// Whether a row of `money_days` is the day of a row of `money_sums`.
    private static func isMoneyDay(_ row: String) -> String {
        """
        day = \(row)hour / \(day) AND imported = \(row)imported AND host = \(row)host
            AND currency = \(row)currency
        """
    }

    /// Whether a row of `ended_days` is the day of a row of `ended_sums`.
    private static func isEndedDay(_ row: String) -> String {
        """
        day = \(row)hour / \(day) AND imported = \(row)imported AND outcome = \(row)outcome
            AND instrument = \(row)instrument AND standing = \(row)standing AND marks = \(row)marks
        """
    }
}
