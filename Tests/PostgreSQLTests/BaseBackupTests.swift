import Foundation
internal import TestSupport
import Testing

@testable import Sandbox

extension PostgreSQLTests {
    /// The page on backups of PostgreSQL, tried with the server's own tools; the PSP's ledger is
    /// the oracle.
    @Suite(.serialized, .fewAtATime) struct BaseBackupTests {
        /// A server that archives its write-ahead log, and its archive.
        private struct Archived: Sendable {
            let cluster: Cluster
            var archive: String { cluster.folder + "/archive" }
            var base: String { cluster.folder + "/base" }
            var data: String { cluster.folder + "/data" }

            init() throws {
                // Its folder has no name before it exists: commands run in its data directory.
                cluster = try Cluster([
                    "archive_mode=on", "wal_level=replica",
                    "archive_command=test ! -f ../archive/%f && cp %p ../archive/%f",
                ]) { folder in
                    try FileManager.default.createDirectory(
                        atPath: folder + "/archive",
                        withIntermediateDirectories: true
                    )
                }
            }

            private func asServer(_ command: String) throws {
                try Cluster.run(Cluster.asUser + ["sh", "-c", command])
            }

            /// Takes the nightly backup, while payments go on.
            func takeBaseBackup() throws {
                try asServer(
                    "\(cluster.programs)/pg_basebackup -D \(base) -h \(cluster.folder) -p \(cluster.port) "
                        + "-U \(Cluster.owner) -X none -c fast --no-sync"
                )
            }

            /// Names a restore point, and waits until the write-ahead log is archived up to it.
            func name(_ point: String) throws {
                try cluster.sql("SELECT pg_create_restore_point('\(point)')", in: "postgres")
                try archiveAll()
            }

            /// Waits until all of the write-ahead log is archived.
            func archiveAll() throws {
                let file = try cluster.sql(
                    "SELECT pg_walfile_name(pg_switch_wal())",
                    in: "postgres"
                )
                for _ in 0..<1200 {
                    if FileManager.default.fileExists(atPath: archive + "/" + file) { return }
                    usleep(50_000)
                }
                throw Cluster.ClusterError(what: "\(file) is not archived")
            }

            /// Replaces the data by the base backup, and starts the server as of a point in time.
            func restore(to target: String) throws {
                try asServer(
                    """
                    rm -rf \(data) && cp -a \(base) \(data) && touch \(data)/recovery.signal
                    printf "%s\\n" "restore_command = 'cp \(archive)/%f %p'" \(target) \
                        "recovery_target_action = 'promote'" "archive_mode = off" >>\(data)/postgresql.auto.conf
                    """
                )
                // Files of this process that the server kept open would be waited for as long as it
                // runs.
                let start = Process()
                start.executableURL = URL(fileURLWithPath: "/usr/bin/env")
                start.arguments =
                    Cluster.asUser + [
                        "bash", "-c",
                        """
                        for fd in $(ls /proc/self/fd); do (( fd < 3 )) || eval "exec $fd>&-"; done
                        exec \(cluster.programs)/pg_ctl -D \(data) -w -t 300 -l \(cluster.folder)/restored.log \
                            -o "-k \(cluster.folder) -p \(cluster.port) -c listen_addresses=127.0.0.1 -c fsync=off" start
                        """,
                    ]
                start.currentDirectoryURL = URL(fileURLWithPath: "/")
                start.standardInput = FileHandle.nullDevice
                start.standardOutput = FileHandle.nullDevice
                start.standardError = FileHandle.nullDevice
                try start.run()
                start.waitUntilExit()
                guard start.terminationStatus == 0 else {
                    throw Cluster.ClusterError(what: "the server was not restored")
                }
            }

            /// Stops what ``restore(to:)`` has started.
            func stop() {
                try? asServer("\(cluster.programs)/pg_ctl -D \(data) -m immediate stop")
            }
        }

        /// Completes orders after a restore, as payers would, and compares them with the ledger.
        private func expectOnePaymentEach(
            _ program: Program,
            _ sessions: [String],
            _ orders: [CreatedOrder]
        ) async throws {
            let early = try await program.run("attempt", sessions[0], "swish")
            #expect(early.status == 1, "\(early.output)\(early.diagnostics)")
            #expect(early.diagnostics.contains("[store.not-adopted]"), "\(early.diagnostics)")
            #expect(try await program.run("verify").status == 0)
            let adopted = try await program.run("store", "adopt", "--reason", "restored")
            #expect(adopted.status == 0, "\(adopted.diagnostics)")
            let resumed = try await program.run("--wait", "60s", "resume")
            #expect(resumed.status == 0, "\(resumed.diagnostics)")
            for order in orders {
                // Sessions that the restored log does not contain are opened again.
                let opened = try await program.run("--json", "open", order.sessionURL)
                let session = try opened.member("session")
                let now = try await program.run("--json", "--until", "ended", "resume", session)
                guard (try? now.member("outcome")) != "completed" else { continue }
                let paid = try await program.run(
                    "--json",
                    "--until",
                    "ended",
                    "attempt",
                    session,
                    "swish",
                    "--msisdn",
                    "+46739000001"
                )
                #expect(
                    try paid.member("outcome") == "completed",
                    "\(paid.output)\(paid.diagnostics)"
                )
            }
            for order in await program.sandbox.ledger.orders {
                #expect(order.doubles.isEmpty, "\(order.order): \(order.doubles)")
                #expect(order.attempts.filter { $0.state == .paid }.count == 1, "\(order)")
                #expect(order.status == "Paid")
            }
            let verified = try await program.run("verify")
            #expect(verified.status == 0, "\(verified.output)\(verified.diagnostics)")
        }

        /// Pays an order whose payer does not return.
        private func pay(_ program: Program, _ session: String) async throws {
            let paid = try await program.run(
                "--json",
                "--until",
                "ended",
                "attempt",
                session,
                "swish",
                "--msisdn",
                "+46739000001"
            )
            #expect(try paid.member("outcome") == "completed", "\(paid.output)\(paid.diagnostics)")
        }

        private static let targets =
            Tier.isThorough
            ? ["everything that was archived", "a point in time"] : ["a point in time"]

        @Test(.feature("S-21"), .tags(.repeatedThoroughly), arguments: targets)
        func `after a dead server is restored from base backup and WAL, each order is paid once`(
            to target: String
        ) async throws {
            let server = try Archived()
            let database = try server.cluster.makeDatabase()
            try await Program.with(on: database) { program in
                var (sessions, orders) = ([String](), [CreatedOrder]())
                for _ in 0..<4 {
                    let created = try await program.sandbox.createOrder(SandboxOrder())
                    let opened = try await program.run("--json", "open", created.sessionURL)
                    sessions.append(try opened.member("session"))
                    orders.append(created)
                }
                // The backup is taken during a payment.
                let paidMeanwhile = sessions[0]
                async let first: Void = pay(program, paidMeanwhile)
                try server.takeBaseBackup()
                try await first
                try await pay(program, sessions[1])
                if target == "a point in time" { try server.name("evening") }
                try await pay(program, sessions[2])
                if target != "a point in time" { try server.archiveAll() }
                // What follows is in no archive: the server dies while a request is in progress.
                let underWay = try program.start(
                    ["attempt", sessions[3], "swish", "--msisdn", "+46739000001"],
                    store: database.url()
                )
                for _ in 0..<400 {
                    let ledger = await program.sandbox.orderLedger(orders[3].id)
                    if ledger?.attempts.isEmpty == false { break }
                    try await Task.sleep(for: .milliseconds(25))
                }
                try server.cluster.kill()
                underWay.kill(SIGTERM)
                _ = await underWay.ending()
                try server.restore(
                    to: target == "a point in time" ? "\"recovery_target_name = 'evening'\"" : ""
                )
                defer { server.stop() }
                try await database.wait(until: "NOT pg_is_in_recovery()")
                let known = try database.sql(
                    "SELECT count(*) FROM sessions WHERE outcome IS NOT NULL"
                )
                #expect(known == (target == "a point in time" ? "2" : "3"))
                try await expectOnePaymentEach(program, sessions, orders)
            }
        }

        /// With `UPGRADE_FROM`, the folder with the programs of an earlier build, the nodes are of
        /// that build at first, and it created the store (`make try-upgrade`).
        @Test(.feature("S-24"), .tags(.repeatedThoroughly))
        func `two nodes are replaced one after the other under load, and each order is paid once`()
            async throws
        {
            let earlier = Program.earlier
            let payments = Tier.isThorough || earlier != nil ? 24 : 10
            try await Nodes.with(payments: payments, initializedBy: earlier) { nodes in
                var hosts = try (0..<2).map { try nodes.start($0, from: earlier) }
                let database = nodes.program.place.database
                let schema = "SELECT version FROM payment_workflow_schema"
                print("schema \(try database.sql(schema)) at first")
                for place in 0..<2 {
                    // In the middle of their work.
                    try await database.wait(
                        until:
                            "(SELECT count(*) FROM sessions WHERE outcome IS NOT NULL) > \(place * 4)"
                    )
                    #expect(try await nodes.program.run("store", "migrate").status == 0)
                    hosts[place].kill(SIGTERM)
                    _ = await hosts[place].ending()
                    hosts[place] = try nodes.start(place)
                }
                print("schema \(try database.sql(schema)) after the upgrade")
                try await nodes.expectEnd(of: hosts)
                try await nodes.expectOnePaymentEach()
            }
        }
    }
}
