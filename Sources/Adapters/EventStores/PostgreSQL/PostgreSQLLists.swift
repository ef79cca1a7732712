internal import EventLog

/// The rows of sessions once more, for lists and sums, so that these read no logs.
///
/// An append writes its session's row once, without the indexes and sums of lists. The copy follows
/// with a progress of its own in each lane, written in the same transaction: whatever ends in
/// between, it is as of a log position, and the next one continues there. A session that was
/// appended to many times meanwhile is copied once. Sums change with the copies, in the same
/// transaction. One transaction at a time copies rows or
/// changes sums: whoever does so locks the progress first.
struct PostgreSQLLists: Sendable {
    /// The table of the rows with its indexes, and the progress: one row for each row of `log_end`.
    var tables: [String] {
        [
            columns.listedTable,
            """
            CREATE TABLE listed_progress (
                only_row BIGINT PRIMARY KEY, position BIGINT NOT NULL, reached BIGINT NOT NULL)
            """,
            "INSERT INTO listed_progress SELECT only_row, position, position FROM log_end",
            sums.table,
        ] + columns.indexes
    }

    /// The statements on the sums over sessions.
    let sums: SumStatements
    /// One session's row.
    let row: PQStatement
    private let names: [String]
    private let written: String

    init(_ model: ReadModel) {
        sums = SumStatements(model: model, dialect: .postgreSQL)
        names = sums.columns.listed
        written = sums.columns.written().joined(separator: ", ")
        row = PQStatement(
            "session_row",
            "SELECT \(sums.columns.readWritten) FROM sessions WHERE id = $1::text::uuid",
            .text
        )
    }

    /// The ended sessions that still have their data key, and when they ended.
    var ended: PQStatement {
        PQStatement(
            "keys_ended",
            """
            SELECT s.id::text, s.outcome, coalesce(
                (SELECT min(at) FROM events e WHERE e.session = s.id AND \(sums.endsSession)),
                s.last_at)
            FROM sessions s JOIN session_keys k ON k.session = s.id
            WHERE s.opened_at < $1 AND ($2 IS NULL OR s.id > $2::text::uuid) AND s.outcome IS NOT NULL
            ORDER BY s.id LIMIT $3
            """,
            .integer,
            .text,
            .integer
        ).plannedEachTime
    }

    /// The columns of sessions' rows.
    var columns: SessionColumns { sums.columns }

    private func row(_ table: String) -> String {
        names.map { "\(table).\($0)" }.joined(separator: ", ")
    }

    /// Copies the rows that a condition selects.
    private func copying(_ condition: String) -> String {
        """
        INSERT INTO listed_sessions AS l (\(names.joined(separator: ", ")))
        SELECT \(written) FROM sessions WHERE \(condition) ORDER BY id
        ON CONFLICT (id) DO UPDATE
            SET \(names.dropFirst().map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
            WHERE (\(row("l"))) IS DISTINCT FROM (\(row("excluded")))
        """
    }

    /// The sessions whose rows are still to be copied.
    private static let waiting = """
        SELECT e.session FROM listed_progress p JOIN events e ON e.position > p.position
            AND e.position <= \(PostgreSQLLanes.lastInLane(of: "p.position"))
        """

    /// The rows for lists: the copies, and as long as some of these are old, the rows themselves in
    /// their place.
    func table(behindBy records: Int64) -> String {
        guard records > 0 else { return "listed_sessions" }
        return """
            (SELECT \(names.joined(separator: ", ")) FROM listed_sessions WHERE id NOT IN (\(Self.waiting))
                UNION ALL SELECT \(written) FROM sessions WHERE id IN (\(Self.waiting)))
            """
    }

    /// Excludes everybody else who copies rows or changes sums, until the commit.
    static let hold = PQStatement(
        "lists_hold",
        "SELECT position FROM listed_progress ORDER BY only_row FOR UPDATE"
    )

    /// The number of records whose sessions have not been copied since.
    static let lag = PQStatement(
        "lists_lag",
        """
        SELECT coalesce(sum(greatest(e.position - p.position, 0)), 0)::bigint
        FROM log_end e JOIN listed_progress p ON p.only_row = e.only_row
        """
    )

    /// The time of the first record whose session has not been copied since, of all lanes.
    static let firstUnfollowed = PQStatement(
        "lists_first_unfollowed",
        """
        SELECT min(e.at) FROM listed_progress p CROSS JOIN LATERAL (
            SELECT at FROM events WHERE position > p.position
                AND position <= \(PostgreSQLLanes.lastInLane(of: "p.position"))
            ORDER BY position LIMIT 1) AS e
        """
    )

    /// Copies the rows of the sessions that have some of the next records of each lane: the result
    /// before the last one has the numbers of records that are left in each.
    func following(_ records: Int64) -> [PQCommand] {
        [PQCommand(Self.hold), PQCommand(Self.reach, .integer(records))]
            + counted("id = ANY(ARRAY(\(Self.changed)))", [])
            + [PQCommand(Self.advance)]
    }

    /// The place of the result of ``following(_:)`` with the numbers of records that are left.
    static let left = 1

    /// Decides how far a transaction follows each lane.
    private static let reach = PQStatement(
        "lists_reach",
        """
        UPDATE listed_progress p
        SET reached = greatest(p.position, least(e.position, p.position + $1))
        FROM log_end e WHERE e.only_row = p.only_row
        RETURNING greatest(e.position - p.reached, 0)
        """,
        .integer
    )
    private static let advance = PQStatement(
        "lists_advance",
        "UPDATE listed_progress SET position = reached WHERE position < reached"
    )

    /// The sessions that have some of the records that a transaction follows.
    private static let changed = """
        SELECT e.session FROM listed_progress p JOIN events e
            ON e.position > p.position AND e.position <= p.reached
        """

    /// Copies the rows that a condition selects, and changes the sums by what they contribute.
    private func counted(
        _ condition: String,
        _ values: [(PQValue.TypeID, PQValue)],
        removing strays: [PQCommand] = []
    ) -> [PQCommand] {
        [PQCommand(kind: "sums_subtract", sums.subtracting(condition), values)] + strays + [
            PQCommand(kind: "lists_copy", copying(condition), values),
            PQCommand(kind: "sums_add", sums.adding(condition), values),
        ]
    }

    /// Copies the rows of sessions.
    func copying(_ identities: PQValue) -> [PQCommand] {
        counted("id = ANY ($1)", [(.identities, identities)])
    }

    /// The last session of the next batch.
    static let batchEnd = PQStatement(
        "lists_batch_end",
        """
        SELECT max(id::text) FROM (SELECT id FROM sessions
            WHERE $1 IS NULL OR id > $1::text::uuid ORDER BY id LIMIT $2) AS page
        """,
        .text,
        .integer
    ).ofWholeTables

    /// Copies the rows of the sessions after one, up to and with another, and removes the copies
    /// between them that are of no session.
    func repairing(after place: String?, to end: String?) -> [PQCommand] {
        let isWithin = """
            ($1::text IS NULL OR id > $1::text::uuid) AND ($2::text IS NULL OR id <= $2::text::uuid)
            """
        let values: [(PQValue.TypeID, PQValue)] = [
            (.text, .optional(place)), (.text, .optional(end)),
        ]
        let strays = PQCommand(
            kind: "lists_remove",
            """
            DELETE FROM listed_sessions l WHERE \(isWithin)
                AND NOT EXISTS (SELECT 1 FROM sessions s WHERE s.id = l.id)
            """,
            values
        )
        let commands = counted(isWithin, values, removing: [strays]).map { command in
            var command = command
            command.statement = command.statement.ofWholeTables
            return command
        }
        return [PQCommand(Self.hold)] + commands
    }

    /// The sessions whose copy is not their row, or missing, apart from those that are still to be
    /// copied; without a number, copies that are of no session.
    var different: PQStatement {
        PQStatement(
            "lists_different",
            """
            SELECT s.id::text, s.last_seq FROM sessions s LEFT JOIN listed_sessions l ON l.id = s.id
            WHERE (\(columns.written(of: "s").joined(separator: ", "))) IS DISTINCT FROM (\(row("l")))
                AND ($2 IS NULL OR s.id = $2::text::uuid)
                AND s.id NOT IN (\(Self.waiting))
            UNION ALL
            SELECT l.id::text, NULL FROM listed_sessions l
            WHERE NOT EXISTS (SELECT 1 FROM sessions s WHERE s.id = l.id)
                AND ($2 IS NULL OR l.id = $2::text::uuid)
            LIMIT $1
            """,
            .integer,
            .text
        ).ofWholeTables.plannedEachTime
    }
}
