internal import Glibc

/// The profiler that samples this program while the engine is measured, and only then.
///
/// `scripts/profile` starts `perf` with its events off and names two pipes in the environment.
/// Whatever a row prepares, and its baseline, is not sampled.
enum Profiler {
    /// The pipe that takes the commands; negative without a profiler.
    private static let commands = pipe("BENCH_PERF_CONTROL", O_WRONLY)
    /// The pipe on which each command is confirmed.
    private static let confirmations = pipe("BENCH_PERF_ACK", O_RDONLY)

    /// Runs a measurement of the engine under the profiler, if there is one.
    static func sampling<Result>(
        _ measure: () async throws -> Result
    ) async throws -> Result {
        guard commands >= 0 else { return try await measure() }
        send("enable\n")
        defer { send("disable\n") }
        return try await measure()
    }

    /// Sends a command and waits until it has been carried out.
    private static func send(_ command: String) {
        var confirmation = [UInt8](repeating: 0, count: 64)
        guard write(commands, command, command.utf8.count) == command.utf8.count,
            read(confirmations, &confirmation, confirmation.count) > 0
        else { fatalError("the profiler has ended") }
    }

    private static func pipe(_ variable: String, _ mode: CInt) -> CInt {
        guard let path = getenv(variable) else { return -1 }
        return open(path, mode | O_CLOEXEC)
    }
}
