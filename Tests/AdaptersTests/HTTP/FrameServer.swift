import Foundation
import Glibc

/// A server that performs the HTTP/2 handshake and then sends exactly the frames of a test.
///
/// Its TLS is Python's, since ours is only a client.
final class FrameServer {
    /// An HTTP/2 frame.
    ///
    /// - Note: Source: RFC 9113, section 4.1.
    struct Frame {
        enum Kind: UInt8 {
            case data, headers, priority, resetStream, settings, pushPromise, ping, goAway,
                windowUpdate
            case continuation
            case unheardOf = 0xBA
        }

        var kind: Kind
        var flags: UInt8 = 0
        var stream: UInt32 = 1
        var payload: [UInt8] = []
        /// The length in its header, when that differs from the real one.
        var length: Int?

        static let endOfStream: UInt8 = 1
        static let endOfHeaders: UInt8 = 4

        /// `:status: 200`, from the static table of HPACK.
        static func status(_ flags: UInt8 = endOfHeaders, _ more: [UInt8] = []) -> Frame {
            Frame(kind: .headers, flags: flags, payload: [0x88] + more)
        }

        static func body(_ text: String, isLast: Bool = true) -> Frame {
            Frame(kind: .data, flags: isLast ? endOfStream : 0, payload: Array(text.utf8))
        }

        static func reset(_ code: UInt8) -> Frame {
            Frame(kind: .resetStream, payload: [0, 0, 0, code])
        }

        static func goAway(last: UInt8, _ code: UInt8) -> Frame {
            Frame(kind: .goAway, stream: 0, payload: [0, 0, 0, last, 0, 0, 0, code])
        }

        var bytes: [UInt8] {
            let length = length ?? payload.count
            return [UInt8(length >> 16 & 0xFF), UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF)]
                + [kind.rawValue, flags]
                + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: stream >> $0) } + payload
        }
    }

    /// What it does after sending the frames.
    enum Manner: String {
        /// Sends no more, and waits for the client to close.
        case wait
        /// Closes the connection.
        case close
        /// Sends the frames again until the client closes.
        case again
    }

    private let process = Process()
    private let output = Pipe()
    /// The port on the loopback interface.
    let port: Int

    /// Starts a server that responds to every request with these bytes.
    ///
    /// - Parameters:
    ///   - folder: The folder with the files of ``withAuthority(_:)``.
    ///   - first: The bytes that it sends once, shortly before the rest.
    ///   - bytes: The bytes that it sends after that.
    ///   - manner: What it does then.
    /// - Throws: An error when the process cannot be started.
    init(
        _ folder: String,
        _ first: [UInt8],
        _ bytes: [UInt8],
        then manner: Manner
    ) throws {
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "python3", "-c", Self.script, folder, manner.rawValue, Self.hexadecimal(first),
            Self.hexadecimal(bytes),
        ]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        var line: [UInt8] = []
        while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first, byte != 0x0A {
            line.append(byte)
        }
        guard let port = Int(String(decoding: line, as: UTF8.self)) else {
            throw CocoaError(.executableLoad)
        }
        self.port = port
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    var url: String { "https://localhost:\(port)/" }

    /// Ends the server, and returns the number of requests on all connections.
    func stop() throws -> Int {
        // Not by a signal that the parent of the tests may have blocked.
        kill(process.processIdentifier, SIGKILL)
        let told = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return told.count { $0 == UInt8(ascii: "R") }
    }

    private static let script = """
        import os, socket, ssl, sys, threading, time
        folder, manner = sys.argv[1:3]
        first, answer = map(bytes.fromhex, sys.argv[3:5])
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(folder + '/good.pem', folder + '/good.key')
        context.set_alpn_protocols(['h2'])
        listener = socket.create_server(('127.0.0.1', 0))
        def tell(text):
            os.write(1, text.encode())
        def exactly(peer, count):
            data = b''
            while len(data) < count:
                more = peer.recv(count - len(data))
                if not more:
                    raise OSError
                data += more
            return data
        def serve(plain):
            try:
                peer = context.wrap_socket(plain, server_side=True)
                exactly(peer, 24)
                peer.sendall(bytes.fromhex('000000040000000000'))
                while True:
                    head = exactly(peer, 9)
                    exactly(peer, int.from_bytes(head[:3], 'big'))
                    if head[3] == 1:
                        tell('R')
                    # Nothing is answered before the whole request is there: HEADERS or DATA that end the stream.
                    if head[3] > 1 or not head[4] & 1:
                        continue
                    if first:
                        peer.sendall(first)
                        time.sleep(0.1)
                    peer.sendall(answer)
                    while manner == 'again':
                        peer.sendall(answer)
                    if manner == 'close':
                        # Closed with something unread, the kernel takes back what the client has not read yet.
                        peer.shutdown(socket.SHUT_WR)
                        while peer.recv(65536):
                            pass
                        return
            except OSError:
                pass
        tell(str(listener.getsockname()[1]) + chr(10))
        while True:
            plain, _ = listener.accept()
            threading.Thread(target=serve, args=(plain,), daemon=True).start()
        """
}

/// Gives a test a folder with an authority's certificate `ca.pem` and one of `localhost` that it
/// signed, `good.pem`.
func withAuthority(_ body: (_ folder: String) async throws -> Void) async throws {
    let folder = NSTemporaryDirectory() + "authority-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let result: Result<Void, any Error>
    do {
        try SecureServer.shell(
            """
            key='-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'
            openssl req -x509 $key -keyout ca.key -out ca.pem -days 30 -subj "/CN=Test authority"
            openssl req $key -keyout good.key -out good.csr -subj "/CN=localhost"
            echo "subjectAltName=DNS:localhost" > good.ext
            openssl x509 -req -in good.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 30 \
              -extfile good.ext -out good.pem
            """,
            in: folder
        )
        result = .success(try await body(folder))
    } catch {
        result = .failure(error)
    }
    try FileManager.default.removeItem(atPath: folder)
    try result.get()
}
