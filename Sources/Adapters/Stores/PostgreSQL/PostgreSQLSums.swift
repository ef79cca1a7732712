internal import EventLog

/// The sums over sessions, by the hour in which these were opened.
///
/// Triggers keep them in the transaction that changes a row, so that they cannot differ from the
/// rows. They run at the end of an append's statement, which holds the end of the lane by then, and
/// each lane has its own rows of sums: two appends never wait for each other's sums. The sums of
/// days follow those of hours, whoever changes these, so that a build that knows only hours leaves
/// no wrong days. What existed before the tables is added in batches; until then, those rows are
/// added up themselves: the ones whose identity lies after `done` and not after `last`.
enum PostgreSQLSums {
    /// The microseconds of an hour.
    static let hour = SumPieces.hour

    /// What a row adds to `money_sums` apart from its key and lane.
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

    static let addMoney = adding(to: moneyTable, "sessions, known, net, since", hasLanes: true)
    static let mergeMoney = merging(moneyTable, moneyMerge, hasLanes: true)
    static let addEnded = adding(to: endedTable, "sessions", hasLanes: true)
    static let mergeEnded = merging(endedTable, endedMerge, hasLanes: true)

    /// A table of sums, and its key apart from the lane.
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

    private static func adding(to table: Table, _ sums: String, hasLanes: Bool) -> String {
        let key = table.key + (hasLanes ? ", lane" : "")
        return "INSERT INTO \(table.name) AS kept (\(key), \(sums))"
    }

    private static func merging(_ table: Table, _ sums: String, hasLanes: Bool) -> String {
        let key = table.key + (hasLanes ? ", lane" : "")
        return "ON CONFLICT (\(key)) DO UPDATE SET \(sums)"
    }

    /// What keeps the sums, for each changed row that was added to them before.
    ///
    /// In the version with lanes, each lane has sums of its own: appends to different lanes never
    /// change the same row. The version that compares also runs for rows that change no sum.
    private static func keeper(hasLanes: Bool, compares: Bool = false) -> String {
        let (isLane, lane) = hasLanes ? (" AND lane = own_lane", ", own_lane") : ("", "")
        let skipped = """
            IF EXISTS (SELECT 1 FROM sums_progress
                WHERE coalesce(NEW.id, OLD.id) > done AND coalesce(NEW.id, OLD.id) <= last)
            THEN RETURN NULL; END IF;
            """
        let unchanged = """
            IF TG_OP = 'UPDATE' AND NOT (\(isChanged)) THEN RETURN NULL; END IF;
            """
        let ownLane = """
            own_lane := \(PostgreSQLLanes.lane(
                of: "coalesce(NEW.id, OLD.id)",
                lanes: "(SELECT lanes FROM sums_progress)"
            ));
            """
        return """
            CREATE OR REPLACE FUNCTION keep_sums() RETURNS trigger LANGUAGE plpgsql AS $body$
            \(hasLanes ? "DECLARE own_lane BIGINT;" : "")
            BEGIN
                \(compares ? unchanged : "")
                \(skipped)
                \(hasLanes ? ownLane : "")
                IF TG_OP <> 'INSERT' THEN
                    IF \(SumConditions.isConfirmed("OLD.")) THEN
                        UPDATE money_sums SET sessions = sessions - 1,
                            known = known - CASE WHEN OLD.net IS NULL THEN 0 ELSE 1 END,
                            net = net - coalesce(OLD.net, 0)
                        WHERE hour = OLD.opened_at / \(hour) AND imported = OLD.imported
                            AND host = OLD.host AND currency = coalesce(OLD.currency, '')\(isLane);
                    END IF;
                    IF \(SumConditions.isEnded("OLD.")) THEN
                        UPDATE ended_sums SET sessions = sessions - 1
                        WHERE hour = OLD.opened_at / \(hour) AND imported = OLD.imported
                            AND (outcome, instrument, standing, marks) = (\(SumConditions.ending("OLD.")))\(isLane);
                    END IF;
                END IF;
                IF TG_OP <> 'DELETE' THEN
                    IF \(SumConditions.isConfirmed("NEW.")) THEN
                        \(adding(to: moneyTable, "sessions, known, net, since", hasLanes: hasLanes))
                        VALUES (NEW.opened_at / \(hour), NEW.imported, NEW.host,
                            coalesce(NEW.currency, '')\(lane), \(money("NEW.")))
                        \(merging(moneyTable, moneyMerge, hasLanes: hasLanes));
                    END IF;
                    IF \(SumConditions.isEnded("NEW.")) THEN
                        \(adding(to: endedTable, "sessions", hasLanes: hasLanes))
                        VALUES (NEW.opened_at / \(hour), NEW.imported, \(SumConditions.ending("NEW."))\(lane), 1)
                        \(merging(endedTable, endedMerge, hasLanes: hasLanes));
                    END IF;
                END IF;
                RETURN NULL;
            END
            $body$
            """
    }

    /// Whether an update changes a column on which the sums depend.
    private static let isChanged =
        "(\(SumConditions.columns("OLD."))) IS DISTINCT FROM (\(SumConditions.columns("NEW.")))"

    /// Whether a row may be in one of the tables: contains all rows that are.
    private static func mayBeSummed(_ row: String) -> String {
        "\(row)money = 'confirmed' OR \(row)phase = 'ended'"
    }

    /// Has the triggers run on short conditions, and the function compare the rest.
    ///
    /// The server reads the condition of a trigger again for each statement that changes a session,
    /// but keeps the plan of a function. Triggers are replaced when nobody uses the table. Whoever
    /// needs it later waits behind this, so it gives up soon if somebody reads the table for long,
    /// such as a backup.
    static let shortConditions =
        [
            "SELECT set_config('lock_timeout', '2s', true)",
            keeper(hasLanes: true, compares: true),
            ownersRights(of: "keep_sums"),
        ]
        + [
            ("sums_of_new", "INSERT", mayBeSummed("NEW.")),
            ("sums_of_changed", "UPDATE", mayBeSummed("OLD.") + " OR " + mayBeSummed("NEW.")),
            ("sums_of_removed", "DELETE", mayBeSummed("OLD.")),
        ].flatMap { name, change, condition in
            [
                "DROP TRIGGER \(name) ON sessions",
                """
                CREATE TRIGGER \(name) AFTER \(change) ON sessions FOR EACH ROW
                    WHEN (\(condition)) EXECUTE FUNCTION keep_sums()
                """,
            ]
        }

    /// Gives each lane sums of its own.
    static let lanes =
        [moneyTable, endedTable].map { table in
            """
            ALTER TABLE \(table.name) ADD COLUMN lane BIGINT NOT NULL DEFAULT 0,
                DROP CONSTRAINT \(table.name)_pkey, ADD PRIMARY KEY (\(table.key), lane)
            """
        } + [
            "ALTER TABLE sums_progress ADD COLUMN lanes BIGINT NOT NULL DEFAULT 1",
            keeper(hasLanes: true),
            ownersRights(of: "keep_sums"),
        ]

    /// Adds the sums of days, and what keeps them.
    ///
    /// Statements that change sessions end first and later ones wait, because two of them could
    /// otherwise hold one table of sums each and wait for the other. Only a function may lock
    /// outside a transaction block.
    static let days =
        [
            "DO $do$ BEGIN LOCK TABLE sessions IN EXCLUSIVE MODE; END $do$",
            """
            CREATE TABLE money_days (
                day BIGINT NOT NULL,
                imported BIGINT NOT NULL,
                host TEXT NOT NULL,
                currency TEXT NOT NULL,
                lane BIGINT NOT NULL,
                sessions BIGINT NOT NULL,
                known BIGINT NOT NULL,
                net NUMERIC NOT NULL,
                since BIGINT NOT NULL,
                PRIMARY KEY (day, imported, host, currency, lane)
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
                lane BIGINT NOT NULL,
                sessions BIGINT NOT NULL,
                PRIMARY KEY (day, imported, outcome, instrument, standing, marks, lane)
            ) WITH (fillfactor = 70)
            """,
        ]
        + daysKeeper(
            of: "money_sums",
            in: "money_days",
            key: ["imported", "host", "currency", "lane"],
            sums: ["sessions", "known", "net"],
            first: ["since"],
            moneyMerge
        )
        + daysKeeper(
            of: "ended_sums",
            in: "ended_days",
            key: ["imported", "outcome", "instrument", "standing", "marks", "lane"],
            sums: ["sessions"],
            first: [],
            endedMerge
        )

    /// What keeps a table of days, and what it contains at first.
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
            """
            \(adding)
            SELECT \(list(["hour / \(SumLength.day.hours)"] + key + sums.map { "sum(\($0))" } + first.map { "min(\($0))" }))
            FROM \(hours) WHERE sessions <> 0 GROUP BY hour / \(SumLength.day.hours), \(list(key))
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

    /// The tables, what keeps them, and indexes for lists by further values.
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
            last UUID NOT NULL
        )
        """,
        "INSERT INTO sums_progress VALUES (1, \(none), \(newest))",
        keeper(hasLanes: false),
        ownersRights(of: "keep_sums"),
        """
        CREATE TRIGGER sums_of_new AFTER INSERT ON sessions FOR EACH ROW
            WHEN (\(SumConditions.isSummed("NEW."))) EXECUTE FUNCTION keep_sums()
        """,
        """
        CREATE TRIGGER sums_of_changed AFTER UPDATE ON sessions FOR EACH ROW
            WHEN ((\(SumConditions.isSummed("OLD.")) OR \(SumConditions.isSummed("NEW.")))
                AND \(isChanged))
            EXECUTE FUNCTION keep_sums()
        """,
        """
        CREATE TRIGGER sums_of_removed AFTER DELETE ON sessions FOR EACH ROW
            WHEN (\(SumConditions.isSummed("OLD."))) EXECUTE FUNCTION keep_sums()
        """,
        "DROP INDEX sessions_turn",
        "CREATE INDEX sessions_turn ON sessions (turn, id) WHERE turn <> 'nobody'",
        "CREATE INDEX sessions_host ON sessions (host, id) WHERE host IS NOT NULL",
        "CREATE INDEX sessions_instrument ON sessions (instrument, id) WHERE instrument IS NOT NULL",
        "CREATE INDEX sessions_imported ON sessions (id) WHERE imported = 1",
        "CREATE INDEX sessions_astray ON sessions (id) WHERE \(isAstray)",
        // Prefixes are compared byte by byte, whatever the database's collation is.
        "DROP INDEX sessions_reference",
        "CREATE INDEX sessions_reference ON sessions (reference COLLATE \"C\") WHERE reference IS NOT NULL",
    ]

    /// An identity before all others.
    static let none = "'00000000-0000-0000-0000-000000000000'"
    /// The last identity that there is.
    static let newest = "coalesce((SELECT id FROM sessions ORDER BY id DESC LIMIT 1), \(none))"
}
