import EventLog
import Foundation
import SwedbankPay
import Testing

@testable import Adapters
@testable import EventStores

extension PostgreSQLTests {
    /// How connections are made, what they ensure, and how they are replaced.
    @Suite(.serialized, .fewAtATime) struct ConnectionTests {
        /// The system gives a silent host up after two minutes; a shorter time-out ends before
        /// that, however busy the machine is.
        private static let patience = Duration.seconds(100)

        @Test func `connecting to a silent host ends before the system's own timeout`() async throws
        {
            try await OnServer.run { place in
                let silent = try SilentPort()
                let start = ContinuousClock.now
                let failure = await place.failure(
                    "postgres://payments@127.0.0.1:\(silent.port)/base",
                    PostgreSQLOptions(connectTimeout: .milliseconds(300))
                )
                #expect(failure?.code == "store.unavailable")
                #expect(ContinuousClock.now - start < Self.patience)
            }
        }

        @Test func `connect_timeout in the URL applies to each host`() async throws {
            try await OnServer.run { place in
                let silent = try SilentPort()
                let start = ContinuousClock.now
                let failure = await place.failure(
                    "postgres://payments@127.0.0.1:\(silent.port)/base?connect_timeout=2",
                    PostgreSQLOptions(connectTimeout: .seconds(600))
                )
                #expect(failure?.code == "store.unavailable")
                #expect(ContinuousClock.now - start < Self.patience)
                let (cluster, name) = (place.database.cluster, place.database.name)
                // The second host gets its full time, however long the first one was silent.
                let url =
                    "postgres://payments@127.0.0.1:\(silent.port),127.0.0.1:\(cluster.port)/\(name)"
                let options = PostgreSQLOptions(connectTimeout: .milliseconds(1))
                #expect(await place.failure(url + "?connect_timeout=2", options) == nil)
                #expect(
                    await place.failure(place.database.tcpURL() + "?connect_timeout=2147483647")
                        == nil
                )
                #expect(await place.failure(url, options)?.code == "store.unavailable")
            }
        }

        @Test func `of several hosts, the first one that accepts a connection is used`()
            async throws
        {
            try await OnServer.run { place in
                let (cluster, name) = (place.database.cluster, place.database.name)
                let url = "postgres://payments@127.0.0.1:1,127.0.0.1:\(cluster.port)/\(name)"
                #expect(await place.failure(url) == nil)
            }
        }

        @Test func `appends use synchronous_commit even where the database turns it off`()
            async throws
        {
            try await OnServer.run { place in
                await (try place.store()).close()
                let base = place.database.name
                try place.database.sql("ALTER DATABASE \(base) SET synchronous_commit = off")
                // An append with an error names the constraint.
                try place.database.sql(
                    """
                    CREATE TABLE bounds (name TEXT, setting TEXT);
                    CREATE FUNCTION told() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                        INSERT INTO bounds SELECT name, setting FROM pg_settings WHERE name IN (
                            'synchronous_commit', 'statement_timeout',
                            'idle_in_transaction_session_timeout');
                        RETURN NEW;
                    END $$;
                    CREATE TRIGGER told BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION told();
                    """
                )
                let store = try await place.store(PostgreSQLOptions(statementTimeout: .seconds(7)))
                let session = SessionID(at: Instant(microseconds: 3), random: (3, 4))
                try await store.append(SampleAppend.of(session, at: 1))
                await store.close()
                #expect(
                    try place.database.sql("SELECT name, setting FROM bounds ORDER BY name") == """
                        idle_in_transaction_session_timeout|7000
                        statement_timeout|7000
                        synchronous_commit|on
                        """
                )
            }
        }

        @Test func `a silent connection is probed after a minute, or as the URL says`() throws {
            func idle(_ url: String) throws -> String? {
                let target = try PQTarget(url)
                let host = try #require(target.hosts.first)
                return target.settings(of: host, at: nil, options: PostgreSQLOptions())
                    .first { $0.keyword == "keepalives_idle" }?.value
            }
            #expect(try idle("postgres://payments@127.0.0.1/base") == "60")
            #expect(try idle("postgres://payments@127.0.0.1/base?keepalives_idle=7") == "7")
        }

        @Test func `time limits above the server's longest, 24 days, are not refused`()
            async throws
        {
            try await OnServer.run { place in
                let days = Duration.seconds(60 * 24 * 3600)
                let store = try await place.store(
                    PostgreSQLOptions(statementTimeout: days, maintenanceTimeout: days)
                )
                let session = SessionID(at: Instant(microseconds: 5), random: (5, 6))
                try await store.append(SampleAppend.of(session, at: 1))
                #expect(try await store.structuralFaults() == [])
                await store.close()
            }
        }

        @Test func `a terminated connection is replaced, and no append is lost`() async throws {
            try await OnServer.run { place in
                let store = try await place.store()
                let session = SessionID(at: Instant(microseconds: 1), random: (1, 2))
                try await store.append(SampleAppend.of(session, at: 1))
                try place.database.sql(
                    """
                    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE datname = '\(place.database.name)' AND pid <> pg_backend_pid()
                    """
                )
                var tries = 0
                while try await store.head(of: session)?.sequence != 2 {
                    tries += 1
                    try #require(tries < 100)
                    do throws(EventStoreError) {
                        try await store.append(SampleAppend.of(session, at: 2))
                    } catch {
                        guard case .unavailable = error else { throw error }
                    }
                }
                await store.close()
            }
        }
    }
}

/// A port that accepts connections and never sends anything.
final class SilentPort {
    let port: UInt16
    private let descriptor: Int32

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 && listen(descriptor, 8) == 0
                    ? getsockname(descriptor, address, &length) : -1
            }
        }
        try #require(status == 0)
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(descriptor) }
}
