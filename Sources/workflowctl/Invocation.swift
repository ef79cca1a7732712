internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// Everything that one run of a command gets from its process.
///
/// Commands never read it from the process themselves.
struct Invocation: Sendable {
    /// The environment variables.
    var environment: [String: String]
    /// The output for data.
    var output: Sink
    /// The output for messages.
    var diagnostics: Sink
    /// Reads all of standard input, up to a number of bytes.
    var readInput: @Sendable (_ limit: Int) throws(Failure) -> [UInt8]
    /// The file descriptor of standard input, where it can be read in parts.
    var inputDescriptor: Int32?
    /// Returns the current time.
    var now: @Sendable () -> Instant
    /// The event loop of all asynchronous work.
    var loop: UVLoop
    /// The name under which the program was called, for commands that can be copied.
    var program: String

    /// Writes a line of data.
    func print(_ line: String) {
        output.write(line + "\n")
    }

    /// Writes a line of data in colour.
    func print(_ line: StyledText) {
        output.write(line + "\n")
    }

    /// Writes a line of a message.
    func note(_ line: String) {
        diagnostics.write(line + "\n")
    }

    /// Writes a line of a message in colour.
    func note(_ line: StyledText) {
        diagnostics.write(line + "\n")
    }

    /// The current time of the wall clock.
    static func wallClock() -> Instant {
        Instant(microseconds: LoopClock.wallMicroseconds())
    }
}
