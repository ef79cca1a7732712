internal import EventLog
internal import Glibc
internal import Inspection
internal import SwedbankPay

/// Steps through a log on a terminal, forward and back.
enum StepSession {
    /// Shows a log, from one of its events, until the user leaves.
    static func run(
        _ replay: Replay,
        from sequence: SequenceNumber,
        _ invocation: Invocation
    ) throws(Failure) -> ExitStatus {
        let hint = "use --at SEQ or --diff A..B instead, which need no keyboard"
        guard invocation.environment["TERM"] != "dumb" else {
            throw .usage("step", "this terminal does not support --step", hint: hint)
        }
        let output = invocation.output
        guard
            let keyboard = Keyboard(
                standardInput: invocation.inputDescriptor,
                show: { output.draw($0) }
            )
        else {
            throw .usage("step", "--step requires a terminal", hint: hint)
        }
        defer { keyboard.end() }
        var screen = StepScreen(replay, at: sequence)
        var isStale = true
        while !Task.isCancelled {
            if isStale {
                let size = size(invocation)
                let lines = screen.lines(columns: size.columns, rows: size.rows, output.style)
                // Line over line, without clearing the screen first, so that it does not flicker on
                // a slow connection.
                let moves = lines.map { [ScreenMove.text($0), .clearRestOfLine] }
                output.draw([.home] + moves.joined(separator: [.nextLine]) + [.clearBelow])
            }
            guard let key = keyboard.next() else {
                isStale = false
                continue
            }
            switch key {
            case .leave where !screen.isHelp: return .done
            case .interrupt: return .interrupted
            default: screen.handle(key)
            }
            isStale = true
        }
        return .interrupted
    }

    /// The size of the terminal as it reports it, or else that of the environment.
    private static func size(_ invocation: Invocation) -> (columns: Int, rows: Int) {
        var size = winsize()
        if ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 {
            return (Int(size.ws_col), Int(size.ws_row))
        }
        func number(_ name: String, _ usual: Int) -> Int {
            invocation.environment[name].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } ?? usual
        }
        return (number("COLUMNS", 80), number("LINES", 24))
    }
}
