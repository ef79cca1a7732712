import Foundation

@testable import Sandbox

/// A merchant's endpoint for callbacks: a real socket that responds with given statuses.
final class CallbackReceiver: Sendable {
    /// One callback, as received.
    struct Received: Sendable {
        let head: String
        let body: JSON
        let status: Int
    }

    private let socketNumber: Int32
    private let port: UInt16
    // Unsafe: accessed only with the lock held. The thread sanitizer recognizes this lock, but not
    // a `Mutex`.
    private nonisolated(unsafe) var state: (statuses: [Int], received: [Received])
    private let lock = NSLock()

    /// Responds to the first callbacks with these statuses, and to all others with 200; 0 closes
    /// without a response.
    init(_ statuses: [Int] = []) throws {
        state = (statuses, [])
        socketNumber = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listening = socketNumber
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                guard bind(listening, $0, length) == 0, listen(listening, 64) == 0 else {
                    return false
                }
                return getsockname(listening, $0, &length) == 0
            }
        }
        guard bound else { throw POSIXError(.EADDRNOTAVAIL) }
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [weak self] in
            while true {
                let connection = accept(listening, nil, nil)
                guard connection >= 0 else { return }
                self?.serve(connection)
                close(connection)
            }
        }
    }

    /// The address for the sandbox.
    var url: String { "http://127.0.0.1:\(port)/callback/nonce-1?shop=1" }

    /// The callbacks received so far, oldest first.
    var received: [Received] { lock.withLock { state.received } }

    /// Waits until a number of callbacks was received.
    func wait(for count: Int) async throws -> [Received] {
        for _ in 1...6000 where received.count < count {
            try await Task.sleep(for: .milliseconds(10))
        }
        return received
    }

    func stop() {
        shutdown(socketNumber, Int32(SHUT_RDWR))
        close(socketNumber)
    }

    private func serve(_ connection: Int32) {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(connection, &chunk, chunk.count)
            guard count > 0 else { return }
            bytes += chunk.prefix(count)
            let text = String(decoding: bytes, as: UTF8.self)
            guard let end = text.firstRange(of: "\r\n\r\n"),
                let length = text.firstMatch(of: /Content-Length: (\d+)/)?.1,
                let body = text[end.upperBound...].utf8.count >= Int(length) ?? 0
                    ? JSON(bytes: Array(text[end.upperBound...].utf8)) : nil
            else { continue }
            let status = lock.withLock {
                let status = state.statuses.isEmpty ? 200 : state.statuses.removeFirst()
                let head = String(text[..<end.lowerBound])
                state.received.append(Received(head: head, body: body, status: status))
                return status
            }
            guard status > 0 else { return }
            let response = Array("HTTP/1.1 \(status) Answer\r\nContent-Length: 0\r\n\r\n".utf8)
            _ = write(connection, response, response.count)
            return
        }
    }
}
