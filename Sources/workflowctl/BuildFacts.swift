internal import Adapters

/// The version, build and platform of this program, for bug reports.
enum BuildFacts {
    /// Returns the version alone on the first line, then the facts on lines of their own.
    static let text = (["workflowctl \(Build.version)"] + facts).joined(separator: "\n")

    /// Returns everything on one line.
    static let line = "workflowctl \(Build.version): \(facts.joined(separator: "; "))"

    /// Returns how the program was built, its rules, and the libraries it runs with.
    private static let facts = [
        "\(mode) build, Swift \(compiler), \(platform)",
        "store schema \(SQLiteEventStore.currentSchemaVersion)",
        [
            CurlTransport.libraryVersion, UVLoop.libraryVersion, SQLiteEventStore.libraryVersion,
        ].joined(separator: " "),
    ]

    /// The build configuration and the compiler.
    static var mode: String {
        #if DEBUG
            "debug"
        #else
            "release"
        #endif
    }

    /// The oldest compiler that the program can have been built with.
    static var compiler: String {
        #if compiler(>=6.4)
            "6.4 or newer"
        #elseif compiler(>=6.3)
            "6.3"
        #else
            "6.2"
        #endif
    }

    /// The operating system and the processor architecture.
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
