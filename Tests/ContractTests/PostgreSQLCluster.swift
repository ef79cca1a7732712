import Foundation

/// A PostgreSQL server of the tests' own, on a Unix socket in a folder that goes away with it.
final class PostgreSQLCluster: Sendable {
    /// The folder of its data and its socket.
    let folder: String
    private let programs: String
    /// Servers refuse to run as root; then they run as the user that Debian's package makes.
    private let user: String?

    /// Makes and starts a server.
    init() throws {
        programs = try Self.findPrograms()
        user = getuid() == 0 ? "postgres" : nil
        // The socket's path has to be short.
        folder = "/tmp/pg-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        if let user { try Self.run("chown", [user, folder]) }
        try command(
            "initdb",
            ["-D", folder + "/data", "-U", "payments", "-A", "trust", "--no-instructions", "-E", "UTF8"]
        )
        try command(
            "pg_ctl",
            ["-D", folder + "/data", "-w", "-t", "60", "-l", folder + "/log"]
                + ["-o", "-k \(folder) -c listen_addresses='' -c max_connections=200", "start"]
        )
    }

    /// Where Debian puts the server's programs.
    private static func findPrograms() throws -> String {
        let root = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        guard let newest = versions.max(by: { (Int($0) ?? 0) < (Int($1) ?? 0) }) else {
            throw ClusterError(what: "there is no PostgreSQL under \(root)")
        }
        return "\(root)/\(newest)/bin"
    }

    struct ClusterError: Error {
        let what: String
    }

    /// A connection string to an empty database of that name, which is made.
    func database(_ name: String) throws -> String {
        try command("createdb", ["-h", folder, "-U", "payments", name])
        return "postgres://payments@/\(name)?host=\(folder)"
    }

    /// Stops the server and removes its folder.
    func stop() {
        try? command("pg_ctl", ["-D", folder + "/data", "-m", "immediate", "stop"])
        try? FileManager.default.removeItem(atPath: folder)
    }

    private func command(_ name: String, _ arguments: [String]) throws {
        let program = "\(programs)/\(name)"
        if let user {
            try Self.run("runuser", ["-u", user, "--", program] + arguments)
        } else {
            try Self.run(program, arguments)
        }
    }

    private static func run(_ program: String, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.currentDirectoryURL = URL(fileURLWithPath: "/")
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw ClusterError(what: "\(program) ended with \(process.terminationStatus)")
        }
    }
}
