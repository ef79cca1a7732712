internal import Adapters

/// Facts about this program, for bug reports.
enum BuildFacts {
    /// The version and the facts on separate lines; the first line is only the version.
    static let text = (["workflowctl \(Build.version)"] + facts).joined(separator: "\n")

    /// The same on one line.
    static let line = "workflowctl \(Build.version): \(facts.joined(separator: "; "))"

    /// How the program was built, with which rules, and with which libraries it runs.
    private static let facts = [
        "\(mode) build, Swift \(compiler), \(platform)",
        "store schema "
            + StoreKinds.all.map { "\($0.schema) (\($0.title))" }.joined(separator: ", "),
        [
            CurlTransport.libraryVersion, UVLoop.libraryVersion, StoreKinds.ofFiles.libraryVersion,
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

    /// The oldest compiler that can have built it.
    static var compiler: String {
        #if compiler(>=6.4)
            "6.4 or newer"
        #elseif compiler(>=6.3)
            "6.3"
        #else
            "6.2"
        #endif
    }

    /// The platform.
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
