import Foundation
import Glibc
import Synchronization

/// A receiver of events: HTTP on loopback, one connection at a time, with responses chosen by a
/// test.
final class Receiver: Sendable {
    /// The reaction to a request.
    enum Answer: Sendable {
        case status(Int)
        /// Accepts the request and closes without a response.
        case hangUp
    }

    /// What it received, and its next responses.
    private struct Book {
        var bodies: [String] = []
        var taken: [String] = []
        var headers: [String] = []
        var responses: [Answer] = []
        var pause: UInt32 = 0
    }

    /// Its address.
    let url: String
    private let listener: CInt
    private let book = Mutex(Book())

    init() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && listen(listener, 16) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        guard isBound else { throw Cluster.ClusterError(what: "there is no free port") }
        self.listener = listener
        url = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/events?key=hook-secret"
        Thread.detachNewThread { [self] in serve() }
    }

    /// Sets the next responses; after them everything is accepted.
    func respond(_ responses: [Answer]) { book.withLock { $0.responses = responses } }

    /// Sets how long each request takes.
    func delay(microseconds: UInt32) { book.withLock { $0.pause = microseconds } }

    /// The bodies received, including those that it refused.
    var bodies: [String] { book.withLock { $0.bodies } }
    /// The bodies accepted.
    var taken: [String] { book.withLock { $0.taken } }
    /// The headers of the requests.
    var headers: [String] { book.withLock { $0.headers } }

    /// Returns the identifiers of the accepted records, in order of arrival.
    func identities() throws -> [String] { try identities { $0["chainhash"] != nil } }

    /// Returns the identifiers of what the accepted records mean for payments.
    func notices() throws -> [String] { try identities { $0["chainhash"] == nil } }

    private func identities(where isMeant: ([String: Any]) -> Bool) throws -> [String] {
        try taken.flatMap { body in
            let events = try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [[String: Any]]
            return (events ?? []).filter(isMeant).compactMap { $0["id"] as? String }
        }
    }

    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    private func serve() {
        while true {
            let connection = accept(listener, nil, nil)
            guard connection >= 0 else { return }
            while let (head, body) = request(on: connection) {
                let (response, pause) = book.withLock { book in
                    book.headers.append(head)
                    book.bodies.append(body)
                    let response =
                        book.responses.isEmpty ? .status(200) : book.responses.removeFirst()
                    if case .status(200...299) = response { book.taken.append(body) }
                    return (response, book.pause)
                }
                usleep(pause)
                guard case .status(let status) = response else { break }
                let text = "HTTP/1.1 \(status) Said\r\nContent-Length: 0\r\n\r\n"
                guard send(connection, text, text.utf8.count, Int32(MSG_NOSIGNAL)) > 0
                else { break }
            }
            close(connection)
        }
    }

    private func request(on connection: CInt) -> (head: String, body: String)? {
        var bytes = Data()
        let end = Data("\r\n\r\n".utf8)
        while true {
            if let split = bytes.range(of: end) {
                let head = String(decoding: bytes[..<split.lowerBound], as: UTF8.self)
                let field = head.lowercased().split(separator: "content-length: ").dropFirst().first
                let count = field.flatMap { Int($0.prefix { $0.isNumber }) } ?? 0
                if bytes.count - split.upperBound >= count {
                    return (head, String(decoding: bytes[split.upperBound...], as: UTF8.self))
                }
            }
            var chunk = [UInt8](repeating: 0, count: 1 << 16)
            let count = recv(connection, &chunk, chunk.count, 0)
            guard count > 0 else { return nil }
            bytes.append(contentsOf: chunk[..<count])
        }
    }
}
