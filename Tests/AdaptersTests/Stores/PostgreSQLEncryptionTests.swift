import EventLog
import Foundation
import Glibc
import SwedbankPay
import Testing

@testable import Adapters
@testable import EventStores

/// What is sent to a server that impersonates PostgreSQL.
///
/// The address 0.0.0.0 leads to this machine but is not a loopback address: here it stands for
/// another machine.
@Suite struct PostgreSQLEncryptionTests {
    @Test
    func `a remote server is sent no user name or password before it has proved its identity`()
        async throws
    {
        let server = GreedyServer()
        defer { server.stop() }
        let (port, login) = (server.port, "payments:hunter2")
        for url in [
            "postgres://\(login)@0.0.0.0:\(port)/base",
            "host=db.example hostaddr=0.0.0.0 port=\(port) user=payments password=hunter2",
            "postgres://\(login)@0.0.0.0:\(port),0.0.0.0:\(port)/base",
        ] {
            #expect(await server.openingError(url) == "store.untrusted", "\(url)")
        }
        // It received a request for encryption, and no more.
        #expect(server.connections > 0)
        #expect(!server.heard("payments") && !server.heard("hunter2"))
    }

    @Test func `no password is sent to a remote server in the clear, whatever the URL says`()
        async throws
    {
        let server = GreedyServer()
        defer { server.stop() }
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("pass-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(
            FileManager.default.createFile(
                atPath: folder,
                contents: Data("*:*:*:payments:hunter2\n".utf8),
                attributes: [.posixPermissions: 0o600]
            )
        )
        for mode in ["disable", "allow", "prefer"] {
            for url in [
                "postgres://payments:hunter2@0.0.0.0:\(server.port)/base?sslmode=\(mode)",
                "postgres://payments@0.0.0.0:\(server.port)/base?sslmode=\(mode)&passfile=\(folder)",
            ] {
                #expect(await server.openingError(url) == "store.untrusted", "\(url)")
            }
        }
        #expect(server.connections == 0)
        // Without a password there is nothing to lose, and the URL asks for no encryption.
        let open =
            "postgres://payments@0.0.0.0:\(server.port)/base?sslmode=disable"
            + "&passfile=/nowhere"
        #expect(await server.openingError(open) == "store.denied")
        #expect(server.heard("payments") && !server.heard("hunter2"))
    }

    @Test func `a password may be sent to the loopback address in the clear`() async throws {
        let server = GreedyServer()
        defer { server.stop() }
        let url = "postgres://payments:hunter2@127.0.0.1:\(server.port)/base"
        #expect(await server.openingError(url) != "store.untrusted")
        // This server does request a password in the clear, and would have received it above.
        #expect(server.heard("hunter2"))
    }

    @Test func `hosts are told apart as local or remote, and a remote one defaults to verify-full`()
    {
        for host in ["", "/run/postgresql", "@abstract", "localhost", "127.8.9.1", "::1"] {
            #expect(PQEncryption.isHere(host), "\(host)")
        }
        for host in ["db.example", "10.0.0.1", "0.0.0.0", "::2", "fe80::1", "localhost.example"] {
            #expect(!PQEncryption.isHere(host), "\(host)")
        }
        #expect(PQEncryption.isHere("::ffff:127.0.0.1") && !PQEncryption.isHere("::ffff:10.0.0.1"))
        func outlook(_ settings: [String: String]) -> PQEncryption.Outlook? {
            let none = ["user": "u", "password": "", "passfile": "/nowhere"]
            return PQEncryption.outlook(
                of: none.merging(settings) { $1 }.map { (keyword: $0.key, value: $0.value) }
            )
        }
        let strict = PQEncryption.Outlook(isRemote: true, mode: "verify-full", hasPassword: false)
        #expect(outlook(["host": "db.example"]) == strict)
        #expect(outlook(["host": "localhost", "hostaddr": "10.0.0.1"]) == strict)
        #expect(outlook(["host": "db.example", "hostaddr": "127.0.0.1"])?.isRemote == false)
        #expect(outlook(["host": "db.example", "sslmode": "require"])?.mode == "require")
        #expect(outlook(["host": "db.example", "password": "p"])?.hasPassword == true)
    }
}

/// Plays a PostgreSQL server without encryption that requests every password in the clear.
private final class GreedyServer: Sendable {
    private let bytes: ThreadLock<[UInt8]>
    private let server: SocketServer

    init() {
        let bytes = ThreadLock<[UInt8]>([])
        self.bytes = bytes
        server = SocketServer { connection in
            var buffer = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = read(connection.descriptor, &buffer, buffer.count)
                guard count > 0 else { return }
                let message = Array(buffer[..<count])
                bytes.withLock { $0 += message }
                // The codes of SSLRequest and GSSENCRequest; anything else is taken for a start or
                // a password.
                let isRequest = count == 8 && message[4...6] == [4, 210, 22]
                let response: [UInt8] = isRequest ? [78] : [82, 0, 0, 0, 8, 0, 0, 0, 3]
                guard message.first != UInt8(ascii: "p") else { return }
                _ = response.withUnsafeBytes {
                    write(connection.descriptor, $0.baseAddress, $0.count)
                }
            }
        }
    }

    var port: UInt16 { server.port }
    var connections: Int { server.connections.withLock { $0 } }

    /// Returns whether a text was sent to it in the clear.
    func heard(_ text: String) -> Bool {
        bytes.withLock { String(decoding: $0, as: UTF8.self).contains(text) }
    }

    /// Returns the code of the error with which opening a store there fails.
    func openingError(_ url: String) async -> String? {
        guard let loop = try? UVLoop(name: "postgresql-test") else { return nil }
        defer { loop.shutdown() }
        let task = loop.spawn { () -> String? in
            do throws(EventStoreError) {
                let store = try await PostgreSQLEventStore(url: url, loop: loop)
                await store.close()
                return nil
            } catch {
                return error.code
            }
        }
        return await task.value
    }

    func stop() { server.stop() }
}
