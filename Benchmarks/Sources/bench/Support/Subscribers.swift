internal import Foundation
internal import Glibc
internal import Measuring

/// Many clients that follow one stream of the service, each over a connection of its own.
enum Subscribers {
    /// Connects them in a process of their own; returns when each has its first message.
    static func start(
        _ count: Int,
        of session: String,
        at service: ServeProcess
    ) throws -> ChildProcess {
        let port = service.url.split(separator: ":").last.map(String.init) ?? ""
        let process = try ChildProcess.helper([
            "subscribe", port, "/v1/sessions/\(session)/stream", service.token, "\(count)",
        ])
        guard try process.line() == "following" else {
            throw ChildProcess.Failure(description: "the subscribers did not connect")
        }
        return process
    }

    /// Returns how many seconds after a time the last of them had received what was recorded then.
    static func delay(of process: ChildProcess, since start: Double) throws -> Double {
        guard let end = Double(try process.line()) else {
            throw ChildProcess.Failure(description: "the subscribers received nothing")
        }
        return end - start
    }

    // MARK: Helper process

    /// The word of what is waited for.
    static let awaited = "noteAdded"

    /// Connects, reports that, and reports the time at which the last one has received the event.
    static func child(port: UInt16, path: String, token: String, count: Int) throws {
        let request = """
            GET \(path) HTTP/1.1\r
            Host: 127.0.0.1:\(port)\r
            Authorization: Bearer \(token)\r
            Accept: text/event-stream\r
            \r

            """
        var open: [Int32] = []
        // Connected some at a time: a listener has a short queue.
        while open.count < count {
            let some = try (0..<min(100, count - open.count)).map { _ in try connect(port, request)
            }
            open += some
            try receive("\n\n", by: some)
        }
        print("following")
        fflush(nil)
        try receive(awaited, by: open)
        print(Machine.seconds())
        fflush(nil)
        try? FileHandle.standardInput.readToEnd()
    }

    private static var failure: ChildProcess.Failure {
        ChildProcess.Failure(
            description: "a subscriber failed: \(String(cString: strerror(errno)))"
        )
    }

    private static func connect(_ port: UInt16, _ request: String) throws -> Int32 {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(socket, $0, size) == 0
            }
        }
        guard isConnected, send(socket, request, request.utf8.count, 0) == request.utf8.count
        else { throw failure }
        return socket
    }

    /// Reads until each of the sockets has received a text.
    private static func receive(_ text: String, by sockets: [Int32]) throws {
        var heard: [Int32: String] = [:]
        var missing = sockets.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !missing.isEmpty {
            guard poll(&missing, nfds_t(missing.count), 30_000) > 0 else { throw failure }
            missing = try missing.filter { entry in
                guard entry.revents != 0 else { return true }
                let size = recv(entry.fd, &buffer, buffer.count, 0)
                guard size > 0 else { throw failure }
                heard[entry.fd, default: ""] += String(
                    decoding: buffer.prefix(size),
                    as: UTF8.self
                )
                return heard[entry.fd]?.contains(text) == false
            }
        }
    }
}
