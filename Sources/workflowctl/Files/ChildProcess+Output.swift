internal import Adapters

extension ChildProcess {
    /// The variables passed to a program: those needed to find files and to show text, and none
    /// that may be a key.
    private static let passedOn = [
        "PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "TERM", "COLUMNS", "LINES", "LESS",
        "LESSSECURE",
    ]

    /// Returns the variables of an environment that a program receives, as `NAME=value`.
    static func variables(
        of environment: [String: String],
        named names: [String] = passedOn
    ) -> [String] {
        names.compactMap { name in environment[name].map { "\(name)=\($0)" } }
    }

    /// Runs a program and returns its output; `nil` when it could not be run, failed, or exceeded a
    /// limit.
    static func output(
        of arguments: [String],
        input: [UInt8],
        environment: [String: String],
        outputLimit: Int,
        timeLimit: Duration
    ) -> [UInt8]? {
        let result = try? run(
            arguments,
            input: input,
            variables: variables(of: environment),
            outputLimit: outputLimit,
            timeLimit: timeLimit
        )
        return result?.end == .exited(0) ? result?.output : nil
    }
}
