import Foundation
import Glibc

@testable import UVTransport

/// A server on loopback whose connections are handled exactly as a test says.
final class SocketServer: Sendable {
    /// One accepted connection.
    struct Connection: Sendable {
        let descriptor: Int32
        let server: SocketServer

        /// Reads one whole request; returns `nil` at the end of the connection.
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

        /// Writes text unchanged.
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

        /// Responds with a body.
        func respond(_ status: Int = 200, _ body: String = "ok", extra: String = "") {
            send(
                "HTTP/1.1 \(status) X\r\nContent-Length: \(body.utf8.count)\r\n\(extra)\r\n\(body)"
            )
        }

        /// Turns the close into a reset.
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

    let requests = ThreadLock<[String]>([])
    let connections = ThreadLock(0)
    let port: UInt16
    private let listener: Int32

    /// Listens; the handler of each connection runs on a thread of its own, after which the
    /// connection is closed.
    convenience init(_ handle: @escaping @Sendable (Connection) -> Void) {
        guard let listening = Self.listening(at: 0, overIPv6: false) else {
            preconditionFailure("there is no port left on loopback")
        }
        self.init(listening, handle)
    }

    /// Listens at a port, or over IPv6; returns `nil` when the port is taken, or the machine has no
    /// IPv6.
    convenience init?(
        port: UInt16,
        overIPv6: Bool = false,
        _ handle: @escaping @Sendable (Connection) -> Void
    ) {
        guard let listening = Self.listening(at: port, overIPv6: overIPv6) else { return nil }
        self.init(listening, handle)
    }

    private init(
        _ listening: (listener: Int32, port: UInt16),
        _ handle: @escaping @Sendable (Connection) -> Void
    ) {
        (listener, port) = listening
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

    private static func listening(
        at port: UInt16,
        overIPv6: Bool
    ) -> (listener: Int32, port: UInt16)? {
        let listener = socket(overIPv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var on: Int32 = 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        let bound: UInt16?
        if overIPv6 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            address.sin6_addr = in6addr_loopback
            bound = listen(at: &address, listener) ? address.sin6_port : nil
        } else {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            bound = listen(at: &address, listener) ? address.sin_port : nil
        }
        guard let bound else {
            close(listener)
            return nil
        }
        return (listener, UInt16(bigEndian: bound))
    }

    /// Listens at an address, and sets its actual port.
    private static func listen<Address>(at address: inout Address, _ listener: Int32) -> Bool {
        var length = socklen_t(MemoryLayout<Address>.size)
        return withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && Glibc.listen(listener, 256) == 0
                    && getsockname(listener, $0, &length) == 0
            }
        }
    }

    /// Returns the address of a path on this server.
    func url(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

    /// Stops listening.
    func stop() {
        Glibc.shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }
}
