internal import Measuring

/// The helpers within this program.
enum Child {
    /// Runs a helper by its name.
    static func run(_ arguments: [String]) async throws {
        switch arguments.first {
        case "sandbox": try await SandboxChild.run()
        case "fill" where arguments.count == 5:
            try await Filling.child(
                directory: arguments[1],
                file: arguments[2],
                polled: Int(arguments[3]) ?? 0,
                interval: Int(arguments[4]) ?? 10
            )
        default: throw ChildProcess.Failure(description: "no such helper")
        }
    }
}
