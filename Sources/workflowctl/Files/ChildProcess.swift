internal import Glibc

/// Runs another program that reads and writes bytes.
enum ChildProcess {
    /// Runs a program until it ends.
    ///
    /// - Parameters:
    ///   - arguments: Its path, then its arguments.
    ///   - input: Its standard input; the program need not read all of it.
    ///   - environment: The variables of which the program receives those that it needs to find
    ///     fonts and files, and none that may be a key.
    ///   - outputLimit: The maximum number of bytes that it may write.
    ///   - timeLimit: The maximum time that it may run.
    /// - Returns: Its output; `nil` when it could not be started, failed, or exceeded a limit.
    static func run(
        _ arguments: [String],
        input: [UInt8],
        environment: [String: String],
        outputLimit: Int,
        timeLimit: Duration
    ) -> [UInt8]? {
        let deadline = ContinuousClock.now + timeLimit
        guard let pipes = Pipes() else { return nil }
        let process = start(
            arguments,
            input: pipes.input.read,
            output: pipes.output.write,
            diagnostics: nil,
            environment: environment
        )
        guard let process else {
            pipes.closeAll()
            return nil
        }
        close(pipes.input.read)
        close(pipes.output.write)
        let output = exchange(input, pipes, limit: outputLimit, until: deadline)
        close(pipes.output.read)
        // A program that is not done by now never will be.
        if output == nil { kill(process, SIGKILL) }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status == 0 ? output : nil
    }

    /// Both ends of two pipes, none of which is inherited by accident.
    private struct Pipes {
        var input: (read: Int32, write: Int32)
        var output: (read: Int32, write: Int32)

        init?() {
            guard let first = ChildProcess.pipeEnds() else { return nil }
            guard let second = ChildProcess.pipeEnds() else {
                close(first.read)
                close(first.write)
                return nil
            }
            (input, output) = (first, second)
        }

        func closeAll() {
            for end in [input.read, input.write, output.read, output.write] { close(end) }
        }
    }

    /// Creates a pipe that no program inherits by accident; returns `nil` when that fails.
    static func pipeEnds() -> (read: Int32, write: Int32)? {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// Starts a program with these files as its own; returns `nil` when that fails.
    static func start(
        _ arguments: [String],
        input: Int32,
        output: Int32,
        diagnostics: Int32?,
        environment: [String: String]
    ) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        if let diagnostics {
            posix_spawn_file_actions_adddup2(&actions, diagnostics, STDERR_FILENO)
        } else {
            posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // This process blocks and ignores signals on which others rely.
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(
            &attributes,
            Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)
        )
        let variables = passedOn.compactMap { name in environment[name].map { "\(name)=\($0)" } }
        var process: pid_t = 0
        let code = CStrings.with(arguments) { list in
            CStrings.with(variables) { variables in
                posix_spawn(&process, arguments[0], &actions, &attributes, list, variables)
            }
        }
        return code == 0 ? process : nil
    }

    /// The variables passed to a program: those needed to find files and to show text, and none
    /// that may be a key.
    private static let passedOn = [
        "PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "TERM", "COLUMNS", "LINES", "LESS",
        "LESSSECURE",
    ]

    /// Writes and reads at the same time, so that neither side waits forever for the other.
    private static func exchange(
        _ input: [UInt8],
        _ pipes: Pipes,
        limit: Int,
        until deadline: ContinuousClock.Instant
    ) -> [UInt8]? {
        let (writing, reading) = (pipes.input.write, pipes.output.read)
        _ = fcntl(writing, F_SETFL, O_NONBLOCK)
        var rest = input[...]
        var isWriting = true
        defer { if isWriting { close(writing) } }
        var output: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let left = (deadline - ContinuousClock.now) / .milliseconds(1)
            guard left > 0, output.count <= limit else { return nil }
            var ends = [pollfd(fd: reading, events: Int16(POLLIN), revents: 0)]
            if isWriting { ends.append(pollfd(fd: writing, events: Int16(POLLOUT), revents: 0)) }
            guard poll(&ends, nfds_t(ends.count), Int32(clamping: Int(left.rounded(.up)))) > 0
            else { continue }
            if isWriting, ends[1].revents != 0 {
                let count = rest.withUnsafeBytes { write(writing, $0.baseAddress, $0.count) }
                if count > 0 { rest = rest.dropFirst(count) }
                // A program that has read enough is not an error.
                let isOver = count < 0 && errno != EAGAIN && errno != EINTR
                if rest.isEmpty || isOver {
                    close(writing)
                    isWriting = false
                }
            }
            guard ends[0].revents != 0 else { continue }
            let count = read(reading, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { return output }
            output += chunk[..<count]
        }
    }
}

/// Null-terminated lists of C strings, as programs receive them.
enum CStrings {
    /// Calls a closure with such a list.
    static func with<Value>(
        _ strings: [String],
        _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Value
    ) -> Value {
        var pointers: [UnsafeMutablePointer<CChar>?] = strings.map { strdup($0) }
        pointers.append(nil)
        defer { for pointer in pointers { free(pointer) } }
        return pointers.withUnsafeBufferPointer { buffer in
            // The array has a terminator, so it is never empty.
            guard let base = buffer.baseAddress else { preconditionFailure("an empty list") }
            return body(base)
        }
    }
}
