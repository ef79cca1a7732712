import Foundation
import Glibc

@testable import Adapters

/// A server on loopback that does with a connection exactly what a test says.
final class SocketServer: Sendable {
    /// One accepted connection.
    struct Connection: Sendable {
        let descriptor: Int32
        let server: SocketServer

        /// Reads one whole request; nothing at the end of the connection.
        func readRequest() -> String? {
            var bytes: [UInt8] = []
            var wanted = Int.max
            while bytes.count < wanted {
                var buffer = [UInt8](repeating: 0, count: 65_536)
                let count = read(descriptor, &buffer, buffer.count)
                guard count > 0 else { return nil }
                bytes += buffer[..<count]
                let text = String(decoding: bytes, as: UTF8.self)
                guard wanted == Int.max, let head = text.range(of: "\r\n\r\n") else { continue }
                let length = text[..<head.lowerBound].split(separator: "\r\n")
                    .first { $0.lowercased().hasPrefix("content-length:") }
                    .flatMap { Int($0.split(separator: ":")[1].filter(\.isNumber)) }
                wanted = text[..<head.upperBound].utf8.count + (length ?? 0)
            }
            let text = String(decoding: bytes, as: UTF8.self)
            server.requests.withLock { $0.append(text) }
            return text
        }

        /// Writes as it is.
        func send(_ text: String) {
            let bytes = Array(text.utf8)
            var sent = 0
            while sent < bytes.count {
                let count = bytes[sent...].withUnsafeBytes {
                    Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return }
                sent += count
            }
        }

        /// Answers with a body.
        func answer(_ status: Int = 200, _ body: String = "ok", extra: String = "") {
            send(
                "HTTP/1.1 \(status) X\r\nContent-Length: \(body.utf8.count)\r\n\(extra)\r\n\(body)"
            )
        }

        /// Makes the close a reset.
        func resetOnClose() {
            var linger = linger(l_onoff: 1, l_linger: 0)
            setsockopt(
                descriptor,
                SOL_SOCKET,
                SO_LINGER,
                &linger,
                socklen_t(MemoryLayout.size(ofValue: linger))
            )
        }

        /// Waits until the peer has closed.
        func waitForClose() {
            var byte: UInt8 = 0
            while read(descriptor, &byte, 1) > 0 {}
        }
    }

    let requests = LoopLock<[String]>([])
    let connections = LoopLock(0)
    let port: UInt16
    private let listener: Int32

    /// Listens; every connection gets a thread that runs the handler and closes after it.
    init(_ handle: @escaping @Sendable (Connection) -> Void) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        port = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length)
                listen(listener, 256)
                getsockname(listener, $0, &length)
            }
            return UInt16(bigEndian: pointer.pointee.sin_port)
        }
        self.listener = listener
        Thread.detachNewThread { [self] in
            while true {
                let descriptor = accept(listener, nil, nil)
                guard descriptor >= 0 else { return }
                connections.withLock { $0 += 1 }
                Thread.detachNewThread {
                    handle(Connection(descriptor: descriptor, server: self))
                    close(descriptor)
                }
            }
        }
    }

    /// The address of a path here.
    func url(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

    /// Stops listening.
    func stop() {
        Glibc.shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }
}
