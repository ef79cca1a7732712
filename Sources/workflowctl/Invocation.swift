internal import Adapters
internal import Workflow

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

    /// Writes a line of words for people.
    func note(_ line: String) {
        diagnostics.write(line + "\n")
    }

    /// The time as instants are read from the wall clock.
    static func wallClock() -> Instant {
        Instant(microseconds: LoopClock.wallMicroseconds())
    }
}

/// Where text goes: a terminal, or something else.
struct Sink: Sendable {
    /// Whether a person looks at it.
    var isTerminal: Bool
    /// The width in columns, when it is known.
    var columns: Int?
    /// How text is coloured on its way there.
    var style: Style
    /// Whether nobody reads any more.
    var isGone: @Sendable () -> Bool = { false }
    /// Takes bytes.
    var take: @Sendable ([UInt8]) -> Void

    /// Writes text.
    func write(_ text: String) { take(Array(text.utf8)) }
}
