internal import CUV
internal import Glibc

/// Runs other programs, with `posix_spawn`, which is safe while other threads run.
package enum ChildProcess {
    /// Why a program has no usable output.
    package enum Failure: Error {
        /// The system could not run it; the `errno` says why.
        case notRun(errno: Int32)
        /// It was killed at the time limit, with all processes of its group.
        case tooSlow
        /// It was killed because it wrote too much, with all processes of its group.
        case tooMuchOutput
        /// It was killed because the task was canceled, with all processes of its group.
        case canceled
    }

    /// How a program ended.
    package enum End: Hashable, Sendable {
        /// By itself, with a status.
        case exited(Int32)
        /// By a signal.
        case killed(Int32)

        /// Decodes a status of `wait`: the signal is in the low bits, the exit status above them.
        fileprivate init(encoded: Int32) {
            let signal = encoded & 0x7F
            self = signal == 0 ? .exited(encoded >> 8 & 0xFF) : .killed(signal)
        }
    }

    /// What a program left when it ended.
    package struct Result {
        /// Its standard output.
        package var output: [UInt8]
        /// How it ended.
        package var end: End
    }

    /// The interval between checks for the end of a program that has closed its output.
    private static let pauseMicroseconds: UInt32 = 2000
    /// The interval between checks whether the task was canceled, in milliseconds.
    private static let longestWait: Int32 = 100

    /// Runs a program until it ends; the calling thread waits.
    ///
    /// The program and what it starts are a process group of their own, so that all of them can be
    /// killed at a limit.
    ///
    /// - Parameters:
    ///   - arguments: Its path, then its arguments.
    ///   - input: Its standard input; the program need not read all of it.
    ///   - diagnostics: The file for its standard error; `nil` discards it.
    ///   - variables: Its environment, as `NAME=value`.
    ///   - outputLimit: The maximum number of bytes that it may write.
    ///   - timeLimit: The maximum time that it may run.
    /// - Returns: Its output and how it ended.
    /// - Throws: A failure; then the program does not run any more, but may have done its work.
    package static func run(
        _ arguments: [String],
        input: [UInt8] = [],
        diagnostics: Int32? = nil,
        variables: [String],
        outputLimit: Int,
        timeLimit: Duration
    ) throws(Failure) -> Result {
        let deadline = ContinuousClock.now + timeLimit
        guard let (toProgram, fromProgram) = pipes() else { throw .notRun(errno: errno) }
        defer { close(fromProgram.read) }
        let process: pid_t
        do throws(Failure) {
            defer {
                close(toProgram.read)
                close(fromProgram.write)
            }
            process = try start(
                arguments,
                input: input.isEmpty ? nil : toProgram.read,
                output: fromProgram.write,
                diagnostics: diagnostics,
                variables: variables,
                hasOwnGroup: true
            )
        } catch {
            close(toProgram.write)
            throw error
        }
        do throws(Failure) {
            let output = try exchange(
                input,
                writing: toProgram.write,
                reading: fromProgram.read,
                limit: outputLimit,
                until: deadline
            )
            return Result(output: output, end: try wait(for: process, until: deadline))
        } catch {
            end(process)
            throw error
        }
    }

    /// Starts a program with these files as its own, and without blocked or ignored signals.
    ///
    /// - Parameters:
    ///   - arguments: Its path, then its arguments.
    ///   - input: Its standard input; `nil` is an empty one.
    ///   - output: Its standard output; `nil` discards it.
    ///   - diagnostics: Its standard error; `nil` discards it.
    ///   - variables: Its environment, as `NAME=value`.
    ///   - hasOwnGroup: Whether it becomes the leader of a process group, which the terminal's keys
    ///     do not reach.
    /// - Returns: Its number, for ``end(_:)`` or `waitpid`.
    /// - Throws: ``Failure/notRun(errno:)``.
    package static func start(
        _ arguments: [String],
        input: Int32?,
        output: Int32?,
        diagnostics: Int32?,
        variables: [String],
        hasOwnGroup: Bool
    ) throws(Failure) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (own, given) in [(0 as Int32, input), (1, output), (2, diagnostics)] {
            if let given {
                posix_spawn_file_actions_adddup2(&actions, given, own)
            } else {
                let mode = own == 0 ? O_RDONLY : O_WRONLY
                posix_spawn_file_actions_addopen(&actions, own, "/dev/null", mode, 0)
            }
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
        posix_spawnattr_setpgroup(&attributes, 0)
        var flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        if hasOwnGroup { flags |= POSIX_SPAWN_SETPGROUP }
        posix_spawnattr_setflags(&attributes, Int16(flags))
        guard let path = arguments.first else { throw .notRun(errno: EINVAL) }
        var process: pid_t = 0
        let code = withCStrings(arguments) { arguments in
            withCStrings(variables) { variables in
                posix_spawn(&process, path, &actions, &attributes, arguments, variables)
            }
        }
        guard code == 0 else { throw .notRun(errno: code) }
        return process
    }

    /// Kills a program that has a process group of its own, with all processes of the group.
    package static func end(_ process: Int32) {
        kill(-process, SIGKILL)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
    }

    /// Creates a pipe that no program inherits by accident; returns `nil` when that fails.
    package static func pipeEnds() -> (read: Int32, write: Int32)? {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    private static func pipes() -> ((read: Int32, write: Int32), (read: Int32, write: Int32))? {
        guard let first = pipeEnds() else { return nil }
        guard let second = pipeEnds() else {
            close(first.read)
            close(first.write)
            return nil
        }
        return (first, second)
    }

    /// Writes and reads at the same time, so that neither side waits forever for the other.
    private static func exchange(
        _ input: [UInt8],
        writing: Int32,
        reading: Int32,
        limit: Int,
        until deadline: ContinuousClock.Instant
    ) throws(Failure) -> [UInt8] {
        _ = fcntl(writing, F_SETFL, O_NONBLOCK)
        var rest = input[...]
        var isWriting = true
        defer { if isWriting { close(writing) } }
        var output: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            if isWriting, rest.isEmpty {
                close(writing)
                isWriting = false
            }
            guard output.count <= limit else { throw .tooMuchOutput }
            guard !Task.isCancelled else { throw .canceled }
            let left = (deadline - ContinuousClock.now) / .milliseconds(1)
            guard left > 0 else { throw .tooSlow }
            var ends = [pollfd(fd: reading, events: Int16(POLLIN), revents: 0)]
            if isWriting { ends.append(pollfd(fd: writing, events: Int16(POLLOUT), revents: 0)) }
            // When poll was interrupted or returned early, the deadline is checked again.
            let wait = min(Int32(clamping: Int(left.rounded(.up))), longestWait)
            guard poll(&ends, nfds_t(ends.count), wait) > 0 else { continue }
            if isWriting, ends[1].revents != 0 {
                let count = writeQuietly(rest, to: writing)
                if count > 0 { rest = rest.dropFirst(count) }
                // A program that has read enough is not an error.
                if count < 0, errno != EAGAIN, errno != EINTR { rest = [] }
            }
            guard ends[0].revents != 0 else { continue }
            let count = read(reading, &chunk, chunk.count)
            if count == 0 { return output }
            guard count > 0 || errno == EINTR else { throw .notRun(errno: errno) }
            output += chunk[..<max(0, count)]
        }
    }

    /// Writes without the signal that a program which has closed its input would cause, whether or
    /// not this process ignores it.
    private static func writeQuietly(_ bytes: ArraySlice<UInt8>, to file: Int32) -> Int {
        var (pipe, before) = (sigset_t(), sigset_t())
        sigemptyset(&pipe)
        sigaddset(&pipe, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &pipe, &before)
        let count = bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
        let failure = errno
        if count < 0, failure == EPIPE {
            var now = timespec()
            sigtimedwait(&pipe, nil, &now)
        }
        pthread_sigmask(SIG_SETMASK, &before, nil)
        errno = failure
        return count
    }

    private static func wait(
        for process: pid_t,
        until deadline: ContinuousClock.Instant
    ) throws(Failure) -> End {
        var status: Int32 = 0
        while true {
            let ended = waitpid(process, &status, WNOHANG)
            if ended == process { return End(encoded: status) }
            guard ended == 0 || errno == EINTR else { throw .notRun(errno: errno) }
            guard ContinuousClock.now < deadline else { throw .tooSlow }
            guard !Task.isCancelled else { throw .canceled }
            usleep(pauseMicroseconds)
        }
    }

    /// Lends a null-terminated list of C strings.
    private static func withCStrings<Value>(
        _ strings: [String],
        _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Value
    ) -> Value {
        let pointers = strings.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        return pointers.withUnsafeBufferPointer { buffer in
            // The list has a terminator, so it is never empty.
            guard let base = buffer.baseAddress else { preconditionFailure("an empty list") }
            return body(base)
        }
    }
}
