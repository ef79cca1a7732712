import Foundation
import Glibc
import Synchronization

extension Cluster {
    /// Whether the primary was killed.
    var isDead: Bool { isKilled.withLock { $0 } }

    /// Kills the server and all its processes at once, as a power failure does.
    func kill() throws {
        let file = try String(contentsOfFile: folder + "/data/postmaster.pid", encoding: .utf8)
        guard let server = file.split(separator: "\n").first.flatMap({ pid_t($0) }) else {
            throw ClusterError(what: "the server has no process")
        }
        isKilled.withLock { $0 = true }
        // It must neither start another process nor signal the existing ones.
        Glibc.kill(server, SIGSTOP)
        let list = try String(
            contentsOfFile: "/proc/\(server)/task/\(server)/children",
            encoding: .utf8
        )
        for child in list.split(separator: " ").compactMap({ pid_t($0) }) {
            Glibc.kill(child, SIGKILL)
        }
        Glibc.kill(server, SIGKILL)
    }

    /// Makes the standby accept writes.
    func promote() throws { try sql("SELECT pg_promote()", in: "postgres") }
}

/// A primary, and the standby that confirms each of its commits.
struct Pair: Sendable {
    let primary: Cluster
    let standby: Cluster

    init() throws {
        primary = try Cluster()
        standby = try Cluster(standbyOf: primary)
        try primary.sql("ALTER SYSTEM SET synchronous_standby_names = '*'", in: "postgres")
        try primary.sql("SELECT pg_reload_conf()", in: "postgres")
        let question = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'"
        for _ in 0..<400 {
            if try primary.sql(question, in: "postgres") == "1" { return }
            usleep(25_000)
        }
        throw Cluster.ClusterError(what: "the standby does not follow")
    }

    /// A database on both servers.
    func makeDatabase() throws -> Database {
        Database(cluster: primary, name: try primary.makeDatabase().name, standby: standby)
    }

    /// Promotes the standby; the primary is not informed.
    func promote() async throws {
        try await Task.detached { try standby.promote() }.value
    }

    /// Kills the primary, and promotes the standby after a while, off the caller's executor.
    func failOver(after pause: Duration = .milliseconds(300)) async throws {
        try await Task.detached {
            try primary.kill()
            try await Task.sleep(for: pause)
            try standby.promote()
        }.value
    }
}
