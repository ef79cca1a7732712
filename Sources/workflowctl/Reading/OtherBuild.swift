internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay
internal import Workflow

/// Another build of the program, which is run on logs.
extension OtherBuild {
    /// The time limit for the other build.
    static let timeLimit = Duration.seconds(120)
    /// The maximum size of its output, in bytes.
    static let outputLimit = 4 << 20

    /// Returns the name and version of another build.
    ///
    /// - Throws: A failure when it does not print them.
    static func version(
        of program: String,
        _ environment: [String: String]
    ) throws(Failure) -> String {
        let version = ChildProcess.output(
            of: shell(#"exec "$@""#, [program, "--version"]),
            input: [],
            environment: environment,
            outputLimit: 4096,
            timeLimit: timeLimit
        )
        guard let version, let name = version.split(separator: UInt8(ascii: "\n")).first else {
            throw unusable
        }
        return text(name)
    }

    /// Passes a log to another build and reads its output.
    ///
    /// `program` is that build's path and `name` its name for itself. Sealed values of the log are
    /// not passed. Both builds use the same configuration.
    static func ask(
        _ program: String,
        named name: String,
        about log: SessionLog,
        config: String?,
        _ environment: [String: String]
    ) throws(Failure) -> OtherBuild {
        var lines: [UInt8] = []
        for record in log.records {
            var shut = record
            shut.seals = []
            lines += LogLine.encode(shut) + [UInt8(ascii: "\n")]
        }
        // Exit status 1 means a difference, which is a valid result.
        let script = #""$@"; code=$?; [ $code -eq 0 ] || [ $code -eq 1 ]"#
        var arguments = [program, "replay", "-", "--check", "--json"]
        if let config { arguments += ["--config", config] }
        let response = ChildProcess.output(
            of: shell(script, arguments),
            input: lines,
            environment: environment,
            outputLimit: outputLimit,
            timeLimit: timeLimit
        )
        guard let response, let json = try? JSONValue(parsing: response) else { throw unusable }
        guard let build = OtherBuild(version: name, saying: json) else { throw unusable }
        return build
    }

    private static let unusable = Failure(
        .refused,
        "bisect.no-answer",
        "the other program did not print its decisions",
        hint: "make sure that 'PROGRAM replay FILE --check --json' works with a log of this session"
    )

    /// Runs a script in a shell, which finds a program by its name as well as by its path.
    private static func shell(_ script: String, _ arguments: [String]) -> [String] {
        ["/bin/sh", "-c", script, "sh"] + arguments
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        Screen.safe(Screen.cut(String(decoding: bytes, as: UTF8.self), to: 200))
    }
}
