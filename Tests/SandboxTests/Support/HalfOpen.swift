import Foundation
import Testing

/// A client that opens a connection and does no more.
enum HalfOpen {
    /// Sends a text and waits for data: returns the number of bytes, 0 at the end of the
    /// connection, -1 when nothing comes.
    ///
    /// With `drips`, it sends a blank twenty times a second while it waits.
    static func rest(
        after text: String,
        port: UInt16,
        within seconds: Int,
        drips: Bool = false
    ) async throws -> Int {
        try await withCheckedThrowingContinuation { caller in
            // Without blocking the threads that the sandbox needs.
            Thread.detachNewThread {
                caller.resume(with: Result { try wait(text, port, seconds, drips) })
            }
        }
    }

    /// The connection was refused.
    struct Refused: Error {}

    private static func wait(
        _ text: String,
        _ port: UInt16,
        _ seconds: Int,
        _ drips: Bool
    ) throws -> Int {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        try #require(socket >= 0)
        defer { close(socket) }
        var limit =
            drips ? timeval(tv_sec: 0, tv_usec: 50_000) : timeval(tv_sec: seconds, tv_usec: 0)
        setsockopt(
            socket,
            SOL_SOCKET,
            SO_RCVTIMEO,
            &limit,
            socklen_t(MemoryLayout<timeval>.size)
        )
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        let bytes = Array(text.utf8)
        guard connected == 0,
            send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
        else { throw Refused() }
        var byte: UInt8 = 0
        for _ in 0..<(drips ? seconds * 20 : 0) {
            let count = recv(socket, &byte, 1, 0)
            if count >= 0 || errno == ECONNRESET { return max(0, count) }
            _ = send(socket, " ", 1, Int32(MSG_NOSIGNAL))
        }
        let count = recv(socket, &byte, 1, 0)
        return count < 0 && errno == ECONNRESET ? 0 : count
    }
}
