internal import Adapters

/// What this program is made of, for reports of faults.
enum BuildFacts {
    /// The version and the facts on lines of their own; the first line is the version alone.
    static let text = (["workflowctl \(Build.version)"] + facts).joined(separator: "\n")

    /// All of it on one line.
    static let line = "workflowctl \(Build.version): \(facts.joined(separator: "; "))"

    /// How it was built, with which rules, and with which libraries it runs.
    private static let facts = [
        "\(mode) build, Swift \(compiler), \(platform)",
        "store schema \(SQLiteEventStore.currentSchemaVersion)",
        [
            CurlTransport.libraryVersion, UVLoop.libraryVersion, SQLiteEventStore.libraryVersion,
        ].joined(separator: " "),
    ]

    /// How it was compiled.
    static var mode: String {
        #if DEBUG
            "debug"
        #else
            "release"
        #endif
    }

    /// The oldest compiler that it can have been built with.
    static var compiler: String {
        #if compiler(>=6.4)
            "6.4 or newer"
        #elseif compiler(>=6.3)
            "6.3"
        #else
            "6.2"
        #endif
    }

    /// What it runs on.
    static var platform: String {
        #if arch(x86_64)
            "linux-x86_64"
        #elseif arch(arm64)
            "linux-aarch64"
        #else
            "linux"
        #endif
    }
}
