internal import CUV
internal import EventLog
internal import FoundationEssentials
internal import Glibc
internal import SwedbankPay

/// A command that is run for its standard output.
struct KeyCommand {
    /// The maximum size of the output in bytes; keys are far shorter.
    static let outputLimit = 16 * 1024
    /// The interval between checks for the end of a command that has closed its output.
    private static let pauseMicroseconds: UInt32 = 2000

    /// A shell command line.
    var line: String
    var timeLimit: Duration

    /// Runs the command and waits for its end.
    ///
    /// - Returns: Its output.
    func run() throws(KeyVaultError) -> String {
        guard !line.isEmpty, !line.utf8.contains(0) else {
            throw .unavailable(reason: "no key command is configured")
        }
        let deadline = ContinuousClock.now + timeLimit
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Self.notRun(errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let process: pid_t
        do throws(KeyVaultError) {
            process = try start(writingTo: ends[1])
        } catch {
            close(ends[0])
            close(ends[1])
            throw error
        }
        close(ends[1])
        defer { close(ends[0]) }
        let (output, status): ([UInt8], CInt)
        do throws(KeyVaultError) {
            output = try Self.read(ends[0], until: deadline)
            status = try Self.wait(for: process, until: deadline)
        } catch {
            // The whole process group: what the shell started has its descriptors, too.
            kill(-process, SIGKILL)
            waitpid(process, nil, 0)
            throw error
        }
        // The encoding of wait(2): the signal is in the low bits, the exit status above them.
        guard status & 0x7F == 0 else {
            throw .unavailable(reason: "signal \(status & 0x7F) ended the key command")
        }
        guard status == 0 else {
            throw .unavailable(reason: "the key command ended with status \(status >> 8 & 0xFF)")
        }
        guard let text = String(validating: output, as: UTF8.self) else {
            throw .malformed(reason: "the key command did not write text")
        }
        return text
    }

    private func start(writingTo output: CInt) throws(KeyVaultError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // This process blocks and ignores signals that the command relies on.
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes,
            Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP)
        )
        var process = pid_t()
        let code = Self.withStrings(["sh", "-c", line]) { arguments in
            let variables = ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }
            return Self.withStrings(variables) { environment in
                posix_spawn(&process, "/bin/sh", &actions, &attributes, arguments, environment)
            }
        }
        guard code == 0 else { throw Self.notRun(code) }
        return process
    }

    private static func read(
        _ input: CInt,
        until deadline: ContinuousClock.Instant
    ) throws(KeyVaultError) -> [UInt8] {
        var output: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let left = (deadline - ContinuousClock.now) / .milliseconds(1)
            guard left > 0 else { throw tooSlow }
            var wanted = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
            // When poll was interrupted or returned early, the deadline is checked again.
            guard poll(&wanted, 1, CInt(clamping: Int(left.rounded(.up)))) > 0 else { continue }
            let count = Glibc.read(input, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw notRun(errno) }
            if count == 0 { return output }
            output += chunk[..<count]
            guard output.count <= outputLimit else {
                throw .unavailable(
                    reason: "the key command wrote more than \(outputLimit) bytes"
                )
            }
        }
    }

    private static func wait(
        for process: pid_t,
        until deadline: ContinuousClock.Instant
    ) throws(KeyVaultError) -> CInt {
        var status: CInt = 0
        while true {
            let ended = waitpid(process, &status, WNOHANG)
            if ended == process { return status }
            guard ended == 0 || errno == EINTR else { throw notRun(errno) }
            guard ContinuousClock.now < deadline else { throw tooSlow }
            usleep(pauseMicroseconds)
        }
    }

    private static var tooSlow: KeyVaultError {
        .unavailable(reason: "the key command took too long")
    }

    private static func notRun(_ failure: CInt) -> KeyVaultError {
        let words = strerror(failure).map { String(cString: $0) } ?? "error \(failure)"
        return .unavailable(reason: "the key command could not be run: \(words)")
    }

    /// Lends a `nil`-terminated array of C strings.
    private static func withStrings(
        _ texts: [String],
        _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> CInt
    ) -> CInt {
        let strings = texts.map { strdup($0) } + [nil]
        defer { for string in strings { free(string) } }
        return strings.withUnsafeBufferPointer { $0.baseAddress.map(body) ?? EINVAL }
    }
}
