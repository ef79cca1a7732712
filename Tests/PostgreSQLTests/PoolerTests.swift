import Adapters
import EventLog
import Foundation
import SwedbankPay
import Testing

extension PostgreSQLTests {
    /// A pooler between the store and the server: PgBouncer.
    @Suite(.serialized, .fewAtATime) struct PoolerTests {
        private let session = SessionID(at: Instant(microseconds: 4), random: (2, 9))

        @Test func `a pooler in session mode is supported`() async throws {
            try await OnServer.run { place in
                let pooler = try Pooler(to: place.database, mode: "session")
                let store = try await PostgreSQLEventStore(url: pooler.url, loop: place.loop)
                #expect(try await store.acquireLease(on: session))
                for sequence in 1...20 {
                    try await store.append(
                        SampleAppend.of(session, at: SequenceNumber(sequence), isUnderLease: true)
                    )
                }
                #expect(try await store.read(session, from: 1, limit: 99).count == 20)
                await store.close()
                withExtendedLifetime(pooler) {}
            }
        }

        @Test func `a pooler in transaction mode is refused, and the error names session mode`()
            async throws
        {
            try await OnServer.run { place in
                await (try place.store()).close()
                let pooler = try Pooler(to: place.database, mode: "transaction")
                // The first client prepares a statement, and the next one gets the same connection.
                let first = try? await PostgreSQLEventStore(url: pooler.url, loop: place.loop)
                let failure = await place.failure(pooler.url)
                #expect(failure?.code == "store.unavailable")
                #expect(failure?.description.contains("session mode") == true)
                await first?.close()
                withExtendedLifetime(pooler) {}
            }
        }
    }
}

/// PgBouncer in front of a database, in a folder that is removed with it when the tests end.
private final class Pooler: Sendable {
    let url: String
    private let keeper: Keeper

    /// The shell that ends it, and the end of the pipe that keeps it running.
    private final class Keeper: @unchecked Sendable {
        // Unchecked: they are used only at the start and the end.
        let process = Process()
        let input = Pipe()
    }

    init(to database: Database, mode: String) throws {
        let folder = "/tmp/pooler-\(UUID().uuidString.prefix(8).lowercased())"
        let port = try Cluster.freePort()
        url = "postgres://\(Cluster.owner)@127.0.0.1:\(port)/\(database.name)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try """
        [databases]
        * = host=127.0.0.1 port=\(database.cluster.port) user=\(Cluster.owner)
        [pgbouncer]
        listen_addr = 127.0.0.1
        listen_port = \(port)
        unix_socket_dir =
        auth_type = any
        pool_mode = \(mode)
        logfile = \(folder)/log
        """.write(toFile: folder + "/pooler.ini", atomically: false, encoding: .utf8)
        try Cluster.give(folder)
        keeper = Keeper()
        keeper.process.executableURL = URL(fileURLWithPath: "/bin/sh")
        keeper.process.arguments =
            [
                "-c",
                """
                folder=$1; shift
                "$@" </dev/null & pooler=$!
                cat >/dev/null
                kill -KILL $pooler; wait $pooler
                rm -rf "$folder"
                """, "sh", folder,
            ] + Cluster.asUser + ["/usr/sbin/pgbouncer", "-q", folder + "/pooler.ini"]
        keeper.process.currentDirectoryURL = URL(fileURLWithPath: "/")
        keeper.process.standardInput = keeper.input
        keeper.process.standardOutput = FileHandle.nullDevice
        keeper.process.standardError = FileHandle.nullDevice
        try keeper.process.run()
        let deadline = ContinuousClock.now + .seconds(20)
        while (try? Cluster.run(["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/\(port)"])) == nil {
            guard ContinuousClock.now < deadline else {
                throw Cluster.ClusterError(
                    what: "PgBouncer did not start: run scripts/install-packages --tests"
                )
            }
            usleep(20_000)
        }
    }
}
