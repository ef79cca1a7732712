import Foundation

@testable import Adapters

/// A real web server with certificates of an authority that only the test trusts.
///
/// It has one port for each kind of certificate, and all support HTTP/2.
final class SecureServer {
    /// What is wrong with a certificate, if anything.
    enum Certificate: String, CaseIterable {
        case good, expired, stranger, elsewhere
        /// A good one, on a port that ends each connection after a few requests.
        case fleeting

        /// The name of the certificate's files.
        var file: String { self == .fleeting ? "good" : rawValue }
    }

    /// How often other ports are tried when a port was taken before the server started.
    private static let maximumStarts = 5

    let directory: String
    private var process = Process()
    private var ports: [Certificate: UInt16] = [:]

    /// Creates the certificates and starts the server.
    init() throws {
        directory = NSTemporaryDirectory() + "secure-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: directory,
            withIntermediateDirectories: true
        )
        try Self.shell(Self.certificateScript, in: directory)
        for _ in 0..<Self.maximumStarts {
            choosePorts()
            if try start() { return }
        }
        throw CocoaError(.executableLoad)
    }

    private func choosePorts() {
        // All are kept open until the last is chosen, so that no two are equal.
        let holders = Certificate.allCases.map { ($0, SocketServer { _ in }) }
        ports = Dictionary(uniqueKeysWithValues: holders.map { ($0, $1.port) })
        for (_, holder) in holders { holder.stop() }
    }

    private func start() throws -> Bool {
        try configuration.write(
            toFile: directory + "/nginx.conf",
            atomically: true,
            encoding: .utf8
        )
        process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/sbin/nginx")
        process.arguments = ["-p", directory, "-c", directory + "/nginx.conf"]
        process.standardError = FileHandle.nullDevice
        try process.run()
        while !FileManager.default.fileExists(atPath: directory + "/nginx.pid") {
            guard process.isRunning else { return false }
            usleep(2_000)
        }
        return true
    }

    /// Ends the server and removes its files.
    func stop() throws {
        process.terminate()
        process.waitUntilExit()
        try FileManager.default.removeItem(atPath: directory)
    }

    /// The certificate of the authority that signed all certificates but the stranger's.
    var authorityFile: String { directory + "/ca.pem" }

    /// The digest of the good certificate's public key, as a pin.
    var goodKeyDigest: String {
        get throws {
            try Self.shell(
                """
                openssl x509 -in good.pem -pubkey -noout | openssl pkey -pubin -outform der |
                openssl dgst -sha256 -binary | base64
                """,
                in: directory
            ).trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }

    /// Returns the URL of the port with a certificate.
    func url(_ kind: Certificate) -> String { "https://localhost:\(ports[kind] ?? 0)/" }

    /// The requests that arrived, as `POST HTTP/2.0`.
    var arrivals: [String] {
        get throws {
            try Self.shell("cat access.log", in: directory)
                .split(separator: "\n").map(String.init)
        }
    }

    /// The number of connections over which those requests arrived.
    var connectionCount: Int {
        get throws {
            try Set(Self.shell("cat connections.log", in: directory).split(separator: "\n")).count
        }
    }

    /// Runs a script in a folder, and returns its output.
    @discardableResult
    static func shell(_ script: String, in directory: String) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-ec", script]
        process.currentDirectoryURL = URL(fileURLWithPath: directory)
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
        return String(decoding: data, as: UTF8.self)
    }

    private static let certificateScript = """
        key='-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'
        for ca in ca other; do
          openssl req -x509 $key -keyout $ca.key -out $ca.pem -days 30 -subj "/CN=Test $ca"
        done
        leaf() {
          openssl req $key -keyout $1.key -out $1.csr -subj "/CN=$1"
          echo "subjectAltName=DNS:$3" > $1.ext
          openssl x509 -req -in $1.csr -CA $2.pem -CAkey $2.key -CAcreateserial -days $4 \
            -extfile $1.ext -out $1.pem
        }
        leaf good ca localhost 30
        leaf expired ca localhost -1
        leaf stranger other localhost 30
        leaf elsewhere ca elsewhere.example 30
        """

    /// An inner server responds, so that the outer one reads each request's body first: nginx
    /// resets an HTTP/2 stream to which it responds before it has the body, which a slow client
    /// sees as a truncated response.
    private var configuration: String {
        let servers = ports.map { kind, port in
            """
            server {
                listen 127.0.0.1:\(port) ssl http2;
                ssl_certificate \(kind.file).pem;
                ssl_certificate_key \(kind.file).key;
                keepalive_requests \(kind == .fleeting ? 3 : 1000);
                location / { proxy_pass http://unix:\(directory)/inner.socket; }
            }
            """
        }
        let user = getuid() == 0 ? "user root;" : ""
        return """
            \(user)
            daemon off;
            worker_processes 1;
            pid \(directory)/nginx.pid;
            error_log \(directory)/error.log;
            events { worker_connections 256; }
            http {
                log_format arrival '$request_method $server_protocol';
                access_log \(directory)/access.log arrival;
                log_format connection '$connection';
                access_log \(directory)/connections.log connection;
                client_body_temp_path \(directory)/body;
                proxy_temp_path \(directory)/proxy;
                fastcgi_temp_path \(directory)/fastcgi;
                uwsgi_temp_path \(directory)/uwsgi;
                scgi_temp_path \(directory)/scgi;
                \(servers.joined(separator: "\n"))
                server {
                    listen unix:\(directory)/inner.socket;
                    access_log off;
                    location / { return 200 "hello"; }
                }
            }
            """
    }
}

/// Runs a test with a server, which is ended afterwards.
func withSecureServer<Value>(_ body: (SecureServer) async throws -> Value) async throws -> Value {
    let server = try SecureServer()
    do {
        let value = try await body(server)
        try server.stop()
        return value
    } catch {
        try server.stop()
        throw error
    }
}
