import Foundation
import Glibc

/// An OpenSSL server that supports only one old version of TLS.
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

    /// How often to check whether it is listening yet.
    private static let patience = 200

    /// Returns whether a client of a version gets a connection.
    func speaks(_ version: String) -> Bool {
        let script = """
            openssl s_client \(Self.option(version)) -cipher '\(Self.ciphers)' \\
                -connect 127.0.0.1:\(port) -CAfile ca.pem -verify_return_error </dev/null
            """
        return (try? SecureServer.shell(script, in: directory)) != nil
    }

    /// Ends the server.
    func stop() {
        // It inherits a signal mask that may block a milder one.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// By default OpenSSL supports nothing that old.
    private static let ciphers = "DEFAULT@SECLEVEL=0"

    private static func option(_ version: String) -> String {
        version == "TLSv1.1" ? "-tls1_1" : "-tls1"
    }
}
