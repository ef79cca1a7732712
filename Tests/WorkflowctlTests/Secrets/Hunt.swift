import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Sandbox

/// Runs the program, keeps its output, and knows which values are secrets.
final class Hunt: Sendable {
    let world: World
    private let chosen = Mutex<Set<String>>([])
    private let heard = Mutex(0)
    private let gathered = Mutex(Parts())
    private let holder: TestProcess

    /// Parts of a store's sealed values, and of what is in the clear beside them.
    private struct Parts {
        var sealed: Set<String> = []
        var open: Set<String> = []
    }

    /// The directory that is searched, with the output and the program's files.
    let folder: String
    /// The directory of the program's input files.
    let given: String

    /// Creates a world whose store, temporary files and own files are in another folder than the
    /// program's input.
    private init(_ world: World) throws {
        given = world.folder
        folder = world.folder + "/hunted"
        for name in ["", "/heard", "/tmp", "/store"] {
            try FileManager.default.createDirectory(
                atPath: folder + name,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        }
        var world = world
        world.tool.environment = [
            "WORKFLOWCTL_STORE": "sqlite:\(folder)/store/payments.db", "TMPDIR": folder + "/tmp",
            "SQLITE_TMPDIR": folder + "/tmp",
            "SWIFT_BACKTRACE": "enable=yes,interactive=no,color=no,output-to=stderr",
        ]
        self.world = world
        // A permanent reader, so that the write-ahead log keeps everything that was written to it.
        holder = try world.tool.start(
            "/usr/bin/env",
            ["python3", "-c", Self.holding, folder + "/store/payments.db"],
            input: nil
        )
    }

    private static let holding = """
        import os, sqlite3, sys, time
        while True:
            try:
                store = sqlite3.connect('file:' + sys.argv[1] + '?mode=ro', uri=True)
                store.execute('BEGIN')
                store.execute('SELECT count(*) FROM events').fetchall()
                break
            except sqlite3.Error:
                time.sleep(0.01)
        while True:
            time.sleep(1)
        """

    /// Hunts in a world, and ends the processes that it started.
    static func through(_ world: World, _ body: (Hunt) async throws -> Void) async throws {
        let hunt = try Hunt(world)
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(hunt))
        } catch {
            result = .failure(error)
        }
        kill(hunt.holder.id, SIGKILL)
        _ = try await world.tool.finish(hunt.holder)
        try result.get()
    }

    /// Ends the reader, so that the write-ahead log can be truncated.
    func letGo() { kill(holder.id, SIGKILL) }

    /// Chooses a secret to search for.
    @discardableResult
    func secret(_ text: String) -> String {
        chosen.withLock { _ = $0.insert(text) }
        return text
    }

    /// Writes a file with secrets for the program to read.
    func file(_ name: String, _ text: String) throws -> String {
        try world.write(text, to: name)
    }

    /// Runs the program as the merchant.
    @discardableResult
    func run(_ arguments: [String], input: String? = nil) async throws -> Tool.Result {
        let result = try await world.tool.run(
            ["--allow-insecure-loopback"] + arguments,
            input: input
        )
        try keep(result, of: arguments)
        return result
    }

    /// Runs the program and expects success.
    @discardableResult
    func done(
        _ arguments: String...,
        input: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Tool.Result {
        let result = try await run(arguments, input: input)
        #expect(
            result.status == 0,
            "\(arguments.first ?? ""): \(result.diagnostics)",
            sourceLocation: sourceLocation
        )
        return result
    }

    /// Runs the program and expects a failure.
    @discardableResult
    func refused(
        _ arguments: String...,
        input: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Tool.Result {
        let result = try await run(arguments, input: input)
        #expect(
            result.status != 0,
            "\(arguments.first ?? ""): \(result.output)",
            sourceLocation: sourceLocation
        )
        return result
    }

    /// Keeps the output of a run, without the members that are intended for the client.
    func keep(_ result: Tool.Result, of arguments: [String]) throws {
        let number = heard.withLock { count -> Int in
            count += 1
            return count
        }
        let name = "\(folder)/heard/\(number)-\(Self.command(of: arguments))"
        let output =
            Self.isForClient(arguments) ? try Self.withoutActions(result.output) : result.output
        // A page is meant for its client.
        if !arguments.contains("page") {
            try Data(output.utf8).write(to: URL(fileURLWithPath: name + "-out"))
        }
        try Data(result.diagnostics.utf8).write(to: URL(fileURLWithPath: name + "-err"))
    }

    /// The name of the command, without any arguments.
    private static func command(of arguments: [String]) -> String {
        let names: Set = driving.union([
            "list", "show", "log", "replay", "verify", "export", "import", "tokens",
            "checkout", "page", "erase", "keys", "retention", "redact", "checkpoint",
        ])
        return arguments.first(where: names.contains) ?? "other"
    }

    /// Commands that drive a session; with `--json` they print the values for the client.
    private static let driving: Set<String> = [
        "open", "attempt", "menu", "report", "return", "retry", "abort", "resume", "start",
        "instrument", "native", "callback", "order",
    ]

    private static func isForClient(_ arguments: [String]) -> Bool {
        arguments.contains("--json") && arguments.contains { driving.contains($0) }
            || arguments.contains("checkout") && arguments.contains("menu")
    }

    /// Returns a view without the members of its actions that the driving client receives in the
    /// clear.
    private static func withoutActions(_ output: String) throws -> String {
        guard var view = try? JSON(parsing: output).value as? [String: Any],
            let actions = view["actions"] as? [[String: Any]]
        else { return output }
        let clear: Set = ["url", "fields", "request", "paymentRequest", "notificationURL"]
        view["actions"] = actions.map { $0.filter { !clear.contains($0.key) } }
        let rest = try JSONSerialization.data(withJSONObject: view)
        return String(decoding: rest, as: UTF8.self)
    }

    /// Searches everything for the chosen secrets and for those that the store has sealed.
    ///
    /// There must be at least `atLeast` parts of sealed values, so that the search means something.
    func expectNothing(
        atLeast: Int = 50,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await gather()
        let (sealed, open) = gathered.withLock { ($0.sealed, $0.open) }
        let marked = chosen.withLock { $0 }
        let search = SecretSearch(marked.union(sealed.subtracting(open)))
        #expect(sealed.subtracting(open).count >= atLeast, "too little was sealed to be a test")
        let hits = try search.hits(below: folder).filter { !Self.keyFiles.contains($0.place) }
        #expect(
            hits.isEmpty,
            "\(Set(hits.map(\.description)).sorted().prefix(40).joined(separator: "\n"))",
            sourceLocation: sourceLocation
        )
        let planted = folder + "/planted"
        let sample = try #require(sealed.subtracting(open).sorted().first)
        try Data("a\(sample)b".utf8).write(to: URL(fileURLWithPath: planted))
        #expect(try search.hits(below: folder).contains { $0.place == "/planted" })
    }

    /// The keys that open and sign are only in files of their own.
    private static let keyFiles = ["/store/payments.db.key", "/store/payments.db.signing-key"]

    /// Records what the store has sealed, and its keys, while that is known.
    func gather() async throws {
        for file in Self.keyFiles {
            let text = try? String(contentsOfFile: folder + file, encoding: .utf8)
            for key in (text ?? "").split(whereSeparator: \.isWhitespace) { secret(String(key)) }
        }
        for session in try await sessions() {
            let revealed = try await world.tool.run(["export", session, "--reveal"])
            // An erased session cannot be opened.
            if revealed.status == 1 { continue }
            try #require(revealed.status == 0, "\(revealed.diagnostics)")
            try note(revealed.output)
        }
    }

    /// Returns the sessions of the store.
    func sessions() async throws -> [String] {
        try await world.tool.run(["list", "--json"]).json.list.compactMap { $0["session"].text }
    }

    /// Collects the values of a log whose seals were opened.
    private func note(_ log: String) throws {
        for line in log.split(separator: "\n") {
            let document = try JSON(parsing: String(line))
            let sealed = document["plain"].list.compactMap(\.text).flatMap(Self.tellingParts)
            let data = document["record"]["data"]
            // The PSP's name of an order is in the clear, and in the addresses of its operations.
            var open = [data["order"]["id"].text, data["order"].text].compactMap { $0 }
                .flatMap(Self.tellingParts)
            open += [data["payeeReference"].text].compactMap { $0 }
            gathered.withLock { parts in
                parts.sealed.formUnion(sealed)
                parts.open.formUnion(open)
            }
        }
    }

    /// Returns the parts of a secret that do not occur by chance: tokens, numbers of persons,
    /// marked words.
    private static func tellingParts(of text: String) -> [String] {
        text.split { !($0.isASCII && ($0.isLetter || $0.isNumber) || "-_.~+=".contains($0)) }.map(
            String.init
        )
        .filter { part in
            let digits = part.count(where: \.isNumber)
            let isNumber = digits >= 9 && part.allSatisfy { $0.isNumber || $0 == "+" }
            let isToken = part.count >= 16 && digits > 0 && part.contains(where: \.isLetter)
            return isNumber || isToken || part.contains("marked")
        }
    }
}
