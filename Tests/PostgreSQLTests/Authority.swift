import Foundation

/// A certificate authority of the tests, created by OpenSSL in a folder that is removed with it.
final class Authority: Sendable {
    private let folder: String

    /// The certificate that clients trust.
    var certificate: String { folder + "/ca.crt" }

    init() throws {
        folder = NSTemporaryDirectory() + "authority-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Cluster.run(
            ["openssl", "req", "-x509", "-days", "2", "-subj", "/CN=Authority of the tests"]
                + Self.newKey(folder + "/ca.key") + ["-out", certificate]
        )
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private static func newKey(_ path: String) -> [String] {
        [
            "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", path,
        ]
    }

    /// Creates the certificate of a server with a name.
    func makeServer(named name: String) throws -> Cluster {
        let settings = ["ssl=on", "ssl_cert_file=../server.crt", "ssl_key_file=../server.key"]
        return try Cluster(settings) { place in
            let (request, extensions) = (place + "/server.csr", place + "/extensions")
            try Cluster.run(
                ["openssl", "req", "-subj", "/CN=\(name)", "-out", request]
                    + Self.newKey(place + "/server.key")
            )
            try "subjectAltName=DNS:\(name)".write(
                toFile: extensions,
                atomically: false,
                encoding: .utf8
            )
            try Cluster.run([
                "openssl", "x509", "-req", "-in", request, "-CA", certificate, "-CAkey",
                folder + "/ca.key", "-CAcreateserial", "-days", "2", "-extfile", extensions, "-out",
                place + "/server.crt",
            ])
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o600],
                ofItemAtPath: place + "/server.key"
            )
        }
    }
}
