import Foundation
import TestSupport

/// The failure of a browser test's step.
struct BrowserFailure: Error, CustomStringConvertible {
    let description: String
}

/// A headless Chromium and a web server, driven by `Tests/Tools/browser.py`.
///
/// It is required: without a browser the tests fail and say what is missing.
final class Browser: Sendable {
    /// The web server's URL.
    let site: String

    private let process: Process
    private let input: FileHandle
    private let lines: Lines
    private let queue = DispatchQueue(label: "browser")

    /// Starts the browser and the web server.
    static func start() async throws -> Browser {
        let process = Process()
        let input = Pipe()
        let output = Pipe()
        let tool = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Tools/browser.py")
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", tool.path()]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let lines = Lines(output.fileHandleForReading)
        let first = try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try Self.value(of: lines.next()) })
            }
        }
        guard case .text(let site) = first else {
            throw BrowserFailure(description: "the browser did not start: \(first)")
        }
        return Browser(process, input.fileHandleForWriting, lines, site: site)
    }

    private init(_ process: Process, _ input: FileHandle, _ lines: Lines, site: String) {
        self.process = process
        self.input = input
        self.lines = lines
        self.site = site
    }

    /// Ends the browser and the web server.
    func end() async {
        await withCheckedContinuation { continuation in
            queue.async { [self] in
                try? input.close()
                process.waitForEnd()
                continuation.resume()
            }
        }
    }

    /// Performs one step.
    @discardableResult
    func perform(_ what: String, _ members: [String: Answer] = [:]) async throws -> Answer {
        var command = members
        command["do"] = .text(what)
        let line = try JSONEncoder().encode(command) + Data("\n".utf8)
        return try await withCheckedThrowingContinuation { continuation in
            queue.async { [self] in
                continuation.resume(
                    with: Result {
                        try input.write(contentsOf: line)
                        return try Self.value(of: lines.next())
                    }
                )
            }
        }
    }

    private static func value(of line: Data) throws -> Answer {
        let response = try JSONDecoder().decode([String: Answer].self, from: line)
        if case .text(let error)? = response["error"] { throw BrowserFailure(description: error) }
        return response["value"] ?? .null
    }
}

/// The lines from a pipe, read one after the other.
private final class Lines: @unchecked Sendable {
    // Used from one queue at a time: by `start` before there is a browser, then by its queue.
    private let handle: FileHandle
    private var pending = Data()

    init(_ handle: FileHandle) { self.handle = handle }

    func next() throws -> Data {
        while true {
            if let end = pending.firstIndex(of: 0x0A) {
                let line = pending[..<end]
                pending = Data(pending[(end + 1)...])
                return Data(line)
            }
            let part = handle.availableData
            guard !part.isEmpty else { throw BrowserFailure(description: "browser.py ended") }
            pending += part
        }
    }
}

/// A JSON value.
enum Answer: Codable, Equatable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case text(String)
    case list([Answer])
    case object([String: Answer])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let bool = try? container.decode(Bool.self) {
            self = .bool(bool)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let list = try? container.decode([Answer].self) {
            self = .list(list)
        } else {
            self = .object(try container.decode([String: Answer].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let bool): try container.encode(bool)
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        case .list(let list): try container.encode(list)
        case .object(let members): try container.encode(members)
        }
    }

    subscript(name: String) -> Answer? {
        guard case .object(let members) = self else { return nil }
        return members[name]
    }

    var list: [Answer] {
        guard case .list(let list) = self else { return [] }
        return list
    }

    var text: String {
        guard case .text(let text) = self else { return "" }
        return text
    }
}
