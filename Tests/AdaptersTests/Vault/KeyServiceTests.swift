import EventLog
import Foundation
import SwedbankPay
import Testing

@testable import Adapters
@testable import EventStores

/// The port for a key management service, with a service in a separate process.
@Suite struct KeyServiceTests {
    /// Wraps and unwraps under a key that never leaves it; prints its port and a wrapped address
    /// key.
    private static let service = """
        import hashlib, hmac, http.server, os, sys
        master = os.urandom(32)
        def mask(nonce, context): return hmac.digest(master, b"mask" + nonce + context, "sha256")
        def tag(body, context): return hmac.digest(master, b"tag" + body + context, "sha256")
        def xor(a, b): return bytes(x ^ y for x, y in zip(a, b))
        def wrap(key, context):
            nonce = os.urandom(16)
            body = nonce + xor(key, mask(nonce, context))
            return body + tag(body, context)
        def unwrap(wrapped, context):
            body, found = wrapped[:-32], wrapped[-32:]
            if not hmac.compare_digest(found, tag(body, context)): return None
            return xor(body[16:], mask(body[:16], context))
        class Service(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                bytes = self.rfile.read(int(self.headers["Content-Length"]))
                context = self.headers["Context"].encode()
                done = (wrap if self.path == "/wrap" else unwrap)(bytes, context)
                self.send_response(200 if done else 403)
                self.send_header("Content-Length", str(len(done or b"")))
                self.end_headers()
                self.wfile.write(done or b"")
            def log_message(self, *_): pass
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Service)
        print(server.server_port, wrap(os.urandom(32), b"addresses").hex(), flush=True)
        server.serve_forever()
        """

    private func withService(
        _ body: (_ address: URL, _ wrappedAddressKey: [UInt8]) async throws -> Void
    ) async throws {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-c", Self.service]
        process.standardOutput = output
        try process.run()
        defer {
            // It may have inherited a mask of the other signals.
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        var line = Data()
        while line.last != UInt8(ascii: "\n") {
            let more = output.fileHandleForReading.availableData
            try #require(!more.isEmpty, "the service did not start")
            line += more
        }
        let words = String(decoding: line, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        let digits = Array(words[1])
        let key = stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(digits[$0...($0 + 1)]), radix: 16)
        }
        try await body(try #require(URL(string: "http://127.0.0.1:\(words[0])")), key)
    }

    @Test func `a vault can be built on a service that only wraps and unwraps`() async throws {
        try await withService { address, addressKey in
            let vault = try await KeyServiceVault(service: address, wrappedAddressKey: addressKey)
            let session = SessionID(at: Instant(microseconds: 0), random: (1, 2))
            let other = SessionID(at: Instant(microseconds: 0), random: (1, 3))
            let (keys, wrapped) = try await vault.makeKeys(for: session)
            let again = try await vault.keys(unwrapping: wrapped, for: session)
            #expect(again.fingerprint(of: "x") == keys.fingerprint(of: "x"))
            await #expect(throws: KeyVaultError.wrongKey) {
                try await vault.keys(unwrapping: wrapped, for: other)
            }
            let second = try await KeyServiceVault(service: address, wrappedAddressKey: addressKey)
            #expect(
                try await second.addressFingerprint(of: "https://a.example")
                    == (try await vault.addressFingerprint(of: "https://a.example"))
            )
            #expect(try await vault.rewrap(wrapped, for: session) == nil)
            #expect(MasterKeyIdentity(ofWrapped: wrapped) == nil || wrapped.first == 1)
        }
    }

    @Test func `the documentation shows the example vault as compiled`() throws {
        let here = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
            .deletingLastPathComponent()
        let example = try String(
            contentsOf: here.appending(path: "KeyServiceVault.swift"),
            encoding: .utf8
        )
        let page = try String(
            contentsOf: here.appending(path: "../../../Documentation/keys.md").standardized,
            encoding: .utf8
        )
        #expect(page.contains("```swift\n\(example)```\n"))
    }
}
