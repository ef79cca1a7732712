internal import Foundation
internal import Glibc

/// A PostgreSQL server for a measurement, in folders that are removed with it.
///
/// Its settings are those of the server's package, so commits are synced to the disk; it listens
/// only on a socket.
package final class PostgreSQLCluster {
    private let process: ChildProcess
    private let programs: String
    private let socket: String

    /// The superuser.
    private static let owner = "payments"

    /// Creates and starts a server.
    ///
    /// - Parameter directory: The data directory, on the disk that is measured.
    /// - Throws: An error when the server cannot be started.
    package init(in directory: String) throws {
        programs = try Self.findPrograms()
        // The path of a socket has to be short, whatever the directory's is.
        socket = "/tmp/pgb-\(UUID().uuidString.prefix(8).lowercased())"
        let data = directory + "/server"
        // Servers refuse to run as root; then they run as the user of Debian's package.
        let isRoot = getuid() == 0
        let asUser =
            isRoot
            ? ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--clear-groups", "--"] : []
        for folder in [socket, data] {
            try WorkingDirectory.make(folder)
            if isRoot { try Self.run(["chown", "postgres", folder]) }
        }
        try Self.run(
            asUser + [
                programs + "/initdb", "-D", data, "-U", Self.owner, "-A", "trust",
                "--no-instructions", "-E", "UTF8", "--locale=C.UTF-8",
            ]
        )
        // A shell is in between: it stops the server when its input ends, which happens however
        // this program ends.
        process = try ChildProcess(
            "/bin/sh",
            [
                "-c",
                """
                trap : TERM
                folder=$1; shift
                "$@" >"$folder/log" 2>&1 </dev/null & server=$!
                cat >/dev/null
                kill -QUIT $server
                while kill -0 $server 2>/dev/null; do wait $server; done
                rm -rf "$folder"
                """, "sh", socket,
            ] + asUser + [
                programs + "/postgres", "-D", data, "-k", socket, "-c", "listen_addresses=",
                "-c", "max_connections=100",
            ]
        )
        let deadline = Machine.seconds() + 60
        while (try? Self.run([programs + "/pg_isready", "-h", socket])) == nil {
            guard Machine.seconds() < deadline else {
                process.stop()
                throw ChildProcess.Failure(description: "the server did not start")
            }
            usleep(50_000)
        }
    }

    /// Creates an empty database, and returns its connection string.
    package func makeDatabase() throws -> String {
        let name = "b\(UUID().uuidString.lowercased().filter { $0 != "-" })"
        try Self.run([
            programs + "/psql", "-h", socket, "-U", Self.owner, "-d", "postgres", "-X", "-q", "-c",
            "CREATE DATABASE \(name)",
        ])
        return "postgres://\(Self.owner)@/\(name)?host=\(socket)"
    }

    /// Stops the server.
    package func stop() { process.stop() }

    private static func findPrograms() throws -> String {
        let root = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        guard let newest = versions.max(by: { (Int($0) ?? 0) < (Int($1) ?? 0) }) else {
            throw ChildProcess.Failure(
                description: "PostgreSQL is missing: apt-get install postgresql"
            )
        }
        return "\(root)/\(newest)/bin"
    }

    private static func run(_ command: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        process.currentDirectoryURL = URL(fileURLWithPath: "/")
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw ChildProcess.Failure(
                description: "\(command.last ?? "") failed: \(process.terminationStatus)"
            )
        }
    }
}
