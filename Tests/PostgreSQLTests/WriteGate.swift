import Foundation
import TestSupport
import Testing

/// Holds a program just before it writes a certain row to a database, where it may be killed.
///
/// Triggers count the rows that connections with the name of the gate write. The transaction of the
/// row at which the gate is closed does not continue until the gate is open.
struct WriteGate: Sendable {
    /// A row that is written.
    struct Place: Sendable, CustomStringConvertible {
        /// The operation and the table, such as `UPDATE sessions`.
        var write: String
        /// Its number among such writes of one run, from 1.
        var number: Int

        init(_ write: String, _ number: Int) { (self.write, self.number) = (write, number) }

        var description: String { "\(write) \(number)" }
    }

    /// The name of the counted connections in the server's list.
    private static let name = "gated"
    /// The connections of a program that runs against the gate.
    private static let ours = "datname = current_database() AND application_name = '\(name)'"

    private let program: Program
    private var database: Database { program.place.database }

    /// Installs a gate on tables of a program's database.
    init(for program: Program, on tables: [String]) throws {
        self.program = program
        let triggers = tables.map { table in
            """
            CREATE TRIGGER gate BEFORE INSERT OR UPDATE OR DELETE ON \(table) FOR EACH ROW
                WHEN (current_setting('application_name') = '\(Self.name)')
                EXECUTE FUNCTION gate.pass();
            """
        }
        try database.sql(
            """
            CREATE SCHEMA gate;
            CREATE TABLE gate.place (write TEXT NOT NULL, number BIGINT NOT NULL);
            CREATE SEQUENCE gate.writes;
            CREATE FUNCTION gate.pass() RETURNS trigger LANGUAGE plpgsql AS $body$
            BEGIN
                IF TG_OP || ' ' || TG_TABLE_NAME = (SELECT write FROM gate.place) THEN
                    IF nextval('gate.writes') >= (SELECT number FROM gate.place) THEN
                        WHILE EXISTS (SELECT 1 FROM gate.place) LOOP
                            PERFORM pg_sleep(0.1);
                        END LOOP;
                    END IF;
                END IF;
                IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
                RETURN NEW;
            END
            $body$;
            \(triggers.joined(separator: "\n"))
            """
        )
    }

    /// The address of the database for programs whose rows are counted.
    var url: String { database.url(as: Cluster.owner, "&application_name=\(Self.name)") }

    /// Closes the gate before a row.
    func close(before place: Place) throws {
        try database.sql(
            """
            DELETE FROM gate.place;
            INSERT INTO gate.place VALUES ('\(place.write)', \(place.number));
            ALTER SEQUENCE gate.writes RESTART
            """
        )
    }

    /// Opens the gate, so that a transaction before it continues.
    func open() throws { try database.sql("DELETE FROM gate.place") }

    /// Waits until a transaction is before the closed gate, for at most one minute.
    func waitUntilReached() async throws {
        try await database.wait(
            until: """
                EXISTS (SELECT 1 FROM pg_stat_activity
                WHERE \(Self.ours) AND wait_event = 'PgSleep')
                """
        )
    }

    /// Runs a command until it is about to write a row, and kills it there.
    ///
    /// When this returns, the server has rolled back what the command had not committed.
    func run(_ arguments: [String], killedBefore place: Place) async throws {
        try close(before: place)
        let process = try program.start(arguments, store: url)
        defer { process.kill() }
        try await waitUntilReached()
        process.kill()
        #expect(await process.ending().wasKilled, "\(place)")
        try database.sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE \(Self.ours)"
        )
        try await database.wait(
            until: "NOT EXISTS (SELECT 1 FROM pg_stat_activity WHERE \(Self.ours))"
        )
    }
}
