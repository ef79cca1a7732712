import Foundation

/// The library that lets the file system and the clock fail a program: `Tests/Campaigns/Faults`.
///
/// It is compiled when it is first needed, by the compiler that comes with Swift.
enum Faults {
    /// Where in a call that changes a file a process ends.
    enum Moment: String, CaseIterable, Sendable {
        case before, torn, after
    }

    /// Variables with which a program is killed at its `number`-th change of a file whose path
    /// contains `path`.
    static func kill(at number: Int, _ moment: Moment, of path: String) throws -> [String: String] {
        [
            "LD_PRELOAD": try library.get(), "FAULTS_KILL": "\(number)",
            "FAULTS_WHEN": moment.rawValue, "FAULTS_PATH": path,
        ]
    }

    /// Variables with which a program follows a switch.
    static func follow(_ faultSwitch: Switch) throws -> [String: String] {
        [
            "LD_PRELOAD": try library.get(), "FAULTS_SWITCH": faultSwitch.path,
            "FAULTS_PATH": faultSwitch.files,
        ]
    }

    /// Says at any time what fails from now on.
    struct Switch: Sendable {
        var path: String
        /// What the paths of the files contain that it is about.
        var files: String

        /// Lets changes of the files fail with an error of the system, and the wall clock be off by
        /// some seconds.
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

/// Why a campaign can't go on.
struct CampaignError: Error, CustomStringConvertible {
    var description: String

    init(_ words: String) { description = words }
}
