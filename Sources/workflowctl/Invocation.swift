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
    /// The descriptor of standard input, if it can be streamed.
    var inputDescriptor: Int32?
    /// Returns the current time.
    var now: @Sendable () -> Instant
    /// The loop that runs everything asynchronous.
    var loop: UVLoop
    /// The name under which the program was started, for commands to paste.
    var program: String

    /// Prints a line of data.
    func print(_ line: String) {
        output.write(line + "\n")
    }

    /// Prints a styled line of data.
    func print(_ line: StyledText) {
        output.write(line + "\n")
    }

    /// Prints a message for people.
    func note(_ line: String) {
        diagnostics.write(diagnostics.wrapped(line) + "\n")
    }

    /// Prints a styled message for people.
    func note(_ line: StyledText) {
        diagnostics.write(line + "\n")
    }

    /// Returns the time of the wall clock.
    static func wallClock() -> Instant {
        Instant(microseconds: LoopClock.wallMicroseconds())
    }
}
