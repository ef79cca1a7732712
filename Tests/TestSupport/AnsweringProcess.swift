public import Foundation
internal import Glibc

/// A process that answers each line that it is sent with one line, and that many tests share.
///
/// It starts with the first line, is asked by one test at a time, and ends with the tests: its
/// input ends when they do. Each request fails once it has ended.
public final class AnsweringProcess: @unchecked Sendable {
    // Unchecked: the lock protects everything that changes.
    private let lock = NSLock()
    private let command: [String]
    private var running: (process: Process, socket: Int32)?

    /// What happened instead of an answer.
    public struct Ended: Error, CustomStringConvertible {
        /// The description.
        public var description: String
    }

    /// A process that runs a program of the search path.
    public init(_ name: String, _ arguments: [String]) { command = [name] + arguments }

    /// Returns the line with which the process answers.
    public func answer(to line: Data) throws -> Data {
        try lock.withLock {
            let socket = try start()
            try send(line + Data("\n".utf8), to: socket)
            return try receive(from: socket)
        }
    }

    private func start() throws -> Int32 {
        if let running { return running.socket }
        // With one socket both ways a process that has ended is an error, not a signal.
        var ends: [Int32] = [0, 0]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw Ended(description: "no socket")
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        let theirs = FileHandle(fileDescriptor: ends[1], closeOnDealloc: false)
        process.standardInput = theirs
        process.standardOutput = theirs
        try process.run()
        close(ends[1])
        running = (process, ends[0])
        // The first line says that it is ready.
        _ = try receive(from: ends[0])
        return ends[0]
    }

    private func send(_ bytes: Data, to socket: Int32) throws {
        var sent = 0
        try bytes.withUnsafeBytes { bytes in
            while sent < bytes.count {
                let count = Glibc.send(
                    socket,
                    bytes.baseAddress?.advanced(by: sent),
                    bytes.count - sent,
                    Int32(MSG_NOSIGNAL)
                )
                if count < 0, errno == EINTR { continue }
                guard count > 0 else {
                    throw Ended(description: "\(command) has ended and takes no request")
                }
                sent += count
            }
        }
    }

    private func receive(from socket: Int32) throws -> Data {
        var answer = Data()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while answer.last != UInt8(ascii: "\n") {
            let count = recv(socket, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw Ended(description: "\(command) has ended without an answer")
            }
            answer += buffer[..<count]
        }
        return answer
    }
}
