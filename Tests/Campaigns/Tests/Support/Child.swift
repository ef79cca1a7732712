import Foundation

/// A process of a program in this package, whose output goes to files, so that no kill loses it.
final class Child: @unchecked Sendable {
    // Unchecked: one task uses the process object; its end is behind the stream.
    private let process = Process()
    private let ended: AsyncStream<Int32>
    private let outputPath: String
    private let errorPath: String

    /// How a process ended, and its output.
    struct Ending: Sendable {
        /// The exit code; 128 plus the number of the signal that ended it.
        var status: Int32
        var output: String
        var words: String
        /// Whether it was killed because it exceeded its time limit.
        var ranOut = false

        /// Whether the process was killed.
        var wasKilled: Bool { status == 128 + SIGKILL }

        /// The JSON document on standard output.
        var json: Any? { try? JSONSerialization.jsonObject(with: Data(output.utf8)) }
    }

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - program: Its name; it is next to the tests.
    ///   - arguments: Its arguments.
    ///   - folder: Its working directory, in which its output is kept.
    ///   - environment: Its variables, beside the path.
    ///   - input: Its standard input.
    /// - Throws: An error when the program is missing or cannot be started.
    init(
        _ program: String,
        _ arguments: [String],
        in folder: String,
        environment: [String: String] = [:],
        input: String = ""
    ) throws {
        let name = "\(folder)/words-\(UUID().uuidString.prefix(8))"
        (outputPath, errorPath) = (name + ".out", name + ".err")
        try Data(input.utf8).write(to: URL(fileURLWithPath: name + ".in"))
        for path in [outputPath, errorPath] {
            _ = FileManager.default.createFile(atPath: path, contents: nil)
        }
        let path = Self.path(of: program)
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw CampaignError("there is no program \(path)")
        }
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        process.environment = environment.merging(Self.environment) { first, _ in first }
        let files = [
            FileHandle(forReadingAtPath: name + ".in"), FileHandle(forWritingAtPath: outputPath),
            FileHandle(forWritingAtPath: errorPath),
        ]
        process.standardInput = files[0]
        process.standardOutput = files[1]
        process.standardError = files[2]
        let (ended, end) = AsyncStream<Int32>.makeStream()
        self.ended = ended
        process.terminationHandler = {
            let isSignal = $0.terminationReason == .uncaughtSignal
            end.yield(isSignal ? 128 + $0.terminationStatus : $0.terminationStatus)
            end.finish()
        }
        try process.run()
        // Foundation releases a process and its files only for the caller that waits for its end.
        for file in files { try file?.close() }
        try? FileManager.default.removeItem(atPath: name + ".in")
    }

    /// The output so far.
    var outputSoFar: String {
        (try? String(contentsOfFile: outputPath, encoding: .utf8)) ?? ""
    }

    var isRunning: Bool { process.isRunning }

    /// Kills it, as in a crash.
    func kill(_ signal: Int32 = SIGKILL) {
        if process.isRunning { Glibc.kill(process.processIdentifier, signal) }
    }

    /// Ends it, even if others wait for its end, and returns when it has ended.
    func end() async {
        kill()
        // A killed process ends at once, unless it hangs in a system call to a disk.
        for _ in 1...400 where isRunning { try? await Task.sleep(for: .milliseconds(5)) }
    }

    /// Waits for the end of the process.
    func ending() async -> Ending {
        var status: Int32 = -1
        for await code in ended { status = code }
        defer {
            for path in [outputPath, errorPath] {
                try? FileManager.default.removeItem(atPath: path)
            }
        }
        return Ending(
            status: status,
            output: outputSoFar,
            words: (try? String(contentsOfFile: errorPath, encoding: .utf8)) ?? ""
        )
    }

    /// Waits for its end, and kills it after a while.
    func ending(killedAfter limit: Duration) async -> Ending {
        let timer = Task {
            // Cancelled when the process ended by itself.
            guard (try? await Task.sleep(for: limit)) != nil, isRunning else { return false }
            kill()
            return true
        }
        var ending = await ending()
        timer.cancel()
        ending.ranOut = await timer.value && ending.wasKilled
        return ending
    }

    /// The variables of every program: the path, a locale, and the options of a sanitizer.
    private static let environment = {
        var environment = ProcessInfo.processInfo.environment.filter { name, _ in
            name == "PATH" || name.hasSuffix("SAN_OPTIONS")
        }
        environment["LANG"] = "C.UTF-8"
        return environment
    }()

    /// Returns the path of a program that is built next to the tests, or of one of the system.
    ///
    /// `CAMPAIGN_HOST` names another host, for example one that was built with a sanitizer.
    static func path(of program: String) -> String {
        guard !program.hasPrefix("/") else { return program }
        if program == "CampaignHost", let other = CampaignOptions.host {
            return URL(fileURLWithPath: other).path
        }
        let tests =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        var folder = URL(fileURLWithPath: tests).deletingLastPathComponent()
        while folder.path != "/" {
            let candidate = folder.appendingPathComponent(program).path
            if FileManager.default.isExecutableFile(atPath: candidate) { return candidate }
            folder.deleteLastPathComponent()
        }
        return program
    }
}
