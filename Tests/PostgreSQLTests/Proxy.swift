import Foundation
import Glibc
import Synchronization

/// A connection to the server that can be cut: data is accepted and discarded, as in a network that
/// drops packets.
final class Proxy: Sendable {
    /// The port on the loopback interface that leads to the server.
    let port: UInt16
    private let listener: Int32
    private let target: UInt16
    private let isCut = Mutex(false)
    private let isOver = Mutex(false)

    /// Creates a proxy to a port on loopback.
    init(to target: UInt16) throws {
        self.target = target
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = Self.loopback(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && listen(listener, 64) == 0
                    ? getsockname(listener, address, &length) : -1
            }
        }
        guard status == 0 else { throw Cluster.ClusterError(what: "the proxy has no port") }
        port = UInt16(bigEndian: address.sin_port)
        Thread { self.accept() }.start()
    }

    /// Cuts or restores the connection; connections that were cut stay dead.
    func cut(_ isCut: Bool) { self.isCut.withLock { $0 = isCut } }

    /// Accepts no more connections.
    func stop() {
        isOver.withLock { $0 = true }
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    private static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private func accept() {
        while !isOver.withLock({ $0 }) {
            let client = Glibc.accept(listener, nil, nil)
            guard client >= 0 else { continue }
            let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = Self.loopback(target)
            let status = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            guard status == 0 else {
                close(client)
                close(server)
                continue
            }
            Thread { self.carry(client, server) }.start()
        }
    }

    /// Forwards bytes both ways until one side ends; data that arrives while the connection is cut
    /// is lost, and with it the connection.
    private func carry(_ client: Int32, _ server: Int32) {
        var isDead = false
        var buffer = [UInt8](repeating: 0, count: 65_536)
        carrying: while !isOver.withLock({ $0 }) {
            var ends = [
                pollfd(fd: client, events: Int16(POLLIN), revents: 0),
                pollfd(fd: server, events: Int16(POLLIN), revents: 0),
            ]
            _ = poll(&ends, 2, 50)
            for (index, end) in ends.enumerated() where end.revents != 0 {
                let count = recv(end.fd, &buffer, buffer.count, 0)
                guard count > 0 else { break carrying }
                isDead = isDead || isCut.withLock { $0 }
                if isDead { continue }
                var sent = 0
                while sent < count {
                    let step = buffer.withUnsafeBytes {
                        send(
                            ends[1 - index].fd,
                            $0.baseAddress.map { $0 + sent },
                            count - sent,
                            Int32(MSG_NOSIGNAL)
                        )
                    }
                    guard step > 0 else { break carrying }
                    sent += step
                }
            }
        }
        close(client)
        close(server)
    }
}
