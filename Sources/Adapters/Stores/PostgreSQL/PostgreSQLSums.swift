internal import EventLog

/// The sums over sessions, by the hour and by the day in which these were opened.
///
/// Triggers keep them in the transaction that changes a row, so that they cannot differ from the
/// rows. They run at the end of an append's statement, which holds the end of the lane by then, and
/// each lane has its own rows of sums: two appends never wait for each other's sums. What existed
/// before the tables is added in batches; until then, those rows are added up themselves: the ones
/// whose identity lies after `done` and not after `last`.
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

    static let addMoney = adding(to: moneyTable, "sessions, known, net, since", form: .days)
    static let mergeMoney = merging(moneyTable, moneyMerge, form: .days)
    static let addEnded = adding(to: endedTable, "sessions", form: .days)
    static let mergeEnded = merging(endedTable, endedMerge, form: .days)

    /// What the tables' rows are sums of, in the order of the versions of the schema.
    private enum Form: Int {
        /// Hours.
        case hours
        /// Hours of a lane.
        case lanes
        /// Hours and days of a lane.
        case days

        /// The key of a table with this form.
        func key(of table: Table) -> String {
            (self == .days ? "hours, first_hour, " : "hour, ") + table.key
                + (self == .hours ? "" : ", lane")
        }
    }

    /// The lengths of the sums, in hours, as a table.
    static let spans = "(VALUES (1::bigint), (\(SumPieces.day))) AS spans (hours)"

    /// A table of sums, and its key apart from time and lane.
    private typealias Table = (name: String, key: String)
    private static let moneyTable: Table = ("money_sums", "imported, host, currency")
    private static let endedTable: Table = (
        "ended_sums", "imported, outcome, instrument, standing, marks"
    )
    private static let moneyMerge = """
        since = CASE WHEN kept.sessions = 0 THEN excluded.since ELSE least(kept.since, excluded.since) END,
            sessions = kept.sessions + excluded.sessions, known = kept.known + excluded.known,
            net = kept.net + excluded.net
        """
    private static let endedMerge = "sessions = kept.sessions + excluded.sessions"

    private static func adding(to table: Table, _ sums: String, form: Form) -> String {
        "INSERT INTO \(table.name) AS kept (\(form.key(of: table)), \(sums))"
    }

    private static func merging(_ table: Table, _ sums: String, form: Form) -> String {
        "ON CONFLICT (\(form.key(of: table))) DO UPDATE SET \(sums)"
    }

    /// What keeps the sums, for each changed row that was added to them before.
    ///
    /// From the version with lanes on, each lane has sums of its own: appends to different lanes
    /// never change the same row.
    private static func keeper(_ form: Form) -> String {
        let hasLanes = form != .hours
        let (isLane, lane) = hasLanes ? (" AND lane = own_lane", ", own_lane") : ("", "")
        let hourColumn = form == .days ? "hours = span AND first_hour" : "hour"
        let span = form == .days ? "span, " : ""
        let declarations = [
            hasLanes ? "own_lane BIGINT;" : "", form == .days ? "span BIGINT;" : "",
        ]
        .joined(separator: " ")
        let skipped = """
            IF EXISTS (SELECT 1 FROM sums_progress
                WHERE coalesce(NEW.id, OLD.id) > done AND coalesce(NEW.id, OLD.id) <= last)
            THEN RETURN NULL; END IF;
            """
        let ownLane = """
            own_lane := \(PostgreSQLLanes.lane(
                of: "coalesce(NEW.id, OLD.id)",
                lanes: "(SELECT lanes FROM sums_progress)"
            ));
            """
        func start(_ row: String) -> String {
            "\(row)opened_at / \(hour)" + (form == .days ? " / span * span" : "")
        }
        let body = """
            IF TG_OP <> 'INSERT' THEN
                IF \(SumConditions.isConfirmed("OLD.")) THEN
                    UPDATE money_sums SET sessions = sessions - 1,
                        known = known - CASE WHEN OLD.net IS NULL THEN 0 ELSE 1 END,
                        net = net - coalesce(OLD.net, 0)
                    WHERE \(hourColumn) = \(start("OLD.")) AND imported = OLD.imported
                        AND host = OLD.host AND currency = coalesce(OLD.currency, '')\(isLane);
                END IF;
                IF \(SumConditions.isEnded("OLD.")) THEN
                    UPDATE ended_sums SET sessions = sessions - 1
                    WHERE \(hourColumn) = \(start("OLD.")) AND imported = OLD.imported
                        AND (outcome, instrument, standing, marks) = (\(SumConditions.ending("OLD.")))\(isLane);
                END IF;
            END IF;
            IF TG_OP <> 'DELETE' THEN
                IF \(SumConditions.isConfirmed("NEW.")) THEN
                    \(adding(to: moneyTable, "sessions, known, net, since", form: form))
                    VALUES (\(span)\(start("NEW.")), NEW.imported, NEW.host,
                        coalesce(NEW.currency, '')\(lane), \(money("NEW.")))
                    \(merging(moneyTable, moneyMerge, form: form));
                END IF;
                IF \(SumConditions.isEnded("NEW.")) THEN
                    \(adding(to: endedTable, "sessions", form: form))
                    VALUES (\(span)\(start("NEW.")), NEW.imported, \(SumConditions.ending("NEW."))\(lane), 1)
                    \(merging(endedTable, endedMerge, form: form));
                END IF;
            END IF;
            """
        let repeated = """
            FOREACH span IN ARRAY ARRAY[1, \(SumPieces.day)]::bigint[] LOOP
            \(body)
            END LOOP;
            """
        return """
            CREATE OR REPLACE FUNCTION keep_sums() RETURNS trigger LANGUAGE plpgsql AS $body$
            \(hasLanes ? "DECLARE " + declarations : "")
            BEGIN
                \(skipped)
                \(hasLanes ? ownLane : "")
                \(form == .days ? repeated : body)
                RETURN NULL;
            END
            $body$
            """
    }

    /// Gives each lane sums of its own.
    static let lanes =
        [moneyTable, endedTable].map { table in
            """
            ALTER TABLE \(table.name) ADD COLUMN lane BIGINT NOT NULL DEFAULT 0,
                DROP CONSTRAINT \(table.name)_pkey, ADD PRIMARY KEY (\(Form.lanes.key(of: table)))
            """
        } + [
            "ALTER TABLE sums_progress ADD COLUMN lanes BIGINT NOT NULL DEFAULT 1",
            keeper(.lanes),
            keeperRights,
        ]

    /// Adds the sums of days, so that reading a year does not read each of its hours.
    ///
    /// Appends under way in any lane end first, and later ones use the new function.
    static let days =
        ["SELECT position FROM log_end ORDER BY only_row FOR UPDATE"]
        + [moneyTable, endedTable].flatMap { table in
            let sums =
                table.name == moneyTable.name
                ? ("sessions, known, net, since", "sum(sessions), sum(known), sum(net), min(since)")
                : ("sessions", "sum(sessions)")
            return [
                // By another name: a build that knows hours only fails instead of counting twice.
                "ALTER TABLE \(table.name) RENAME COLUMN hour TO first_hour",
                """
                ALTER TABLE \(table.name) ADD COLUMN hours BIGINT NOT NULL DEFAULT 1,
                    DROP CONSTRAINT \(table.name)_pkey, ADD PRIMARY KEY (\(Form.days.key(of: table)))
                """,
                """
                INSERT INTO \(table.name) (\(Form.days.key(of: table)), \(sums.0))
                    SELECT \(SumPieces.day), first_hour / \(SumPieces.day) * \(SumPieces.day), \(table.key), lane, \(sums.1)
                    FROM \(table.name) WHERE sessions <> 0 GROUP BY 2, \(table.key), lane
                """,
            ]
        } + [keeper(.days), keeperRights]

    /// Has the function run with the rights of the tables' owner, and in their schema only: who
    /// appends needs no rights on the sums, also right after the migration, and can neither direct
    /// the function to other tables nor have it run for another table.
    private static let keeperRights = """
        DO $do$ BEGIN EXECUTE format(
            'ALTER FUNCTION keep_sums() SECURITY DEFINER SET search_path = %I, pg_temp', current_schema()
        );
        EXECUTE 'REVOKE EXECUTE ON FUNCTION keep_sums() FROM PUBLIC'; END $do$
        """

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
        keeper(.hours),
        keeperRights,
        """
        CREATE TRIGGER sums_of_new AFTER INSERT ON sessions FOR EACH ROW
            WHEN (\(SumConditions.isSummed("NEW."))) EXECUTE FUNCTION keep_sums()
        """,
        """
        CREATE TRIGGER sums_of_changed AFTER UPDATE ON sessions FOR EACH ROW
            WHEN ((\(SumConditions.isSummed("OLD.")) OR \(SumConditions.isSummed("NEW.")))
                AND (\(SumConditions.columns("OLD."))) IS DISTINCT FROM (\(SumConditions.columns("NEW."))))
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
