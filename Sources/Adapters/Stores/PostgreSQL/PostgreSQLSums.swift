internal import EventLog

/// The sums over sessions, by the hour in which these were opened.
///
/// Triggers keep them in the transaction that changes a listed row, so that they cannot differ from
/// the rows. The sums of days follow those of hours, whoever changes these. While sums are made
/// again, rows are added to them in batches; until then, they are added up themselves: the ones
/// whose identity lies after `done` and not after `last`.
enum PostgreSQLSums {
    /// The microseconds of an hour.
    static let hour = SumPieces.hour

    /// What a row adds to `money_sums` apart from its key.
    static func money(_ row: String = "") -> String {
        """
        1::bigint, CASE WHEN \(row)net IS NULL THEN 0 ELSE 1 END::bigint, coalesce(\(row)net, 0)::numeric,
            \(row)money_since
        """
    }

    /// Whether an identity does not begin with the time at which its session was opened, or with
    /// one up to an hour before: the bounds of a query's time don't apply to it.
    static let isAstray = """
        left(replace(id::text, '-', ''), 12) COLLATE "C" NOT BETWEEN
            lpad(to_hex(greatest(0, least(opened_at / 1000 - 3600000, 281474976710655))), 12, '0')
            AND lpad(to_hex(greatest(0, least(opened_at / 1000, 281474976710655))), 12, '0')
        """

    static let addMoney = adding(to: moneyTable, "sessions, known, net, since")
    static let mergeMoney = merging(moneyTable, moneyMerge)
    static let addEnded = adding(to: endedTable, "sessions")
    static let mergeEnded = merging(endedTable, endedMerge)

    /// A table of sums, and its key.
    private typealias Table = (name: String, key: String)
    private static let moneyTable: Table = ("money_sums", "hour, imported, host, currency")
    private static let endedTable: Table = (
        "ended_sums", "hour, imported, outcome, instrument, standing, marks"
    )
    private static let moneyMerge = """
        since = CASE WHEN kept.sessions = 0 THEN excluded.since ELSE least(kept.since, excluded.since) END,
            sessions = kept.sessions + excluded.sessions, known = kept.known + excluded.known,
            net = kept.net + excluded.net
        """
    private static let endedMerge = "sessions = kept.sessions + excluded.sessions"

    private static func adding(to table: Table, _ sums: String) -> String {
        "INSERT INTO \(table.name) AS kept (\(table.key), \(sums))"
    }

    private static func merging(_ table: Table, _ sums: String) -> String {
        "ON CONFLICT (\(table.key)) DO UPDATE SET \(sums)"
    }

    /// What keeps the sums, for each changed row that was added to them before.
    ///
    /// It also runs for rows that change no sum.
    private static let keeper = """
        CREATE FUNCTION keep_sums() RETURNS trigger LANGUAGE plpgsql AS $body$
        BEGIN
            IF TG_OP = 'UPDATE' AND (\(SumConditions.columns("OLD.")))
                IS NOT DISTINCT FROM (\(SumConditions.columns("NEW.")))
            THEN RETURN NULL; END IF;
            IF EXISTS (SELECT 1 FROM sums_progress
                WHERE coalesce(NEW.id, OLD.id) > done AND coalesce(NEW.id, OLD.id) <= last)
            THEN RETURN NULL; END IF;
            IF TG_OP <> 'INSERT' THEN
                IF \(SumConditions.isConfirmed("OLD.")) THEN
                    UPDATE money_sums SET sessions = sessions - 1,
                        known = known - CASE WHEN OLD.net IS NULL THEN 0 ELSE 1 END,
                        net = net - coalesce(OLD.net, 0)
                    WHERE hour = OLD.opened_at / \(hour) AND imported = OLD.imported
                        AND host = OLD.host AND currency = coalesce(OLD.currency, '');
                END IF;
                IF \(SumConditions.isEnded("OLD.")) THEN
                    UPDATE ended_sums SET sessions = sessions - 1
                    WHERE hour = OLD.opened_at / \(hour) AND imported = OLD.imported
                        AND (outcome, instrument, standing, marks) = (\(SumConditions.ending("OLD.")));
                END IF;
            END IF;
            IF TG_OP <> 'DELETE' THEN
                IF \(SumConditions.isConfirmed("NEW.")) THEN
                    \(adding(to: moneyTable, "sessions, known, net, since"))
                    VALUES (NEW.opened_at / \(hour), NEW.imported, NEW.host,
                        coalesce(NEW.currency, ''), \(money("NEW.")))
                    \(merging(moneyTable, moneyMerge));
                END IF;
                IF \(SumConditions.isEnded("NEW.")) THEN
                    \(adding(to: endedTable, "sessions"))
                    VALUES (NEW.opened_at / \(hour), NEW.imported, \(SumConditions.ending("NEW.")), 1)
                    \(merging(endedTable, endedMerge));
                END IF;
            END IF;
            RETURN NULL;
        END
        $body$
        """

    /// Whether a row may be in one of the tables: contains all rows that are.
    private static func mayBeSummed(_ row: String) -> String {
        "\(row)money = 'confirmed' OR \(row)phase = 'ended'"
    }

    /// What keeps the sums of hours and of days.
    ///
    /// The server reads the condition of a trigger again for each statement that changes a session,
    /// but keeps the plan of a function: the triggers have short conditions, and the function
    /// compares the rest.
    static let keepers =
        [keeper, ownersRights(of: "keep_sums")]
        + [
            ("sums_of_new", "INSERT", mayBeSummed("NEW.")),
            ("sums_of_changed", "UPDATE", mayBeSummed("OLD.") + " OR " + mayBeSummed("NEW.")),
            ("sums_of_removed", "DELETE", mayBeSummed("OLD.")),
        ].map { name, change, condition in
            """
            CREATE TRIGGER \(name) AFTER \(change) ON listed_sessions FOR EACH ROW
                WHEN (\(condition)) EXECUTE FUNCTION keep_sums()
            """
        }
        + daysKeeper(
            of: "money_sums",
            in: "money_days",
            key: ["imported", "host", "currency"],
            sums: ["sessions", "known", "net"],
            first: ["since"],
            moneyMerge
        )
        + daysKeeper(
            of: "ended_sums",
            in: "ended_days",
            key: ["imported", "outcome", "instrument", "standing", "marks"],
            sums: ["sessions"],
            first: [],
            endedMerge
        )

    /// What keeps a table of days.
    ///
    /// A change of an hour adds its difference to the day.
    private static func daysKeeper(
        of hours: String,
        in days: String,
        key: [String],
        sums: [String],
        first: [String],
        _ merge: String
    ) -> [String] {
        func list(_ columns: [String]) -> String { columns.joined(separator: ", ") }
        let adding = "INSERT INTO \(days) AS kept (\(list(["day"] + key + sums + first)))"
        let values =
            ["coalesce(NEW.hour, OLD.hour) / \(SumLength.day.hours)"]
            + key.map { "coalesce(NEW.\($0), OLD.\($0))" }
            + sums.map { "coalesce(NEW.\($0), 0) - coalesce(OLD.\($0), 0)" }
            + first.map { "coalesce(NEW.\($0), OLD.\($0))" }
        return [
            """
            CREATE FUNCTION keep_\(days)() RETURNS trigger LANGUAGE plpgsql AS $body$
            BEGIN
                \(adding)
                VALUES (\(list(values)))
                ON CONFLICT (\(list(["day"] + key))) DO UPDATE SET \(merge);
                RETURN NULL;
            END
            $body$
            """,
            ownersRights(of: "keep_\(days)"),
            """
            CREATE TRIGGER \(days)_kept AFTER INSERT OR UPDATE OR DELETE ON \(hours)
                FOR EACH ROW EXECUTE FUNCTION keep_\(days)()
            """,
        ]
    }

    /// Has a function run with the rights of the tables' owner, and in their schema only: who
    /// appends needs no rights on the sums, also right after the migration, and can neither direct
    /// the function to other tables nor have it run for another table.
    private static func ownersRights(of function: String) -> String {
        """
        DO $do$ BEGIN EXECUTE format(
            'ALTER FUNCTION \(function)() SECURITY DEFINER SET search_path = %I, pg_temp', current_schema()
        );
        EXECUTE 'REVOKE EXECUTE ON FUNCTION \(function)() FROM PUBLIC'; END $do$
        """
    }

    /// The tables of hours and of days.
    static let tables = [
        """
        CREATE TABLE money_sums (
            hour BIGINT NOT NULL,
            imported BIGINT NOT NULL,
            host TEXT NOT NULL,
            currency TEXT NOT NULL,
            sessions BIGINT NOT NULL,
            known BIGINT NOT NULL,
            net NUMERIC NOT NULL,
            since BIGINT NOT NULL,
            PRIMARY KEY (hour, imported, host, currency)
        ) WITH (fillfactor = 70)
        """,
        """
        CREATE TABLE ended_sums (
            hour BIGINT NOT NULL,
            imported BIGINT NOT NULL,
            outcome TEXT NOT NULL,
            instrument TEXT NOT NULL,
            standing TEXT NOT NULL,
            marks BIGINT NOT NULL,
            sessions BIGINT NOT NULL,
            PRIMARY KEY (hour, imported, outcome, instrument, standing, marks)
        ) WITH (fillfactor = 70)
        """,
        """
        CREATE TABLE sums_progress (
            only_row BIGINT PRIMARY KEY CHECK (only_row = 1),
            done UUID NOT NULL,
            last UUID NOT NULL,
            lanes BIGINT NOT NULL DEFAULT 1
        )
        """,
        "INSERT INTO sums_progress VALUES (1, \(none), \(none), 1)",
        """
        CREATE TABLE money_days (
            day BIGINT NOT NULL,
            imported BIGINT NOT NULL,
            host TEXT NOT NULL,
            currency TEXT NOT NULL,
            sessions BIGINT NOT NULL,
            known BIGINT NOT NULL,
            net NUMERIC NOT NULL,
            since BIGINT NOT NULL,
            PRIMARY KEY (day, imported, host, currency)
        ) WITH (fillfactor = 70)
        """,
        """
        CREATE TABLE ended_days (
            day BIGINT NOT NULL,
            imported BIGINT NOT NULL,
            outcome TEXT NOT NULL,
            instrument TEXT NOT NULL,
            standing TEXT NOT NULL,
            marks BIGINT NOT NULL,
            sessions BIGINT NOT NULL,
            PRIMARY KEY (day, imported, outcome, instrument, standing, marks)
        ) WITH (fillfactor = 70)
        """,
    ]

    /// An identity before all others.
    static let none = "'00000000-0000-0000-0000-000000000000'"
    /// The last identity that there is.
    static let newest =
        "coalesce((SELECT id FROM listed_sessions ORDER BY id DESC LIMIT 1), \(none))"
}
