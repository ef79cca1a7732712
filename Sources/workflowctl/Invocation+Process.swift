internal import Adapters
internal import Glibc
internal import Inspection

extension Invocation {
    /// Returns the invocation of this process, whose messages have a given form.
    static func process(
        on loop: UVLoop,
        color: Style.Choice,
        messages format: LogFormat
    ) -> Invocation {
        let environment = processEnvironment()
        let name = CommandLine.arguments.first ?? "workflowctl"
        return Invocation(
            environment: environment,
            output: .descriptor(STDOUT_FILENO, color: color, environment: environment),
            diagnostics: .messages(format, color: color, environment: environment),
            readInput: { limit throws(Failure) in
                try FileBytes.read(STDIN_FILENO, limit: limit)
            },
            inputDescriptor: STDIN_FILENO,
            now: Invocation.wallClock,
            loop: loop,
            program: name.unicodeScalars.contains("/") ? ShellText.word(name) : "workflowctl"
        )
    }

    /// Returns the variables that this program reads, and those that the programs it starts need.
    static func processEnvironment() -> [String: String] {
        var environment: [String: String] = [:]
        for name in [
            "WORKFLOWCTL_STORE", "WORKFLOWCTL_CONFIG", "WORKFLOWCTL_PROFILE",
            "WORKFLOWCTL_KEY_FILE",
            "WORKFLOWCTL_MASTER_KEY", "NO_COLOR", "CLICOLOR_FORCE", "TERM", "LC_ALL", "LC_CTYPE",
            "LANG", "TMPDIR", "COLUMNS", "PATH", "HOME", "XDG_CONFIG_HOME",
            "WORKFLOWCTL_TOKEN_FILE",
            "WORKFLOWCTL_HEADERS_FILE", "WORKFLOWCTL_SIGNING_KEY", "WORKFLOWCTL_SIGNING_KEY_FILE",
            "WORKFLOWCTL_CHECKPOINT_KEYS", "WORKFLOWCTL_KEY_COMMAND", "WORKFLOWCTL_OPERATOR",
            "WORKFLOWCTL_PAGER", "PAGER", "LESS", "LINES", LogFormat.variable,
            ServiceAddress.variable, "NOTIFY_SOCKET", "WATCHDOG_USEC",
        ] {
            environment[name] = getenv(name).map { String(cString: $0) }
        }
        return environment
    }
}

extension Sink {
    /// Returns the sink for messages on standard error.
    static func messages(
        _ format: LogFormat,
        color: Style.Choice,
        environment: [String: String]
    ) -> Sink {
        let sink = descriptor(STDERR_FILENO, color: color, environment: environment)
        return format == .json ? sink.asJSON() : sink
    }

    /// Returns a function that writes to a descriptor of the process; a closed pipe is not an
    /// error.
    static func descriptor(
        _ descriptor: Int32,
        color: Style.Choice,
        environment: [String: String]
    ) -> Sink {
        let isTerminal = isatty(descriptor) == 1
        return Sink(
            isTerminal: isTerminal,
            columns: isTerminal ? columns(of: descriptor, environment) : nil,
            style: .of(terminal: isTerminal, choice: color, environment: environment),
            isGone: { isGone(descriptor) },
            put: {
                if descriptor == STDOUT_FILENO {
                    LostOutput.write($0)
                } else {
                    FileBytes.write($0, to: descriptor)
                }
            }
        )
    }

    /// Returns whether the other end of a pipe was closed.
    private static func isGone(_ descriptor: Int32) -> Bool {
        var state = pollfd(fd: descriptor, events: 0, revents: 0)
        guard poll(&state, 1, 0) > 0 else { return false }
        return state.revents & Int16(POLLERR | POLLNVAL) != 0
    }

    /// Returns the width: from `COLUMNS`, else from the terminal.
    private static func columns(
        of descriptor: Int32,
        _ environment: [String: String]
    ) -> Int? {
        if let given = environment["COLUMNS"].flatMap({ Int($0) }), given > 0 { return given }
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }
}
