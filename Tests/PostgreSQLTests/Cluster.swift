import Foundation
import Glibc
import Synchronization
import Testing

/// A PostgreSQL server of the tests, in a folder that is removed with it.
///
/// A shell is between the tests and the server: it stops and starts the server when its standard
/// input says so. When the input ends, which happens when the tests end, however they end, it stops
/// the server and removes the folder.
final class Cluster: Sendable {
    /// The directory of the data and the socket.
    let folder: String
    /// The port on the loopback interface, and in the name of the socket.
    let port: UInt16
    let programs: String
    private let keeper: Keeper
    /// Whether the server was killed.
    let isKilled = Mutex(false)

    /// The shell, and the end of the pipe that keeps it running.
    private final class Keeper: @unchecked Sendable {
        // Unchecked: they are used only by the test that starts, stops and ends the server.
        let process = Process()
        let input = Pipe()

        func say(_ word: String) {
            input.fileHandleForWriting.write(Data((word + "\n").utf8))
        }
    }

    /// The server that all tests of this process share; `locked` is a role with a password.
    static let shared = Result {
        let cluster = try Cluster()
        try cluster.sql("CREATE ROLE locked LOGIN PASSWORD 'open-sesame'", in: "postgres")
        return cluster
    }

    /// The superuser.
    static let owner = "payments"

    /// Creates and starts a server.
    ///
    /// What the server writes does not wait for the disk: that would matter only if the machine
    /// lost its power, while a server that is killed leaves what it wrote to the system. A test
    /// that looks at the disk says `fsync=on`.
    ///
    /// - Parameters:
    ///   - settings: Additional settings, each as `name=value`.
    ///   - primary: The server of which it is a standby.
    ///   - furnish: Creates files in its folder before it starts, which then belong to it.
    /// - Throws: An error when the server cannot be started.
    init(
        _ settings: [String] = [],
        standbyOf primary: Cluster? = nil,
        furnish: (_ folder: String) throws -> Void = { _ in }
    ) throws {
        programs = try Self.findPrograms()
        port = try Self.freePort()
        // The socket's path has to be short.
        folder = "/tmp/pg-\(UUID().uuidString.prefix(8).lowercased())"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try furnish(folder)
        try Self.give(folder)
        let asUser = Self.asUser
        if let primary {
            try Self.run(
                asUser + [
                    programs + "/pg_basebackup", "-D", folder + "/data", "-h", primary.folder, "-p",
                    "\(primary.port)", "-U", Self.owner, "-R", "-X", "stream", "-c", "fast",
                    "--no-sync",
                ]
            )
        } else {
            try Self.run(
                asUser + [
                    programs + "/initdb", "-D", folder + "/data", "-U", Self.owner, "-A", "trust",
                    "--no-instructions", "--no-sync", "-E", "UTF8", "--locale=C.UTF-8",
                ]
            )
            try Self.access.write(
                toFile: folder + "/data/pg_hba.conf",
                atomically: false,
                encoding: .utf8
            )
        }
        keeper = Keeper()
        keeper.process.executableURL = URL(fileURLWithPath: "/bin/sh")
        keeper.process.arguments =
            [
                "-c",
                """
                folder=$1; shift
                start() { "$@" >>"$folder/log" 2>&1 </dev/null & server=$!; }
                stop() {
                    test -z "$server" || kill -QUIT $server
                    # 'wait' needs a signal that may be blocked here; 'sleep' reaps the server, too.
                    while kill -0 $server; do sleep 0.05; done
                    server=
                }
                start "$@"
                # While it waits for another process, the shell reaps a server that was killed.
                while true; do
                    sh -c 'read -r word || exit 2; test "$word" = start'
                    case $? in 0) start "$@" ;; 1) stop ;; *) break ;; esac
                done
                stop
                rm -rf "$folder"
                """, "sh", folder,
            ] + asUser + [
                programs + "/postgres", "-D", folder + "/data", "-k", folder, "-p", "\(port)",
                "-c", "listen_addresses=127.0.0.1", "-c", "max_connections=100",
                "-c", "fsync=off", "-c", "synchronous_commit=on",
            ] + settings.flatMap { ["-c", $0] }
        keeper.process.currentDirectoryURL = URL(fileURLWithPath: "/")
        keeper.process.standardInput = keeper.input
        keeper.process.standardOutput = FileHandle.nullDevice
        keeper.process.standardError = FileHandle.nullDevice
        try keeper.process.run()
        try waitUntilReady()
    }

    private func waitUntilReady() throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while (try? Self.run([programs + "/pg_isready", "-h", folder, "-p", "\(port)"])) == nil {
            guard ContinuousClock.now < deadline else {
                throw ClusterError(what: "the server did not start; see \(folder)/log")
            }
            usleep(50_000)
        }
    }

    /// Stops the server at once: every connection ends, and what was not committed is lost.
    func stop() throws {
        keeper.say("stop")
        let deadline = ContinuousClock.now + .seconds(60)
        while FileManager.default.fileExists(atPath: folder + "/data/postmaster.pid") {
            guard ContinuousClock.now < deadline else {
                throw ClusterError(what: "the server did not stop; see \(folder)/log")
            }
            usleep(50_000)
        }
    }

    /// Starts the server again after it was stopped, with the same data and at the same address.
    func start() throws {
        keeper.say("start")
        try waitUntilReady()
    }

    /// The beginning of a command that must not run as root, which servers refuse: they run as the
    /// user of Debian's package.
    static let asUser =
        getuid() == 0
        ? ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--clear-groups", "--"] : []

    /// Makes the servers' user the owner of a folder.
    static func give(_ folder: String) throws {
        if getuid() == 0 { try run(["chown", "-R", "postgres", folder]) }
    }

    /// The rules of access.
    private static let access = """
        local all locked scram-sha-256
        local all all trust
        local replication all trust
        host all locked 127.0.0.1/32 scram-sha-256
        host all all 127.0.0.1/32 trust
        """

    /// A requirement of the tests that is missing.
    struct ClusterError: Error {
        let what: String
    }

    /// Returns the folder of the server's programs: the one that `POSTGRESQL_PROGRAMS` names, for
    /// another version, or Debian's.
    private static func findPrograms() throws -> String {
        if let named = ProcessInfo.processInfo.environment["POSTGRESQL_PROGRAMS"] { return named }
        let root = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        guard let newest = versions.max(by: { (Int($0) ?? 0) < (Int($1) ?? 0) }) else {
            throw ClusterError(
                what: "there is no PostgreSQL under \(root): run scripts/install-packages --tests"
            )
        }
        return "\(root)/\(newest)/bin"
    }

    static func freePort() throws -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0
                    ? getsockname(descriptor, address, &length) : -1
            }
        }
        guard status == 0 else { throw ClusterError(what: "there is no free port") }
        return UInt16(bigEndian: address.sin_port)
    }

    /// Creates a database, which is empty unless it is a copy.
    func makeDatabase(like template: String = "template1") throws -> Database {
        let name = "b\(UUID().uuidString.lowercased().filter { $0 != "-" })"
        try sql("CREATE DATABASE \(name) TEMPLATE \(template)", in: "postgres")
        return Database(cluster: self, name: name)
    }

    @discardableResult
    static func run(_ command: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        process.currentDirectoryURL = URL(fileURLWithPath: "/")
        let (output, errors) = (Pipe(), Pipe())
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        let complaint = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw ClusterError(
                what: "\(command[0]): \(String(decoding: complaint, as: UTF8.self))"
            )
        }
        return String(decoding: text, as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

/// A database of the cluster.
struct Database: Sendable {
    /// The server where it was created.
    private let primary: Cluster
    let name: String
    /// The standby, if there is one.
    private let standby: Cluster?

    init(cluster: Cluster, name: String, standby: Cluster? = nil) {
        primary = cluster
        self.name = name
        self.standby = standby
    }

    /// The server that accepts writes.
    var cluster: Cluster { primary.isDead ? standby ?? primary : primary }

    private var servers: [Cluster] { [primary] + (standby.map { [$0] } ?? []) }

    /// Returns the connection string for a user.
    func url(as user: String = Cluster.owner, _ more: String = "") -> String {
        let hosts = servers.map(\.folder).joined(separator: ",")
        let ports = servers.map { "\($0.port)" }.joined(separator: ",")
        return "postgres://\(user)@/\(name)?host=\(hosts)&port=\(ports)\(more)"
    }

    /// Returns the connection string over TCP for a user, optionally through another port.
    func tcpURL(as user: String = Cluster.owner, port: UInt16? = nil) -> String {
        let ports = port.map { [$0] } ?? servers.map(\.port)
        let hosts = ports.map { "127.0.0.1:\($0)" }.joined(separator: ",")
        return "postgres://\(user)@\(hosts)/\(name)"
    }

    /// Runs statements and returns their output.
    @discardableResult
    func sql(_ text: String, as user: String = Cluster.owner) throws -> String {
        try cluster.sql(text, in: name, as: user)
    }

    /// Runs statements that take long, without keeping a thread from the tests beside it.
    @discardableResult
    func sqlBeside(_ text: String) async throws -> String {
        try await withCheckedThrowingContinuation { caller in
            Thread { caller.resume(with: Result { try sql(text) }) }.start()
        }
    }

    /// Polls until a condition holds, for at most one minute.
    func wait(until condition: String) async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while try sql("SELECT \(condition)") != "t" {
            try #require(ContinuousClock.now < deadline, "\(condition) does not come true")
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}
