import Foundation
import Glibc

/// An OpenSSL server that supports only one obsolete version of TLS.
final class OldServer {
    let port: UInt16
    private let process = Process()
    private let directory: String

    /// Starts the server with the good certificate of a directory, and waits until it listens.
    init(_ version: String, in directory: String) throws {
        self.directory = directory
        let holder = SocketServer { _ in }
        port = holder.port
        holder.stop()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.arguments = [
            "s_server", Self.option(version), "-cipher", Self.ciphers, "-accept",
            "127.0.0.1:\(port)",
            "-cert", "good.pem", "-key", "good.key", "-www", "-quiet",
        ]
        process.currentDirectoryURL = URL(fileURLWithPath: directory)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        for _ in 0..<Self.patience where process.isRunning {
            if speaks(version) { return }
            usleep(20_000)
        }
        stop()
        throw CocoaError(.executableLoad)
    }

    /// The number of tries to connect.
    private static let patience = 200

    /// Whether a client that supports a version gets a connection.
    func speaks(_ version: String) -> Bool {
        let script = """
            openssl s_client \(Self.option(version)) -cipher '\(Self.ciphers)' \\
                -connect 127.0.0.1:\(port) -CAfile ca.pem -verify_return_error </dev/null
            """
        return (try? SecureServer.shell(script, in: directory)) != nil
    }

    /// Ends the server.
    func stop() {
        // It inherits a signal mask, and would not receive SIGTERM.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// OpenSSL's default would not permit these versions.
    private static let ciphers = "DEFAULT@SECLEVEL=0"

    private static func option(_ version: String) -> String {
        version == "TLSv1.1" ? "-tls1_1" : "-tls1"
    }
}
