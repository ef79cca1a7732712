internal import Glibc
internal import Inspection
internal import SwedbankPay

/// Steps through a log on a terminal, forward and back.
enum StepSession {
    /// Shows a log, from one of its events, until the user leaves.
    static func run(
        _ replay: Replay,
        from place: Int64,
        _ invocation: Invocation
    ) throws(Failure) -> ExitStatus {
        let hint = "--at SEQ and --diff A..B show the same without a keyboard"
        guard invocation.environment["TERM"] != "dumb" else {
            throw .usage("step", "this terminal cannot be drawn upon", hint: hint)
        }
        let output = invocation.output
        guard
            let keyboard = Keyboard(
                standardInput: invocation.inputDescriptor,
                show: { output.draw($0) }
            )
        else {
            throw .usage("step", "there is no terminal to read keys from", hint: hint)
        }
        defer { keyboard.end() }
        var screen = StepScreen(replay, at: place)
        var isStale = true
        while !Task.isCancelled {
            if isStale {
                let size = size(invocation)
                let lines = screen.lines(columns: size.columns, rows: size.rows, output.style)
                // Line by line, without clearing first, so that a slow line does not flicker.
                let moves = lines.map { [ScreenMove.text($0), .clearRestOfLine] }
                output.draw([.home] + moves.joined(separator: [.nextLine]) + [.clearBelow])
            }
            guard let key = keyboard.next() else {
                isStale = false
                continue
            }
            switch key {
            case .leave: return .done
            case .interrupt: return .interrupted
            default: screen.take(key)
            }
            isStale = true
        }
        return .interrupted
    }

    /// Returns the terminal's size: from the terminal, else from the environment.
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
