import Foundation

/// The library that injects faults of the file system and the clock into a program:
/// `Tests/Campaigns/Faults`.
///
/// It is compiled on first use, by the compiler that comes with Swift.
enum Faults {
    /// The moment in a call that changes a file at which a process ends.
    enum Moment: String, CaseIterable, Sendable {
        case before, torn, after
    }

    /// Returns variables that kill a program at its `number`-th change of a file whose path
    /// contains `path`.
    static func kill(at number: Int, _ moment: Moment, of path: String) throws -> [String: String] {
        [
            "LD_PRELOAD": try library.get(), "FAULTS_KILL": "\(number)",
            "FAULTS_WHEN": moment.rawValue, "FAULTS_PATH": path,
        ]
    }

    /// Returns variables that make a program follow a switch.
    static func follow(_ faultSwitch: Switch) throws -> [String: String] {
        [
            "LD_PRELOAD": try library.get(), "FAULTS_SWITCH": faultSwitch.path,
            "FAULTS_PATH": faultSwitch.files,
        ]
    }

    /// Controls at any time what fails from now on.
    struct Switch: Sendable {
        var path: String
        /// A part of the paths of the affected files.
        var files: String

        /// Makes changes of the files fail with a system error, and shifts the wall clock by some
        /// seconds.
        func set(errno: Int32 = 0, clockOffBy seconds: Int = 0) throws {
            try Data("\(errno)\n\(seconds)\n".utf8).write(
                to: URL(fileURLWithPath: path),
                options: .atomic
            )
        }
    }

    private static let library = Result<String, any Error> {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let compiler = Process()
        compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        compiler.arguments = [
            "clang", "-shared", "-fPIC", "-O1", "-o", target,
            folder.appendingPathComponent("Faults/faults.c").path, "-ldl",
        ]
        try compiler.run()
        compiler.waitUntilExit()
        guard compiler.terminationStatus == 0 else { throw CampaignError("clang refused faults.c") }
        atexit { unlink(Faults.target) }
        return target
    }

    private static let target = NSTemporaryDirectory() + "campaign-faults-\(getpid()).so"
}

/// Why a campaign cannot continue.
struct CampaignError: Error, CustomStringConvertible {
    var description: String

    init(_ words: String) { description = words }
}
