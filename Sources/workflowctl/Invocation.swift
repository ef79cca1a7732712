internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// What one run of a command is given: nothing below asks the process for it.
struct Invocation: Sendable {
    /// The variables of the environment.
    var environment: [String: String]
    /// Where data goes.
    var output: Sink
    /// Where words go.
    var diagnostics: Sink
    /// Reads all of standard input, up to so many bytes.
    var readInput: @Sendable (_ limit: Int) throws(Failure) -> [UInt8]
    /// The descriptor of standard input, where it can be read piece by piece.
    var inputDescriptor: Int32?
    /// The time.
    var now: @Sendable () -> Instant
    /// The loop that everything asynchronous runs on.
    var loop: UVLoop
    /// The name under which the program was called, for commands to paste.
    var program: String

    /// Writes a line of data.
    func print(_ line: String) {
        output.write(line + "\n")
    }

    /// Writes a line of data in its colours.
    func print(_ line: StyledText) {
        output.write(line + "\n")
    }

    /// Writes a line of words for people.
    func note(_ line: String) {
        diagnostics.write(line + "\n")
    }

    /// Writes a line of words for people, in its colours.
    func note(_ line: StyledText) {
        diagnostics.write(line + "\n")
    }

    /// The time as instants are read from the wall clock.
    static func wallClock() -> Instant {
        Instant(microseconds: LoopClock.wallMicroseconds())
    }
}
